package features

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

// tried is what a trial showed of a mutant.
type tried struct {
	row    []float64
	ran    bool   // it could be run
	inputs int    // how many were tried
	shown  uint32 // those that show the mutant, a bit each
	first  uint64 // a hash of the first difference on each
}

// mainTrials are the trials of all mutants from the beginning of the program.
var mainTrials = &sweep[*trialMatrix]{
	name: "program on drawn inputs",
	plan: func(p *program) (tasks []func(), join func() *trialMatrix) {
		if p.main == nil {
			return nil, func() *trialMatrix { return &trialMatrix{} }
		}
		trials, ended := make([]*tried, len(p.mutants)), 0.
		run := func() { ended = tryFromMain(p, trials) }
		return []func(){run}, func() *trialMatrix { return newTrialMatrix(p, trials, ended) }
	},
}

// tryFromMain fills in the trials of a program's mutants, and returns the share of inputs
// on which the original comes to its end.
func tryFromMain(p *program, trials []*tried) (ended float64) {
	by, root := &trier{limit: programLimit, toTheEnd: true}, concrete.Of(p.main, &p.lowered)
	for from := 0; from < len(trials); from += mostTogether {
		var attempts []*attempt
		for i := from; i < min(from+mostTogether, len(trials)); i++ {
			s := p.siteOf[i]
			if own := root.Callee(s.fn.code.Func); own != nil {
				attempts = append(attempts, newAttempt(s, i, own))
			}
		}
		by.try(root, attempts)
		for _, a := range attempts {
			if a.own != nil {
				trials[a.index] = a.tried(len(by.inputs))
			}
		}
	}
	return by.ended()
}

// mainOf is the function that a program begins with; nil where there is none.
func mainOf(m *llir.Module) *llir.Func {
	for _, f := range m.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			return f
		}
	}
	return nil
}

// fillFromMain fills the columns of a trial from main.
func fillFromMain(m *mutation, row []float64) {
	missing(row)
	if t := mainTrials.of(m.owner()).of(m.index); t != nil {
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
