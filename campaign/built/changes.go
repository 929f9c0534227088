package built

import (
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// A source that is compiled with several sets of flags has mutants of each code (variant), as the code
// of a file has each time that it is included, and who changes the source changes all of them:
// one change of the text is one mutant to a user, and a test kills it whose program holds any of the
// codes in which it does. They are run one by one, for that is how they are built, and then recorded
// as one.

// changes are the mutants that are one change of a source, by the first of them, whose name it has.
type changes struct {
	first map[string]string // by id, of all mutants, also those left out as equal to others
	// members are, by the first, the mutants that show what a change does: in a code in which it is left out as
	// a duplicate, the mutant that it equals.
	members map[string][]string
}

// changes finds them among mutants that are told by their place in the source and by what they
// make of it. With Options.Apart each is by itself, but for copies in test programs.
func (r *recording) changes(p *program.Program) *changes {
	out := &changes{map[string]string{}, map[string][]string{}}
	type change struct {
		file string
		line int
		id   string
	}
	known := map[change]string{}
	key := func(m *mutant.Mutant, u *program.Unit) change {
		id := m.ID
		switch at := strings.LastIndex(id, "-"); {
		case !r.opts.Apart:
			id, _, _ = strings.Cut(id, "-") // behind which copies and units are numbered
		case u.Copies() && at >= 0 && id[at+1] != 'x':
			id = id[:at] // the unit's number
		}
		return change{r.short(m.File), m.Line, id}
	}
	for _, u := range p.Units {
		for i := range u.Mutants {
			id, of := u.Mutants[i].ID, key(&u.Mutants[i], u)
			first, again := known[of]
			if !again {
				first = id
				known[of] = id
			}
			out.first[id] = first
			out.members[first] = append(out.members[first], id)
		}
	}
	for i := range p.Removed {
		removed := &p.Removed[i]
		first, made := known[key(&removed.Mutant, removed.Unit)]
		if !made {
			continue
		}
		out.first[removed.Mutant.ID] = first
		if removed.Kind == equiv.Duplicate {
			out.members[first] = append(out.members[first], removed.Of)
		}
	}
	return out
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
	row, seen := map[string]int{}, map[string]bool{}
	for k, id := range all.Mutants() {
		row[id] = k
		if first := c.first[id]; !seen[first] {
			seen[first] = true
			names = append(names, first)
		}
	}
	if !slices.ContainsFunc(names, func(first string) bool { return len(c.members[first]) > 1 }) {
		return all, nil
	}
	out, err := kill.New(names, all.Tests())
	if err != nil {
		return nil, err
	}
	for m, name := range out.Mutants() {
		var rows []int
		for _, id := range c.members[name] {
			if k, ran := row[id]; ran {
				rows = append(rows, k)
			}
		}
		for t := range all.Tests() {
			if err := joinCells(out, m, t, all, rows); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// joinCells fills a cell with the most that a test tells of some mutants.
func joinCells(to *kill.Matrix, m, t int, from *kill.Matrix, rows []int) error {
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
	proved := map[string]bool{}
	for _, p := range all {
		if p.Verdict == dataset.Equivalent {
			proved[p.ID] = true
		}
	}
	open := func(id string) bool { return !proved[id] }
	var out []dataset.Proof
	said := map[[2]string]bool{}
	for _, p := range all {
		first := c.first[p.ID]
		if about := [2]string{first, p.Verdict}; said[about] || p.Verdict == dataset.Equivalent && slices.ContainsFunc(c.members[first], open) {
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
	of     map[string][]string // changes, by mutant
	left   map[string]int
	killed map[string]bool
}

func newDeciding(c *changes, chosen []mutant.Mutant) *deciding {
	out := &deciding{c, map[string][]string{}, map[string]int{}, map[string]bool{}}
	run := map[string]bool{}
	for i := range chosen {
		run[chosen[i].ID] = true
	}
	for first, members := range c.members {
		for _, id := range members {
			if run[id] {
				out.of[id] = append(out.of[id], first)
				out.left[first]++
			}
		}
	}
	return out
}

// survives notes a decision, and reports that with it the change that a mutant is of is known to survive.
func (d *deciding) survives(id string, v execute.Verdict) bool {
	for _, first := range d.of[id] {
		d.left[first]--
		d.killed[first] = d.killed[first] || v != execute.Survived
	}
	first := d.first[id]
	return d.left[first] == 0 && !d.killed[first]
}
