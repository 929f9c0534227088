package built

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// inTurns orders mutants so that each line has one before any has a second: a run that
// is cut short has then seen the whole program.
func inTurns(mutants []mutant.Mutant) []mutant.Mutant {
	type line struct {
		file string
		line int
	}
	order := slices.Clone(mutants)
	slices.SortFunc(order, func(a, b mutant.Mutant) int { return cmp.Compare(a.ID, b.ID) })
	turn := map[string]int{}
	count := map[line]int{}
	for i := range order {
		at := line{order[i].File, order[i].Line}
		turn[order[i].ID] = count[at]
		count[at]++
	}
	slices.SortStableFunc(order, func(a, b mutant.Mutant) int { return cmp.Compare(turn[a.ID], turn[b.ID]) })
	return order
}

// subject is the record of a run.
func (r *recording) subject(ctx context.Context, p *program.Program, suite *suite, found *found) (*dataset.Subject, error) {
	all, err := r.kills(suite, found)
	if err != nil {
		return nil, err
	}
	made := r.changes(p)
	kills, err := made.kills(all)
	if err != nil {
		return nil, err
	}
	if n, changes := len(all.Mutants()), len(kills.Mutants()); changes < n {
		r.say("the %d mutants are %d changes of sources, some of which are compiled more than once", n, changes)
	}
	r.count(kills)
	missed := kills.Missed()
	diffs, err := p.Diffs(r.build.Path("source"), func(id string) bool { return missed[id] })
	if err != nil {
		return nil, err
	}
	mutants, err := program.MutantTable(p.Mutants(), r.build.Path("source"), diffs)
	if err != nil {
		return nil, err
	}
	reading, err := p.Reading(r.build.Path("source"))
	if err != nil {
		return nil, err
	}
	out := &dataset.Subject{Mutants: mutants, Features: r.features, Kills: kills, Branches: r.sides, Criteria: r.criteria, Sources: reading.Sources, Edits: reading.Edits, Removed: reading.Removed}
	for _, t := range []**table.Table{&out.Mutants, &out.Features, &out.Edits, &out.Removed} {
		if *t, err = made.only(*t); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	done := r.during("looking closer at the survivors")
	defer done()
	if out.Proofs, err = r.opts.Prove.Prove(ctx, r.builder.Tools, p, r.opts.Mutation, all, nil); err != nil {
		return nil, err
	}
	if kills != all {
		if out.Proofs, err = dataset.ProofTable(made.proofs(out.ProofRows())); err != nil {
			return nil, err
		}
	}
	r.summary.Prove(len(out.Proved()))
	r.summary.Warnings = p.Warnings
	r.stage("prove", start)
	s := &r.summary
	m := dataset.Manifest{Tool: r.opts.Tool, Program: s.Program, Seed: r.opts.Seed, Stages: r.stages, Inputs: map[string]string{},
		Options: map[string]string{"build": r.build.System.Kind},
		Counts: map[string]int64{
			"mutants": int64(s.Mutants), "tests": int64(s.Tests), "killed": int64(s.Killed), "runs": int64(s.Runs), "set_aside": int64(len(s.SetAside)),
			"not_run": int64(s.NotRun), "unprobed": int64(s.Unprobed), "uninfected": int64(s.Uninfected), "generated": int64(p.Generated),
		}}
	for _, kind := range equiv.LeftOut() {
		m.Counts[kind.String()] = int64(p.Count(kind))
	}
	out.Manifest = m
	return out, nil
}

// kills is the result in the order of the mutants' selectors.
func (r *recording) kills(suite *suite, found *found) (*kill.Matrix, error) {
	var columns []int
	var names []string
	for at, c := range found.columns {
		switch aside := found.base.Tests[c.Test].SetAside; {
		case aside == "" && c.SetAside == "":
			columns, names = append(columns, at), append(names, c.Name)
		case aside == "": // a case that does not print the same each time: the others say what its test does
		case suite.failing[c.Test] == nil && at == c.Test:
			r.summary.SetAside = append(r.summary.SetAside, c.Name+": "+aside)
		}
	}
	order := make([]int, len(found.mutants))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(found.mutants[a].Selector, found.mutants[b].Selector) })
	ids := make([]string, len(order))
	for i, k := range order {
		ids[i] = found.mutants[k].ID
	}
	m, err := kill.New(ids, names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.summary.Program, err)
	}
	for i, k := range order {
		for at, column := range columns {
			if err := setCell(m, i, at, k, column, found); err != nil {
				return nil, err
			}
		}
		for t := range suite.tests {
			if found.result.Reached[k].Has(t) && !found.result.Infected[k].Has(t) {
				r.summary.Uninfected++
			}
		}
	}
	r.summary.Tests, r.summary.Runs = len(columns), r.kept.runs
	return m, nil
}

// count adds mutants to the summary.
func (r *recording) count(m *kill.Matrix) {
	r.summary.Mutants = len(m.Mutants())
	for i := range m.Mutants() {
		switch m.Verdict(i) {
		case matrix.Killed:
			r.summary.Killed++
		case matrix.Survived:
			r.summary.Survived++
		default:
			r.summary.Unknown++
			r.summary.NotRun++
		}
		for t := range m.Tests() {
			if c := m.Cell(i, t); c.Verdict == matrix.Killed {
				r.summary.Causes[c.Cause.String()]++
			}
		}
	}
}

// setCell fills the cell (i, at) of the matrix with what was found of mutant k in a column of the result.
func setCell(m *kill.Matrix, i, at, k, column int, found *found) error {
	result := found.result
	if !result.Reached[k].Has(column) {
		return m.SetNotReached(i, at)
	}
	switch c, ok := result.Cell(k, column); {
	case ok && c.Verdict == execute.Killed:
		return m.Set(i, at, kill.Cell{Verdict: matrix.Killed, Cause: verdict.Cause(c, found.base.Tests[found.columns[column].Test], execute.ExitStatus), Work: max(c.Work, 0)})
	case ok:
		m.SetReached(i, at)
		return nil
	case !result.Infected[k].Has(column):
		return m.Set(i, at, kill.Cell{Verdict: matrix.Survived, Cause: matrix.NotInfected})
	}
	return m.Set(i, at, kill.Cell{Verdict: matrix.Survived})
}
