package features

import (
	"math"
	"math/bits"
	"slices"
)

// killMatrix is printed as "outcomes": released models and studies name it so.
var killMatrix = Family{
	Name: "outcomes",
	Doc: "What the trials of the program's mutants (programtrials) say of one among the others that are tried from the same function: drawn inputs stand for tests, and what they show for kills. " +
		"One mutant subsumes another here if all inputs that show it show the other, too, and there are some (Kurtz et al., \"Mutant Subsumption Graphs\", 2014). " +
		"Missing where there is no trial; the columns on what shows the mutant where nothing does. " +
		"The order of functions changes outcome_program_share in its last digits: it is a mean, summed in that order.",
	Columns: []Column{
		{Name: "outcome_rank", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the module's tried mutants that fewer inputs show"},
		{Name: "outcome_same_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the tried mutants that the same inputs show"},
		{Name: "outcome_twins", Unit: "log2", Source: "own", Beyond: Calls, Doc: "log2(1 + other tried mutants that show the same first difference on each input)"},
		{Name: "outcome_subsumes_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the shown mutants that are shown by all inputs that show this one, and by more"},
		{Name: "outcome_subsumed_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the shown mutants that are shown by some of the inputs that show this one, and by no others"},
		{Name: "outcome_rarest", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the shown mutants that an input shows, the least of the inputs that show this one"},
		{Name: "outcome_common", Unit: "share", Source: "own", Beyond: Calls, Doc: "the same, on average"},
		{Name: "outcome_statement_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of inputs that show a mutant of the same statement, on average"},
		{Name: "outcome_function_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "the same of its function"},
		{Name: "outcome_program_share", Unit: "share", Source: "own", Beyond: Calls | Order, Doc: "the same of all that were tried"},
		{Name: "outcome_ended_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of inputs on which the original comes to its end in time"},
	},
	Requires: []Requirement{rootTrials},
	PerProgram: func(m *mutation, row []float64) {
		missing(row)
		all := rootTrials.of(m.owner())
		if t := all.trials[m.index]; t != nil {
			all.entryOf[m.index].matrix.fill(m.site, t, row)
		}
	},
}

// trialMatrix is what the trials of mutants on the same inputs showed, by mutant and input.
type trialMatrix struct {
	shown     int            // mutants that some input shows
	alike     map[uint64]int // mutants by tried.first
	sets      map[uint32]*shownSet
	counts    [inputsTried + 1]int     // mutants by how many inputs show them
	inputs    [inputsTried]int         // mutants by input that shows them
	statement map[*statementGroup]mean // of the shares of inputs that show the mutants
	function  map[*function]mean
	program   mean
	ended     float64
}

func newTrialMatrix(p *program, mutants []int, trials []*tried, ended float64) *trialMatrix {
	a := &trialMatrix{ended: ended, alike: map[uint64]int{}, sets: map[uint32]*shownSet{},
		statement: map[*statementGroup]mean{}, function: map[*function]mean{}}
	for _, i := range mutants {
		if t := trials[i]; t != nil {
			a.add(p.siteOf[i], t)
		}
	}
	a.relate()
	return a
}

func (a *trialMatrix) add(s *site, t *tried) {
	n := bits.OnesCount32(t.shown)
	for k := range inputsTried {
		a.inputs[k] += int(t.shown >> k & 1)
	}
	if a.counts[n]++; n > 0 {
		a.shown++
		a.alike[t.first]++
	}
	if a.sets[t.shown] == nil {
		a.sets[t.shown] = &shownSet{}
	}
	a.sets[t.shown].mutants++
	x := share(n, t.inputs)
	a.statement[s.statement] = a.statement[s.statement].and(x)
	a.function[s.fn] = a.function[s.fn].and(x)
	a.program = a.program.and(x)
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

// mostSets bounds the sets that are compared with each other.
const mostSets = 2048

// relate counts for each set how many mutants are shown by more and by less inputs.
func (a *trialMatrix) relate() {
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

func (a *trialMatrix) fill(s *site, t *tried, row []float64) {
	n := bits.OnesCount32(t.shown)
	fewer := 0
	for _, mutants := range a.counts[:n] {
		fewer += mutants
	}
	set := a.sets[t.shown]
	row[0], row[1] = share(fewer, a.program.n), share(set.mutants, a.program.n)
	if n > 0 {
		row[2] = math.Log2(float64(a.alike[t.first]))
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
