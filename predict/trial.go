package predict

import (
	"math"
	"math/bits"
)

// Trial is what trials on drawn inputs showed of a mutant: two are of the same inputs where
// the same was tried.
type Trial struct {
	// Tried are the inputs, Shown those of them that show the mutant. Without any, there was
	// no trial.
	Tried, Shown uint64
	// Reached is how many of the inputs come to the mutant. Of those that show it, Crashes have only
	// the mutant divide by zero or use an address near null, and on Ends only one of the two
	// comes to its end in time.
	Reached, Crashes, Ends int
	// Ending says that the original comes to its end on all inputs, so that of these the mutant
	// does not.
	Ending bool
	// Kind is the same for mutants that show the same on each of the inputs; 0 where none
	// shows the mutant.
	Kind uint64
	// Entry numbers the function by which the program was entered: inputs of different ones are
	// not the same. It is 0 of trials of the mutant's function.
	Entry uint64
}

// TrialColumns are the columns of features that GiveTrials reads.
var TrialColumns = []string{"program_shown_set", "program_shown_kind", "program_tried_set", "program_reach_inputs",
	"program_trap_share", "program_end_share", "trial_shown_set", "trial_shown_kind", "trial_tried_set", "trial_reach_inputs",
	"trial_trap_share", "trial_end_share", "program_entry_kind", "outcome_ended_share"}

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
		t.Reached = countOf(columns[from+3][i], bits.OnesCount64(t.Tried))
		t.Crashes, t.Ends = countOf(columns[from+4][i], t.Reached), countOf(columns[from+5][i], t.Reached)
		return t
	}
	for i := range mutants {
		mutants[i].Program, mutants[i].Own = of(i, 0), of(i, 6)
		mutants[i].Program.Ending = columns[13][i] == 1
		if entry := columns[12][i]; entry > 0 {
			mutants[i].Program.Entry = uint64(entry)
		}
	}
}

// countOf is how many a share of some is; 0 where the share is missing.
func countOf(share float64, some int) int {
	if !(share > 0) { // true of NaN
		return 0
	}
	return int(math.Round(share * float64(some)))
}

// Estimates of what trials say. They were chosen on programs with recorded kills (docs/results/first-twenty.md).
const (
	// shownKillable is how often tests kill a mutant that some drawn input of the program
	// shows, ownKillable one that only inputs of its function do, and hiddenKillable one that
	// none shows.
	shownKillable, ownKillable, hiddenKillable = .95, .6, .4
	// trialsPerTest is how many drawn inputs tell as much of a mutant's chance to be killed
	// by a test as one test does.
	trialsPerTest = 4.0
	// notFound is what the odds of a mutant to be killable are multiplied by, when no input was found that
	// tells it: docs/results/first-twenty.md says how that was chosen.
	notFound = .02
	// notCalled is what a mutant is worth for which no call was found, of that of its like with one: little
	// less, since what a call tells is killed no more often than other mutants are, but shows its reader what to test.
	notCalled = .95
)

// Told is the trial that says most of a mutant: that of the program, unless only that of
// its function comes to it.
func (s *Score) Told() (t Trial, ofProgram bool) {
	if s.Program.Tried != 0 && (s.Program.Reached > 0 || s.Own.Reached == 0) {
		return s.Program, true
	}
	return s.Own, false
}

// killable is the probability that some test kills a mutant, given those that it has
// survived, and the inputs that were looked for.
func (s *Score) killable() float64 {
	q := s.likely()
	switch s.Looked {
	case InputFound:
		return 1
	case NoInput:
		return q * notFound / (q*notFound + 1 - q)
	}
	return q
}

// likely is the probability that some test kills a mutant, given those that it has
// survived: of a mutant that half of all inputs show, a suite that reaches it twenty times and
// does not kill it says that no test will. Of one that was not run on the tests yet, it is
// that those of them that infect it let it live, and another test kills it. Where no model says
// how killable it is, trials do. A model of survivors (Another) has seen what the tests did.
func (s *Score) likely() float64 {
	t, ofProgram := s.Told()
	q, survived := hiddenKillable, s.Survived
	switch {
	case s.Another > 0:
		q, survived = s.Another, s.Since
	case !math.IsNaN(s.Kill):
		q = s.Kill
	case t.Shown != 0 && ofProgram:
		q = shownKillable
	case t.Shown != 0:
		q = ownKillable
	}
	if survived == 0 && !s.Untried {
		return q
	}
	// The chance that a test kills it, if any does, is a Beta distribution: a mutant that is
	// shown by k of n tests' worth of inputs survives so many with this probability.
	n, k := float64(bits.OnesCount64(t.Tried))/trialsPerTest, float64(bits.OnesCount64(t.Shown))/trialsPerTest
	a, b := k+.5, n-k+1.5
	survives := math.Exp(logBeta(a, b+float64(survived)) - logBeta(a, b))
	q = q * survives / (q*survives + 1 - q)
	if s.Untried {
		// These infect it. Of the inputs that do not show it, about as many did not.
		a, b = k+1, (n-k)/2+1.5+float64(survived)
		q *= math.Exp(logBeta(a, b+float64(s.Infecting)) - logBeta(a, b))
	}
	return q
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}
