// Package kill is the kill matrix: what each test says about each mutant.
//
// A cell is Killed, Survived or Unknown, with the cause, the work counted and
// the time of the run. In memory a mutant has four sets of tests (killed,
// unknown, reached, infected) and the details of the cells that were run, so that a
// hundred million cells, few of them run, take some fifty megabytes. On disk
// it is a long table with one row for every cell that was reached or is not
// known; a pair without a row was not reached, and survived for that reason.
// See docs/formats/kill.md.
package kill

import (
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// Cell is what one test says about one mutant.
type Cell struct {
	Verdict matrix.Verdict
	Cause   matrix.Cause
	// Work is the work the run counted, in the executor's units; 0 if it did
	// not count.
	Work int64
	// Micros is the time of the run in microseconds, at most MaxMicros; 0 if
	// not measured. It is the one value that differs between two equal runs.
	Micros int64
}

// MaxMicros is the longest time a cell can hold, 71 minutes; longer ones are
// cut to it.
const MaxMicros = math.MaxUint32

// Matrix is a kill matrix. Mutants and tests are numbered from 0 in the order
// of their names. Every cell of a new matrix is Unknown (NotRun).
//
// Cells of different mutants may be set from different goroutines.
type Matrix struct {
	mutants, tests []string
	rows           []row
}

// row is one mutant. A cell that is in no set was not reached.
type row struct {
	killed, unknown, reached, infected matrix.Bits
	details                            []detail // by test; cells that say no more than the sets have none
	// shared: nothing is known, and the sets are everybody's of whom that holds (own).
	shared bool
}

type detail struct {
	work   int64
	test   int32
	micros uint32
	cause  matrix.Cause
}

// New returns a matrix of unknown cells. Names are mutant ids and test names;
// neither may repeat.
func New(mutants, tests []string) (*Matrix, error) {
	if err := distinct("mutant", mutants); err != nil {
		return nil, err
	}
	if err := distinct("test", tests); err != nil {
		return nil, err
	}
	m := empty(mutants, tests)
	for i := range m.rows {
		r := m.own(i)
		for t := range tests {
			r.unknown.Set(t)
		}
	}
	return m, nil
}

// empty returns a matrix in which no mutant is reached. It is as large as the names: a
// file that claims many mutants and tests costs what it says of them.
func empty(mutants, tests []string) *Matrix {
	m := &Matrix{mutants: mutants, tests: tests, rows: make([]row, len(mutants))}
	none := matrix.NewBits(len(tests))
	for i := range m.rows {
		m.rows[i] = row{killed: none, unknown: none, reached: none, infected: none, shared: true}
	}
	return m
}

// own is the row of a mutant, to be changed.
func (m *Matrix) own(mutant int) *row {
	r := &m.rows[mutant]
	if r.shared {
		n := len(m.tests)
		*r = row{killed: matrix.NewBits(n), unknown: matrix.NewBits(n), reached: matrix.NewBits(n), infected: matrix.NewBits(n)}
	}
	return r
}

func distinct(what string, names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("kill matrix: %s %q occurs twice", what, name)
		}
		seen[name] = true
	}
	return nil
}

// Mutants returns the mutants' ids, in order; do not change them.
func (m *Matrix) Mutants() []string { return m.mutants }

// Tests returns the tests' names, in order; do not change them.
func (m *Matrix) Tests() []string { return m.tests }

// Set fills a cell; a second call replaces the first. A test that was run
// counts as reaching the mutant, since a test known not to reach it need not be
// run; a cell that was not run stays as reached as it was. An unknown cell
// without a cause was not run.
func (m *Matrix) Set(mutant, test int, c Cell) error {
	if mutant < 0 || mutant >= len(m.rows) || test < 0 || test >= len(m.tests) {
		return fmt.Errorf("kill matrix: cell (%d, %d) of %d mutants x %d tests", mutant, test, len(m.rows), len(m.tests))
	}
	if c.Verdict == matrix.Unknown && c.Cause == matrix.NoCause {
		c.Cause = matrix.NotRun
	}
	if err := c.check(); err != nil {
		return fmt.Errorf("kill matrix: mutant %s, test %s: %w", m.mutants[mutant], m.tests[test], err)
	}
	r := m.own(mutant)
	put(r.killed, test, c.Verdict == matrix.Killed)
	put(r.unknown, test, c.Verdict == matrix.Unknown)
	if c.Cause != matrix.NotRun {
		put(r.reached, test, c.Cause != matrix.NotReached)
		put(r.infected, test, c.Cause != matrix.NotReached && c.Cause != matrix.NotInfected)
	}
	r.setDetail(test, c)
	return nil
}

// SetReached notes that the test of an unknown cell reaches the mutant; of the
// others it is known already.
func (m *Matrix) SetReached(mutant, test int) {
	if r := &m.rows[mutant]; r.unknown.Get(test) {
		r.reached.Set(test)
		r.infected.Set(test)
	}
}

// SetNotReached fills a cell of a test that does not reach the mutant and
// therefore cannot kill it.
func (m *Matrix) SetNotReached(mutant, test int) error {
	return m.Set(mutant, test, Cell{Verdict: matrix.Survived, Cause: matrix.NotReached})
}

