package kill

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Schema is the columns of kills.parquet.
func Schema() table.Schema {
	return table.Schema{
		{Name: "mutant", Type: table.Int64, Doc: "number of the mutant in the file's list of mutants, from 0"},
		{Name: "id", Type: table.String, Doc: "id of the mutant"},
		{Name: "test", Type: table.Int64, Doc: "number of the test in the file's list of tests, from 0"},
		{Name: "test_name", Type: table.String, Doc: "name of the test"},
		{Name: "verdict", Type: table.Int64, Doc: "1 killed, 0 survived, -1 unknown"},
		{Name: "cause", Type: table.String, Doc: "what the verdict rests on"},
		{Name: "reached", Type: table.Bool, Doc: "the test is known to reach the mutant"},
		{Name: "infected", Type: table.Bool, Doc: "the test is not known to leave all that the mutant computes as it is"},
		{Name: "work", Type: table.Int64, Doc: "work the run counted; 0 if it did not count", Unit: "executor's units"},
		{Name: "time", Type: table.Int64, Doc: "time of the run; 0 if not measured", Unit: "µs"},
	}
}

const (
	metaMutants = "winnow.kill.mutants"
	metaTests   = "winnow.kill.tests"

	// infected is the column that files from before probing runs do not have.
	infected = "infected"

	batchRows = 1 << 16
)

// Write puts the matrix at path.
func Write(path string, m *Matrix) error {
	meta, err := lists(m.mutants, m.tests)
	if err != nil {
		return fmt.Errorf("write kill matrix: %w", err)
	}
	w, err := table.Create(path, Schema(), meta)
	if err != nil {
		return fmt.Errorf("write kill matrix: %w", err)
	}
	defer w.Abort()
	var b batch
	for i := range m.rows {
		for t, c := range m.rows[i].written() {
			b.add(m, i, t, c)
			if len(b.mutant) == batchRows {
				if err := b.flush(w); err != nil {
					return fmt.Errorf("write kill matrix: %w", err)
				}
			}
		}
	}
	if err := b.flush(w); err != nil {
		return fmt.Errorf("write kill matrix: %w", err)
	}
	return w.Commit()
}

// written are the cells that have a row in a file, by test. It goes through the sets
// and the details side by side: most of a large matrix is not reached, and to ask for
// each cell of it would take longer than to write the others.
func (r *row) written() iter.Seq2[int, Cell] {
	return func(yield func(int, Cell) bool) {
		said := r.reached.Clone()
		for _, set := range []matrix.Bits{r.killed, r.unknown, r.infected} {
			said.Or(set)
		}
		for _, d := range r.details {
			said.Set(int(d.test))
		}
		details := r.details
		for t := range said.All() {
			c := Cell{Verdict: r.verdict(t), Cause: r.plainCause(t)}
			if len(details) > 0 && int(details[0].test) == t {
				c.Cause, c.Work, c.Micros = details[0].cause, details[0].work, int64(details[0].micros)
				details = details[1:]
			}
			if c.Cause != matrix.NotReached && !yield(t, c) {
				return
			}
		}
	}
}

func lists(mutants, tests []string) (map[string]string, error) {
	ids, err := json.Marshal(mutants)
	if err != nil {
		return nil, err
	}
	names, err := json.Marshal(tests)
	if err != nil {
		return nil, err
	}
	return map[string]string{metaMutants: string(ids), metaTests: string(names)}, nil
}

// batch is rows in the making, by column.
type batch struct {
	mutant, test, verdict, work, time []int64
	id, testName, cause               []string
	reached, infected                 []bool
}

func (b *batch) add(m *Matrix, i, t int, c Cell) {
	b.mutant = append(b.mutant, int64(i))
	b.id = append(b.id, m.mutants[i])
	b.test = append(b.test, int64(t))
	b.testName = append(b.testName, m.tests[t])
	b.verdict = append(b.verdict, c.Verdict.Code())
	b.cause = append(b.cause, c.Cause.String())
	b.reached = append(b.reached, m.rows[i].reached.Get(t))
	b.infected = append(b.infected, m.rows[i].infected.Get(t))
	b.work = append(b.work, c.Work)
	b.time = append(b.time, c.Micros)
}

