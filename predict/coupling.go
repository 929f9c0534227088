package predict

import (
	"math"
	"math/bits"
)

// Coupling orders sets: what counts is what the mutants before have not covered already.
var Coupling = DefaultCoupling.Strategy("coupling",
	"Each next mutant is the one of which a test is expected to kill most mutants that those before are not expected to have killed; which mutants fall together is estimated from the drawn inputs that show them, and from their places.")

// Default is the order where none is asked for. On problems that the models had not seen it is
// on Codeflaws not seen to differ from random order without tests, and better with half of a
// suite (docs/results/first-twenty.md).
var Default = Coupling

// DefaultCoupling is the rule that programs with recorded kills speak for.
var DefaultCoupling = CouplingRule{Prior: 2, Hidden: 3, Apart: .25, Like: .5, PerStatement: 2}

// CouplingRule is the order that maximises, over sets of picked mutants i,
//
//	sum over mutants j of w(j) (1 - product over i of (1 - q(i) p(i, j)))
//
// where p(i, j) is the probability that a test for i kills j and q(i) that there is such a
// test. It is monotone and submodular, so that picking the mutant of the largest gain each
// time comes within 1 - 1/e of the best set (Nemhauser, Wolsey and Fisher 1978), and a gain
// that was computed earlier bounds what it is now (lazy greedy).
//
// p and q are estimates. The inputs that are known to show a mutant (Score.Program,
// Score.Own) stand for tests that kill it; where two mutants have no inputs in common, tests
// for one kill the other as often as any test does, and more often the nearer they are.
type CouplingRule struct {
	// Prior is how many inputs the estimate of p from places counts for, beside those that
	// show i.
	Prior float64
	// Hidden is the power of the killability of mutants that no input shows in what they are
	// picked by: those that a model takes for killable may be so.
	Hidden float64
	// Apart is the share of p(i, j) that is believed of mutants of different statements: drawn
	// inputs are few, and tests tell apart what they do not.
	Apart float64
	// Like is the power of what models say of a mutant: that it is like a fault.
	Like float64
	// Alone orders by what each mutant covers alone, whatever was picked before: test
	// completeness advancement (Kaufman and others, "Prioritizing mutants to guide mutation
	// testing", 2022).
	Alone bool
	// PerStatement bounds the mutants of a statement among the first FirstScreen.
	PerStatement int
}

// FirstScreen is how many mutants are shown at first.
const FirstScreen = 20

// Trial is what trials on drawn inputs showed of a mutant: two are of the same inputs where
// the same was tried.
type Trial struct {
	// Tried are the inputs, Shown those of them that show the mutant. Without any, there was
	// no trial.
	Tried, Shown uint64
	// Reached is how many of the inputs come to the mutant.
	Reached int
	// Kind is the same for mutants that show the same on each of the inputs; 0 where none
	// shows the mutant.
	Kind uint64
	// Entry numbers the function by which the program was entered: inputs of different ones are
	// not the same. It is 0 of trials of the mutant's function.
	Entry uint64
}

// TrialColumns are the columns of features that GiveTrials reads.
var TrialColumns = []string{"program_shown_set", "program_shown_kind", "program_tried_set", "program_reach_inputs",
	"trial_shown_set", "trial_shown_kind", "trial_tried_set", "trial_reach_inputs", "program_entry_kind"}

// GiveTrials gives mutants what the columns, in the order of TrialColumns, say of their
// trials.
func GiveTrials(mutants []Score, columns [][]float64) {
	of := func(i, from int) Trial {
		tried, shown, kind := columns[from+2][i], columns[from][i], columns[from+1][i]
		if !(tried > 0 && shown >= 0) { // true of NaN
			return Trial{}
		}
		if !(kind > 0) {
			kind = 0
		}
		t := Trial{Tried: uint64(tried), Shown: uint64(shown), Kind: uint64(kind)}
		if reached := columns[from+3][i]; reached > 0 {
			t.Reached = int(math.Round(reached * float64(bits.OnesCount64(t.Tried))))
		}
		return t
	}
	for i := range mutants {
		mutants[i].Program, mutants[i].Own = of(i, 0), of(i, 4)
		if entry := columns[8][i]; entry > 0 {
			mutants[i].Program.Entry = uint64(entry)
		}
	}
}

// Strategy makes r a Strategy of that name and description.
func (r CouplingRule) Strategy(name, doc string) Strategy {
	return Strategy{Name: name, Doc: doc, Prepare: fixed(r.Order)}
}

// Order returns the positions of scores in the order of the rule.
func (r CouplingRule) Order(scores []Score) []int {
	c := newCover(r, scores)
	out := c.pick(mostPicked)
	return append(out, c.rest(out)...)
}

const (
	// mostPicked are picked as a set. Who reads more has written tests meanwhile, and asks
	// again; the others follow statement by statement.
	mostPicked = 200
	// mostTargets bounds the groups that gains are computed over, and mostCandidates those
	// that are picked from: both are drawn of more.
	mostTargets, mostCandidates = 1024, 4096
)
