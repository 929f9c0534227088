package features

import (
	"context"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/internal/parallel"
)

// tried is what a trial showed of a mutant.
type tried struct {
	row    []float64
	ran    bool   // it could be run
	inputs int    // how many were tried
	shown  uint32 // those that show the mutant, a bit each
	first  uint64 // a hash of the first difference on each
}

// rootTrials are the trials of all mutants from where the program is entered.
var rootTrials = &sweep[*rootTrial]{
	name: "program on drawn inputs",
	plan: func(p *program) (tasks []func(), join func() *rootTrial) {
		all := &rootTrial{trials: make([]*tried, len(p.mutants)), entryOf: make([]*entry, len(p.mutants))}
		return []func(){func() { all.run(p) }}, func() *rootTrial { return all }
	},
}

// rootTrial is what was tried, by mutant. Mutants that are tried from the same function
// are compared with each other, and with no others: their inputs are the same.
type rootTrial struct {
	trials  []*tried // nil where the mutant could not be tried
	entryOf []*entry
}

func (a *rootTrial) run(p *program) {
	_, _ = parallel.Map(context.Background(), p.inputs.workers, p.entriesOf(), func(_ context.Context, _ int, e *entry) (struct{}, error) {
		e.try(p, a)
		return struct{}{}, nil
	})
}

// try fills in the trials of the mutants of an entry's functions.
func (e *entry) try(p *program, all *rootTrial) {
	by, root := &trier{limit: programLimit, toTheEnd: runsToTheEnd(e.code), inputs: e.inputs}, concrete.Root(e.code, &p.lowered)
	if e.alone {
		by.limit = mostWithoutEnd
	}
	var mutants []int
	for _, f := range e.functions {
		mutants = append(mutants, f.mutants...)
	}
	slices.Sort(mutants)
	e.number = mutants[0]
	for some := range slices.Chunk(mutants, mostTogether) {
		var attempts []*attempt
		for _, i := range some {
			s := p.siteOf[i]
			all.entryOf[i] = e
			attempts = append(attempts, newAttempt(s, i, root.Callee(s.fn.code.Func)))
		}
		by.try(root, attempts)
		for _, a := range attempts {
			if a.own != nil {
				all.trials[a.index] = a.tried(len(by.inputs))
			}
		}
	}
	e.matrix = newTrialMatrix(p, mutants, all.trials, by.ended())
}

// mainOf is main; nil where there is none.
func mainOf(m *llir.Module) *llir.Func {
	for _, f := range m.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			return f
		}
	}
	return nil
}

// fillFromRoot fills the columns of a trial from where the program is entered.
func fillFromRoot(m *mutation, row []float64) {
	missing(row)
	if t := rootTrials.of(m.owner()).trials[m.index]; t != nil {
		copy(row, t.row)
	}
}

func (a *attempt) tried(inputs int) *tried {
	t := &tried{row: a.row, ran: a.own != nil, inputs: inputs}
	for k, v := range a.verdicts {
		if v.shown {
			t.shown |= 1 << k
			t.first = hashOfWords(t.first, uint64(k), uint64(v.first), v.what, flags(v.trap, v.end))
		}
	}
	return t
}

func flags(a, b bool) (x uint64) {
	if a {
		x = 1
	}
	if b {
		x |= 2
	}
	return x
}

// hashOfWords is FNV-1a by words.
func hashOfWords(h uint64, words ...uint64) uint64 {
	for _, x := range words {
		h = (h ^ x) * 0x100000001b3
		h ^= h >> 29
	}
	return h
}