func (b *batch) flush(w *table.Writer) error {
	t, err := table.FromColumns(Schema(), b.mutant, b.id, b.test, b.testName, b.verdict, b.cause, b.reached, b.infected, b.work, b.time)
	if err != nil {
		return err
	}
	*b = batch{}
	return w.Write(t)
}

// Detail is how much of a file Read keeps.
type Detail int

const (
	// Everything keeps cause, work and time of every cell: 24 bytes a cell
	// that was run.
	Everything Detail = iota
	// VerdictsOnly keeps the four sets a mutant. A killed cell then reads
	// Output, an unknown one NotRun.
	VerdictsOnly
)

// Read reads the matrix at path.
func Read(path string, detail Detail) (*Matrix, error) {
	r, err := table.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read kill matrix: %w", err)
	}
	defer r.Close()
	columns := []string{"mutant", "test", "verdict", "reached"}
	if detail == Everything {
		columns = append(columns, "cause", "work", "time")
	}
	if slices.Contains(r.Schema().Names(), infected) {
		columns = append(columns, infected)
	}
	m, err := named(r.Meta())
	if err != nil {
		return nil, fmt.Errorf("read kill matrix %s: %w", path, err)
	}
	for rows, err := range r.Batches(columns...) {
		if err != nil {
			return nil, fmt.Errorf("read kill matrix: %w", err)
		}
		if err := m.addRows(rows, detail); err != nil {
			return nil, fmt.Errorf("read kill matrix %s: %w", path, err)
		}
	}
	return m, nil
}

func named(meta map[string]string) (*Matrix, error) {
	var mutants, tests []string
	for key, names := range map[string]*[]string{metaMutants: &mutants, metaTests: &tests} {
		text, ok := meta[key]
		if !ok {
			return nil, fmt.Errorf("metadata %s is missing: %w", key, table.ErrForeign)
		}
		if err := json.Unmarshal([]byte(text), names); err != nil {
			return nil, fmt.Errorf("metadata %s: %w", key, err)
		}
	}
	if err := distinct("mutant", mutants); err != nil {
		return nil, err
	}
	return empty(mutants, tests), distinct("test", tests)
}

// columnsOf are the columns of a batch that was read.
type columnsOf struct {
	mutant, test, verdict, work, time []int64
	cause                             []string
	reached                           []bool
	infected                          []bool // nil in a file from before probing runs
}

func columns(rows *table.Table, detail Detail) (c columnsOf, err error) {
	ints := map[string]*[]int64{"mutant": &c.mutant, "test": &c.test, "verdict": &c.verdict}
	if detail == Everything {
		ints["work"], ints["time"] = &c.work, &c.time
		if c.cause, err = rows.Strings("cause"); err != nil {
			return c, err
		}
	}
	for name, to := range ints {
		if *to, err = rows.Ints(name); err != nil {
			return c, err
		}
	}
	if slices.Contains(rows.Schema().Names(), infected) {
		if c.infected, err = rows.Bools(infected); err != nil {
			return c, err
		}
	}
	c.reached, err = rows.Bools("reached")
	return c, err
}

func (m *Matrix) addRows(rows *table.Table, detail Detail) error {
	c, err := columns(rows, detail)
	if err != nil {
		return err
	}
	for i := range c.mutant {
		mutant, test := int(c.mutant[i]), int(c.test[i])
		if mutant < 0 || mutant >= len(m.rows) || test < 0 || test >= len(m.tests) {
			return fmt.Errorf("row for mutant %d, test %d: the lists have %d and %d", mutant, test, len(m.mutants), len(m.tests))
		}
		cell := Cell{}
		if cell.Verdict, err = matrix.VerdictOf(c.verdict[i]); err != nil {
			return err
		}
		if detail == Everything {
			cell.Work, cell.Micros = c.work[i], c.time[i]
			cell.Cause, err = matrix.ParseCause(c.cause[i])
		} else if cell.Verdict == matrix.Killed {
			cell.Cause = matrix.Output
		} else if cell.Verdict == matrix.Unknown {
			cell.Cause = matrix.NotRun
		}
		if err != nil {
			return err
		}
		if err := m.Set(mutant, test, cell); err != nil {
			return err
		}
		put(m.rows[mutant].reached, test, c.reached[i])
		put(m.rows[mutant].infected, test, c.reached[i] && (c.infected == nil || c.infected[i]))
	}
	return nil
}