// check refuses cells that contradict themselves.
func (c Cell) check() error {
	known := c.Verdict != matrix.Unknown
	switch {
	case c.Verdict > matrix.Killed:
		return fmt.Errorf("no such verdict: %v", c.Verdict)
	case c.Verdict == matrix.Killed && c.Cause == matrix.NoCause:
		return fmt.Errorf("killed needs a cause")
	case c.Verdict != matrix.Survived && c.Cause == matrix.NotInfected:
		return fmt.Errorf("a mutant that is not infected survives, it is not %v", c.Verdict)
	case c.Verdict != matrix.Survived && c.Cause == matrix.NotReached:
		return fmt.Errorf("a mutant that is not reached survives, it is not %v", c.Verdict)
	case known && (c.Cause == matrix.NotRun || c.Cause == matrix.Flaky || c.Cause == matrix.Failed):
		return fmt.Errorf("cause %v leaves the verdict unknown, not %v", c.Cause, c.Verdict)
	case c.Work < 0 || c.Micros < 0:
		return fmt.Errorf("negative work %d or time %d", c.Work, c.Micros)
	}
	return nil
}

func put(b matrix.Bits, i int, member bool) {
	if member {
		b.Set(i)
	} else {
		b.Clear(i)
	}
}

func (r *row) setDetail(test int, c Cell) {
	d := detail{work: c.Work, test: int32(test), micros: uint32(min(c.Micros, MaxMicros)), cause: c.Cause}
	at, found := r.findDetail(test)
	needed := d.work != 0 || d.micros != 0 || d.cause != r.plainCause(test)
	switch {
	case found && needed:
		r.details[at] = d
	case found:
		r.details = slices.Delete(r.details, at, at+1)
	case needed:
		r.details = slices.Insert(r.details, at, d)
	}
}

func (r *row) findDetail(test int) (int, bool) {
	return slices.BinarySearchFunc(r.details, int32(test), func(d detail, t int32) int { return int(d.test - t) })
}

// plainCause is the cause of a cell without details.
func (r *row) plainCause(test int) matrix.Cause {
	switch {
	case r.killed.Get(test):
		return matrix.Output
	case r.unknown.Get(test):
		return matrix.NotRun
	case r.infected.Get(test):
		return matrix.NoCause
	case r.reached.Get(test):
		return matrix.NotInfected
	}
	return matrix.NotReached
}

// Cell returns a cell.
func (m *Matrix) Cell(mutant, test int) Cell {
	r := &m.rows[mutant]
	c := Cell{Verdict: r.verdict(test), Cause: r.plainCause(test)}
	if at, ok := r.findDetail(test); ok {
		d := r.details[at]
		c.Cause, c.Work, c.Micros = d.cause, d.work, int64(d.micros)
	}
	return c
}

func (r *row) verdict(test int) matrix.Verdict {
	switch {
	case r.killed.Get(test):
		return matrix.Killed
	case r.unknown.Get(test):
		return matrix.Unknown
	}
	return matrix.Survived
}

// Killed returns the tests that kill the mutant. Like its siblings it returns
// the matrix's own set: clone it before changing it.
func (m *Matrix) Killed(mutant int) matrix.Bits { return m.rows[mutant].killed }

// Unknown returns the tests of which it is not known whether they kill the
// mutant.
func (m *Matrix) Unknown(mutant int) matrix.Bits { return m.rows[mutant].unknown }

// Reached returns the tests known to reach the mutant.
func (m *Matrix) Reached(mutant int) matrix.Bits { return m.rows[mutant].reached }

// Infected returns the tests that reach the mutant, without those known to leave
// what it computes as the original has it. Where no probing run was made it is
// Reached.
func (m *Matrix) Infected(mutant int) matrix.Bits { return m.rows[mutant].infected }

// Verdict is what all tests together say: Killed when one kills it, else
// Unknown when one cell is, else Survived. Without tests it is Unknown.
func (m *Matrix) Verdict(mutant int) matrix.Verdict {
	r := &m.rows[mutant]
	switch {
	case !r.killed.Empty():
		return matrix.Killed
	case !r.unknown.Empty() || len(m.tests) == 0:
		return matrix.Unknown
	}
	return matrix.Survived
}

// Missed are the mutants that tests reach and none kills.
func (m *Matrix) Missed() map[string]bool {
	out := map[string]bool{}
	for i, id := range m.mutants {
		if m.Verdict(i) == matrix.Survived && !m.Reached(i).Empty() {
			out[id] = true
		}
	}
	return out
}

// Score is the share of killed mutants among those whose verdict is known, and
// the share of mutants whose verdict is not. Both are NaN when they have no
// mutant to speak of.
func (m *Matrix) Score() (score, unknown float64) {
	killed, open := 0, 0
	for i := range m.rows {
		switch m.Verdict(i) {
		case matrix.Killed:
			killed++
		case matrix.Unknown:
			open++
		}
	}
	return share(killed, len(m.rows)-open), share(open, len(m.rows))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// OnTests returns what the named tests say: the same mutants, and those of the
// tests that keep accepts, in their order.
func (m *Matrix) OnTests(keep func(test string) bool) *Matrix {
	var names []string
	var from []int
	to := map[int32]int32{}
	for t, name := range m.tests {
		if keep(name) {
			to[int32(t)] = int32(len(names))
			names, from = append(names, name), append(from, t)
		}
	}
	out := empty(m.mutants, names)
	for i := range m.rows {
		in := &m.rows[i]
		if in.shared {
			continue
		}
		row := out.own(i)
		for at, t := range from {
			put(row.killed, at, in.killed.Get(t))
			put(row.unknown, at, in.unknown.Get(t))
			put(row.reached, at, in.reached.Get(t))
			put(row.infected, at, in.infected.Get(t))
		}
		for _, d := range in.details {
			if at, kept := to[d.test]; kept {
				d.test = at
				row.details = append(row.details, d)
			}
		}
	}
	return out
}
