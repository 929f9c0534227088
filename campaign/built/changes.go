package built

import (
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// A source that is compiled with several sets of flags has mutants of each code (variant), as a header's
// code has in each file that includes it, and who changes the source changes all of them: one change of the text is one mutant to a user, and a test
// kills it whose program holds any of the codes in which it does. They are run one by one, for that is
// how they are built, and then recorded as one.

// changes are the mutants that are one change of a source, by the first of them, whose name it has.
type changes struct {
	first   map[string]string // by id, of all mutants
	members map[string][]string
}

// changes finds them among mutants that are told by their place in the source and by what they
// make of it. With Options.Apart each is by itself.
func (r *recording) changes(p *program.Program) *changes {
	out := &changes{map[string]string{}, map[string][]string{}}
	known := map[[2]string]string{}
	for _, u := range p.Units {
		for i := range u.Mutants {
			id := u.Mutants[i].ID
			base, _, _ := strings.Cut(id, "-") // behind which units are numbered
			if r.opts.Apart {
				base = id
			}
			of := [2]string{fileOf(u, &u.Mutants[i]), base}
			first, again := known[of]
			if !again {
				first = id
				known[of] = id
			}
			out.first[id] = first
			out.members[first] = append(out.members[first], id)
		}
	}
	return out
}

// fileOf is the path of the file that a mutant changes, a header where it is in one.
func fileOf(u *program.Unit, m *mutant.Mutant) string {
	if filepath.IsAbs(m.File) {
		return filepath.Clean(m.File)
	}
	return filepath.Join(u.Input.Directory, m.File)
}

// only is a table without the rows of mutants that are others' change, too.
func (c *changes) only(t *table.Table) (*table.Table, error) {
	if t == nil {
		return nil, nil
	}
	ids, err := t.Strings("id")
	if err != nil {
		return nil, err
	}
	var rows []int
	for row, id := range ids {
		if first, made := c.first[id]; !made || first == id {
			rows = append(rows, row)
		}
	}
	if len(rows) == len(ids) {
		return t, nil
	}
	return t.Pick(rows)
}

// kills are verdicts on changes: a test that kills one of a change's mutants kills it.
func (c *changes) kills(all *kill.Matrix) (*kill.Matrix, error) {
	var names []string
	rows := map[string][]int{}
	for row, id := range all.Mutants() {
		first := c.first[id]
		if rows[first] == nil {
			names = append(names, first)
		}
		rows[first] = append(rows[first], row)
	}
	if len(names) == len(all.Mutants()) {
		return all, nil
	}
	out, err := kill.New(names, all.Tests())
	if err != nil {
		return nil, err
	}
	for m, name := range out.Mutants() {
		for t := range all.Tests() {
			if err := join(out, m, t, all, rows[name]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// join fills a cell with the most that a test tells of some mutants.
func join(to *kill.Matrix, m, t int, from *kill.Matrix, rows []int) error {
	best, most := -1, -1
	for _, row := range rows {
		cell, reached := from.Cell(row, t), from.Reached(row).Get(t)
		told := 0
		switch {
		case cell.Verdict == matrix.Killed:
			told = 4
		case cell.Verdict == matrix.Unknown:
			told = 3
		case reached && from.Infected(row).Get(t):
			told = 2
		case reached:
			told = 1
		}
		if told > most {
			best, most = row, told
		}
	}
	switch cell := from.Cell(best, t); {
	case most == 0:
		return to.SetNotReached(m, t)
	case most == 3 && !from.Reached(best).Get(t):
		return nil // as it is: not run
	case most == 3:
		to.SetReached(m, t)
		return nil
	default:
		return to.Set(m, t, cell)
	}
}

// proofs are what is known of changes, under their names: no test can kill one of which none can kill any
// mutant.
func (c *changes) proofs(all []dataset.Proof) []dataset.Proof {
	count := map[string]int{}
	for _, p := range all {
		if p.Verdict == dataset.Equivalent {
			count[c.first[p.ID]]++
		}
	}
	var out []dataset.Proof
	said := map[[2]string]bool{}
	for _, p := range all {
		first := c.first[p.ID]
		if about := [2]string{first, p.Verdict}; said[about] || p.Verdict == dataset.Equivalent && count[first] < len(c.members[first]) {
			continue
		} else {
			said[about] = true
		}
		p.ID = first
		out = append(out, p)
	}
	return out
}

// deciding follows what is decided of the mutants of each change, one after the other.
type deciding struct {
	*changes
	left   map[string]int
	killed map[string]bool
}

func newDeciding(c *changes, chosen []mutant.Mutant) *deciding {
	out := &deciding{c, map[string]int{}, map[string]bool{}}
	for i := range chosen {
		out.left[c.first[chosen[i].ID]]++
	}
	return out
}

// survives notes a decision, and reports that with it a change is known to survive.
func (d *deciding) survives(id string, v execute.Verdict) bool {
	first := d.first[id]
	d.left[first]--
	d.killed[first] = d.killed[first] || v != execute.Survived
	return d.left[first] == 0 && !d.killed[first]
}
