package features

import (
	"math"
	"math/bits"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/mutant"
)

var outcomes = Family{
	Name: "outcomes",
	Doc: "What the trials of the program's mutants (programtrials) say of one among the others: drawn inputs stand for tests, and what they show for kills. " +
		"One mutant subsumes another here if all inputs that show it show the other, too, and there are some (Kurtz et al., \"Mutant Subsumption Graphs\", 2014). " +
		"Missing where there is no trial; the columns on what shows the mutant where nothing does.",
	Columns: []Column{
		{Name: "outcome_rank", Unit: "share", Source: "own", Layout: true, Doc: "share of the module's tried mutants that fewer inputs show"},
		{Name: "outcome_same_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the tried mutants that the same inputs show"},
		{Name: "outcome_twins", Unit: "log2", Source: "own", Layout: true, Doc: "log2(1 + other tried mutants that show the same first difference on each input)"},
		{Name: "outcome_subsumes_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the shown mutants that are shown by all inputs that show this one, and by more"},
		{Name: "outcome_subsumed_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the shown mutants that are shown by some of the inputs that show this one, and by no others"},
		{Name: "outcome_rarest", Unit: "share", Source: "own", Layout: true, Doc: "share of the shown mutants that an input shows, the least of the inputs that show this one"},
		{Name: "outcome_common", Unit: "share", Source: "own", Layout: true, Doc: "the same, on average"},
		{Name: "outcome_statement_share", Unit: "share", Source: "own", Layout: true, Doc: "share of inputs that show a mutant of the same statement, on average"},
		{Name: "outcome_function_share", Unit: "share", Source: "own", Layout: true, Doc: "the same of its function"},
		{Name: "outcome_program_share", Unit: "share", Source: "own", Layout: true, Doc: "the same of all that were tried"},
		{Name: "outcome_ended_share", Unit: "share", Source: "own", Layout: true, Doc: "share of inputs on which the original comes to its end in time"},
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		missing(row)
		if t := s.p.trialOf(m); t != nil {
			s.p.tried.fill(s, t, row)
		}
	},
}

// programTrial is what a trial from main showed of a mutant.
type programTrial struct {
	row   []float64
	shown uint32 // the inputs, a bit each
	first uint64 // a hash of the first difference on each
}

// triedProgram holds the trials of a module's mutants.
type triedProgram struct {
	of        map[*mutant.Mutant]*programTrial
	shown     int            // mutants that some input shows
	twins     map[uint64]int // mutants by first
	sets      map[uint32]*shownSet
	counts    [inputsTried + 1]int // mutants by how many inputs show them
	inputs    [inputsTried]int     // mutants by input that shows them
	statement map[*statementGroup]mean
	function  map[*function]mean
	program   mean
	ended     float64
}

// shownSet is a set of inputs that shows mutants, and how many are shown by more and by
// less.
type shownSet struct{ mutants, subsumes, subsumed int }

type mean struct {
	sum float64
	n   int
}

func (m mean) and(x float64) mean { return mean{m.sum + x, m.n + 1} }
func (m mean) value() float64     { return m.sum / float64(m.n) }

// fromMain fills the columns of a trial of the program.
func (p *program) fromMain(m *mutant.Mutant, row []float64) {
	missing(row)
	if t := p.trialOf(m); t != nil {
		copy(row, t.row)
	}
}

// trialOf is the trial of a mutant from main, all of which are run when the first is asked
// for; nil when it could not be tried.
func (p *program) trialOf(m *mutant.Mutant) *programTrial {
	if p.tried == nil {
		p.tried = &triedProgram{of: map[*mutant.Mutant]*programTrial{}, twins: map[uint64]int{}, sets: map[uint32]*shownSet{},
			statement: map[*statementGroup]mean{}, function: map[*function]mean{}}
		if root := p.mainCode(); root != nil {
			for from := 0; from < len(p.mutants); from += mostTogether {
				p.tryFromMain(root, from, min(from+mostTogether, len(p.mutants)))
			}
			p.tried.relate()
		}
	}
	return p.tried.of[m]
}

func (p *program) tryFromMain(root *concrete.Code, from, to int) {
	var attempts []*attempt
	for i := from; i < to; i++ {
		if own := root.Callee(p.siteOf[i].fn.code.Func); own != nil {
			attempts = append(attempts, &attempt{site: p.siteOf[i], mutant: &p.mutants[i], own: own, row: make([]float64, trialWidth)})
		}
	}
	p.programTrier.try(root, attempts)
	for _, a := range attempts {
		if a.own != nil {
			p.tried.add(a, &p.programTrier)
		}
	}
}

func (a *triedProgram) add(of *attempt, by *trier) {
	s, t := of.site, &programTrial{row: of.row}
	for k, v := range of.verdicts {
		if !v.shown {
			continue
		}
		t.shown |= 1 << k
		a.inputs[k]++
		t.first = hashOfWords(t.first, uint64(k), uint64(v.first), v.what, flags(v.trap, v.end))
	}
	n := bits.OnesCount32(t.shown)
	a.of[of.mutant] = t
	if a.counts[n]++; n > 0 {
		a.shown++
		a.twins[t.first]++
	}
	if a.sets[t.shown] == nil {
		a.sets[t.shown] = &shownSet{}
	}
	a.sets[t.shown].mutants++
	x := share(n, len(by.inputs))
	a.statement[s.statement] = a.statement[s.statement].and(x)
	a.function[s.fn] = a.function[s.fn].and(x)
	a.program = a.program.and(x)
	if a.program.n == 1 {
		ended := 0
		for k := range by.inputs {
			if by.originals[k].Returned {
				ended++
			}
		}
		a.ended = share(ended, len(by.inputs))
	}
}

// mostSets bounds the sets that are compared with each other.
const mostSets = 2048

// relate counts for each set how many mutants are shown by more and by less inputs.
func (a *triedProgram) relate() {
	if len(a.sets) > mostSets {
		return
	}
	for x, of := range a.sets {
		for y, other := range a.sets {
			if x != y && x != 0 && x&y == x {
				of.subsumes += other.mutants
				other.subsumed += of.mutants
			}
		}
	}
}

func (a *triedProgram) fill(s *site, t *programTrial, row []float64) {
	n := bits.OnesCount32(t.shown)
	fewer := 0
	for _, mutants := range a.counts[:n] {
		fewer += mutants
	}
	set := a.sets[t.shown]
	row[0], row[1] = share(fewer, a.program.n), share(set.mutants, a.program.n)
	if n > 0 {
		row[2] = math.Log2(float64(a.twins[t.first]))
		if len(a.sets) <= mostSets {
			row[3], row[4] = share(set.subsumes, a.shown), share(set.subsumed, a.shown)
		}
		var by []float64
		for k := range inputsTried {
			if t.shown>>k&1 == 1 {
				by = append(by, share(a.inputs[k], a.shown))
			}
		}
		row[5] = slices.Min(by)
		sum := 0.0
		for _, x := range by {
			sum += x
		}
		row[6] = sum / float64(len(by))
	}
	row[7], row[8], row[9] = a.statement[s.statement].value(), a.function[s.fn].value(), a.program.value()
	row[10] = a.ended
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
