package criterion

import (
	"encoding/json"
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Schema is the columns of criteria.parquet.
func Schema() table.Schema {
	return table.Schema{
		{Name: "tool", Type: table.String, Doc: "what measured it, e.g. gcov"},
		{Name: "criterion", Type: table.String, Doc: "line, branch or function"},
		{Name: "element", Type: table.Int64, Doc: "number of the element among the tool's of that criterion, from 0"},
		{Name: "element_name", Type: table.String, Doc: "where the element is, e.g. a.c:12"},
		{Name: "test", Type: table.Int64, Doc: "number of the test in the file's list of tests, from 0; -1 in the one row of an element that no test is known to cover"},
		{Name: "test_name", Type: table.String, Doc: "name of the test; empty in such a row"},
	}
}

const metaKey = "winnow.criteria"

// header is the metadata of a file: what rows cannot say.
type header struct {
	Tests    []string `json:"tests"`
	Matrices []headed `json:"matrices"`
}

type headed struct {
	Tool      string `json:"tool"`
	Criterion string `json:"criterion"`
	// Unmeasured are the tests of which nothing is known, by number.
	Unmeasured []int  `json:"unmeasured"`
	Failed     string `json:"failed,omitempty"`
}

// Write puts the matrices, which are of the same tests, at path. What is unknown must be
// so of a test's whole column, as it is of what tools measure.
func Write(path string, all []*Matrix) error {
	rows, err := table.New(Schema())
	if err != nil {
		return fmt.Errorf("write criteria: %w", err)
	}
	h := header{Matrices: []headed{}}
	for _, m := range all {
		unmeasured := m.unmeasured()
		if err := m.wholly(unmeasured); err != nil {
			return fmt.Errorf("write criteria: %w", err)
		}
		h.Tests = m.Tests
		h.Matrices = append(h.Matrices, headed{m.Tool, m.Criterion, unmeasured, m.Failed})
		for e, name := range m.Elements {
			if m.covered[e].Empty() {
				if err := rows.Append(m.Tool, m.Criterion, e, name, -1, ""); err != nil {
					return fmt.Errorf("write criteria: %w", err)
				}
			}
			for t := range m.covered[e].All() {
				if err := rows.Append(m.Tool, m.Criterion, e, name, t, m.Tests[t]); err != nil {
					return fmt.Errorf("write criteria: %w", err)
				}
			}
		}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("write criteria: %w", err)
	}
	rows.Meta = map[string]string{metaKey: string(text)}
	return table.Write(path, rows)
}

// unmeasured are the tests of which nothing is known.
func (m *Matrix) unmeasured() []int {
	out := []int{}
	for t := range m.Tests {
		all := len(m.Elements) > 0 || m.Failed != ""
		for e := range m.Elements {
			all = all && m.Open(e).Get(t)
		}
		if all {
			out = append(out, t)
		}
	}
	return out
}

// wholly is an error where a cell is unknown of a test that is not in unmeasured: the file
// could not say so.
func (m *Matrix) wholly(unmeasured []int) error {
	all := matrix.BitsOf(len(m.Tests), unmeasured...)
	for e, name := range m.Elements {
		if !m.Open(e).IsSubset(all) {
			return fmt.Errorf("%s: of %s some tests are unknown that are known of others", m.Name(), name)
		}
	}
	return nil
}

// Read reads the matrices at path.
func Read(path string) ([]*Matrix, error) {
	rows, err := table.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read criteria: %w", err)
	}
	all, err := fromTable(rows)
	if err != nil {
		return nil, fmt.Errorf("read criteria %s: %w", path, err)
	}
	return all, nil
}

func fromTable(rows *table.Table) ([]*Matrix, error) {
	var h header
	if text, ok := rows.Meta[metaKey]; !ok {
		return nil, fmt.Errorf("metadata %s is missing: %w", metaKey, table.ErrForeign)
	} else if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", metaKey, err)
	}
	if d := Schema().Difference(rows.Schema()); d != "" {
		return nil, fmt.Errorf("%s: %w", d, table.ErrForeign)
	}
	elements, err := elementsOf(rows)
	if err != nil {
		return nil, err
	}
	var all []*Matrix
	of := map[[2]string]*Matrix{}
	for _, head := range h.Matrices {
		key := [2]string{head.Tool, head.Criterion}
		if of[key] != nil {
			return nil, fmt.Errorf("%s of %s occurs twice", head.Criterion, head.Tool)
		}
		m, err := New(head.Tool, head.Criterion, h.Tests, elements[key])
		if err != nil {
			return nil, err
		}
		m.Failed = head.Failed
		for _, t := range head.Unmeasured {
			if t < 0 || t >= len(h.Tests) {
				return nil, fmt.Errorf("%s: unmeasured test %d of %d", m.Name(), t, len(h.Tests))
			}
			m.SetUnmeasured(t)
		}
		of[key], all = m, append(all, m)
	}
	return all, setCovered(rows, of)
}

// elementsOf are the names of the elements, by tool and criterion, as rows number them.
func elementsOf(rows *table.Table) (map[[2]string][]string, error) {
	out := map[[2]string][]string{}
	for i := range rows.Rows() {
		key := [2]string{rows.Value(i, 0).(string), rows.Value(i, 1).(string)}
		element, name := int(rows.Value(i, 2).(int64)), rows.Value(i, 3).(string)
		switch known := out[key]; {
		case element == len(known):
			out[key] = append(known, name)
		case element < 0 || element > len(known) || known[element] != name:
			return nil, fmt.Errorf("row %d: %s of %s: element %d is out of order", i, key[1], key[0], element)
		}
	}
	return out, nil
}

func setCovered(rows *table.Table, of map[[2]string]*Matrix) error {
	for i := range rows.Rows() {
		m := of[[2]string{rows.Value(i, 0).(string), rows.Value(i, 1).(string)}]
		element, t := int(rows.Value(i, 2).(int64)), int(rows.Value(i, 4).(int64))
		switch {
		case m == nil:
			return fmt.Errorf("row %d is of a tool that the metadata does not name", i)
		case t < -1 || t >= len(m.Tests):
			return fmt.Errorf("%s: row %d: test %d of %d", m.Name(), i, t, len(m.Tests))
		case t >= 0:
			m.Set(element, t, matrix.Killed)
		}
	}
	return nil
}
