package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// OwnTool is the tool of the criteria that winnow measures by itself.
const OwnTool = "winnow"

// ErrNoKills is wrapped where criteria are asked for of a run folder without kills.
var ErrNoKills = errors.New("the run folder has no kills")

// OwnCriteria are the criteria that the run's tables tell, without any other tool: lines,
// statements and functions that hold a mutant, which a test covers that reaches one of
// these; the sides of branches, where they are recorded; and weak and strong mutation.
// Mutants that are proved to be equivalent are none of strong mutation's elements.
func (s *Subject) OwnCriteria() ([]*criterion.Matrix, error) {
	if s.Kills == nil || s.Mutants == nil {
		return nil, fmt.Errorf("criteria of %s: %w", s.Manifest.Name(), ErrNoKills)
	}
	places, err := s.places()
	if err != nil {
		return nil, fmt.Errorf("criteria of %s: %w", s.Manifest.Name(), err)
	}
	proved := s.Proved()
	var out []*criterion.Matrix
	for _, measure := range []func() (*criterion.Matrix, error){
		func() (*criterion.Matrix, error) {
			return s.reached(criterion.Line, places, func(p place) string { return fmt.Sprintf("%s:%d", p.file, p.line) })
		},
		func() (*criterion.Matrix, error) {
			return s.reached(criterion.Statement, places, func(p place) string { return fmt.Sprintf("%s statement %d", p.file, p.statement) })
		},
		s.branches,
		func() (*criterion.Matrix, error) {
			return s.reached(criterion.Function, places, func(p place) string { return p.file + " " + p.function })
		},
		func() (*criterion.Matrix, error) { return s.mutation(criterion.Weak, places, s.Kills.Infected, nil) },
		func() (*criterion.Matrix, error) {
			return s.mutation(criterion.Strong, places, s.Kills.Killed, proved)
		},
	} {
		m, err := measure()
		if err != nil {
			return nil, err
		}
		if m != nil {
			out = append(out, m)
		}
	}
	return out, nil
}

// place is where a mutant that was run is; row is its place among the kills.
type place struct {
	row             int
	id              string
	file, function  string
	line, statement int64
}

// places are those of the mutants that were run, by file and line.
func (s *Subject) places() ([]place, error) {
	rows := map[string]int{}
	for i, id := range s.Kills.Mutants() {
		rows[id] = i
	}
	var columns [3][]string
	for k, name := range []string{"id", "file", "function"} {
		var err error
		if columns[k], err = s.Mutants.Strings(name); err != nil {
			return nil, err
		}
	}
	lines, err := s.Mutants.Ints("line")
	if err != nil {
		return nil, err
	}
	statements, err := s.Mutants.Ints("statement")
	if err != nil {
		return nil, err
	}
	var out []place
	for i, id := range columns[0] {
		if row, run := rows[id]; run {
			out = append(out, place{row, id, columns[1][i], columns[2][i], lines[i], statements[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.statement, b.statement))
	})
	return out, nil
}

// reached is a criterion whose elements hold mutants: a test covers those of the mutants
// that it reaches. Where it is not known whether it reaches any, it is open.
func (s *Subject) reached(name string, places []place, element func(place) string) (*criterion.Matrix, error) {
	at := map[string]int{}
	var elements []string
	for _, p := range places {
		if e := element(p); !has(at, e) {
			at[e] = len(elements)
			elements = append(elements, e)
		}
	}
	m, err := criterion.New(OwnTool, name, s.Kills.Tests(), elements)
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		e := at[element(p)]
		for t := range s.Kills.Unknown(p.row).All() {
			if m.Cell(e, t) == matrix.Survived {
				m.Set(e, t, matrix.Unknown)
			}
		}
	}
	for _, p := range places {
		for t := range s.Kills.Reached(p.row).All() {
			m.Set(at[element(p)], t, matrix.Killed)
		}
	}
	return m, nil
}

func has(at map[string]int, name string) bool {
	_, known := at[name]
	return known
}

// branches are the recorded sides of branches, nil where there are none.
func (s *Subject) branches() (*criterion.Matrix, error) {
	if s.Branches == nil {
		return nil, nil
	}
	elements := make([]string, s.Branches.Sites())
	seen := map[string]int{}
	for side := range elements {
		name := fmt.Sprint(side)
		if names := s.Branches.Names(); names != nil {
			name = names[side]
		}
		if seen[name]++; seen[name] > 1 { // a macro has several branches in one place
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		elements[side] = name
	}
	m, err := criterion.New(OwnTool, criterion.Branch, s.Branches.Tests(), elements)
	if err != nil {
		return nil, err
	}
	for side := range elements {
		for t := range s.Branches.Reaching(side).All() {
			m.Set(side, t, matrix.Killed)
		}
	}
	for t := range s.Branches.Unmeasured().All() {
		m.SetUnmeasured(t)
	}
	return m, nil
}

// mutation is weak or strong mutation: a test covers the mutants that covers says,
// and those in leftOut are no elements. It is nil of weak mutation where no probing run was made.
func (s *Subject) mutation(name string, places []place, covers func(int) matrix.Bits, leftOut map[string]Proof) (*criterion.Matrix, error) {
	probed := slices.ContainsFunc(s.Manifest.Stages, func(stage Stage) bool { return stage.Name == "probe" })
	if name == criterion.Weak && !probed {
		return nil, nil
	}
	var elements []string
	var rows []int
	for _, p := range places {
		if _, out := leftOut[p.id]; !out {
			elements, rows = append(elements, fmt.Sprintf("%s:%d %s", p.file, p.line, p.id)), append(rows, p.row)
		}
	}
	m, err := criterion.New(OwnTool, name, s.Kills.Tests(), elements)
	if err != nil {
		return nil, err
	}
	for e, row := range rows {
		for t := range s.Kills.Unknown(row).All() {
			m.Set(e, t, matrix.Unknown)
		}
		for t := range covers(row).All() {
			m.Set(e, t, matrix.Killed)
		}
	}
	return m, nil
}
