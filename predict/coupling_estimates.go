package predict

import (
	"math"
	"math/bits"
)

// Estimates of CouplingRule. They were chosen on programs with recorded kills (docs/results/first-twenty.md).
const (
	// shownKillable is how often tests kill a mutant that some drawn input of the program
	// shows, ownKillable one that only inputs of its function do, and hiddenKillable one that
	// none shows, where no model says more.
	shownKillable, ownKillable, hiddenKillable = .95, .6, .4
	// sameStatement and sameFunction say how much more often than any test a test for one
	// mutant kills another one of the same place: from as often as any (0) to always (1).
	sameStatement, sameFunction = .5, .1
	// trialsPerTest is how many drawn inputs tell as much of a mutant's chance to be killed
	// by a test as one test does.
	trialsPerTest = 4.0
)

// rate is the estimated share of tests that kill a mutant.
func rate(t Trial) float64 {
	n, k := float64(bits.OnesCount64(t.Tried)), float64(bits.OnesCount64(t.Shown))
	return (k + .5) / (n + 2)
}

// best is the trial that tells most: of the program, unless it does not come to the mutant.
func (s *Score) best() (t Trial, ofProgram bool) {
	if s.Program.Tried != 0 && (s.Program.Reached > 0 || s.Own.Shown == 0) {
		return s.Program, true
	}
	return s.Own, false
}

// killable is the estimated probability that some test kills a mutant, given those that it
// has survived: of a mutant that half of all inputs show, a suite that reaches it twenty
// times and does not kill it says that no test will.
func (s *Score) killable() float64 {
	t, ofProgram := s.best()
	q := hiddenKillable
	switch {
	case t.Shown != 0 && ofProgram:
		q = shownKillable
	case t.Shown != 0:
		q = ownKillable
	case s.Kill > 0: // false of NaN
		q = s.Kill
	}
	if s.Survived == 0 {
		return q
	}
	n, k := float64(bits.OnesCount64(t.Tried))/trialsPerTest, float64(bits.OnesCount64(t.Shown))/trialsPerTest
	a, b := k+.5, n-k+1.5
	survives := math.Exp(logBeta(a, b+float64(s.Survived)) - logBeta(a, b))
	return q * survives / (q*survives + 1 - q)
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// kills is the estimated probability that a test for a mutant of one group kills those of
// another.
func (r *CouplingRule) kills(a, b *group) float64 {
	if a == b {
		return 1
	}
	near := 0.0
	switch {
	case a.statement == b.statement:
		near = sameStatement
	case a.function == b.function:
		near = sameFunction
	}
	prior := b.rate + near*(b.killable-b.rate)
	p := prior
	with := func(x, y Trial) float64 {
		both := float64(bits.OnesCount64(x.Shown & y.Shown))
		return (both + r.Prior*prior) / (float64(bits.OnesCount64(x.Shown)) + r.Prior)
	}
	switch {
	case a.program.Shown != 0 && b.program.Tried != 0 && a.program.Entry == b.program.Entry:
		p = with(a.program, b.program)
	case a.function == b.function && a.own.Shown != 0 && b.own.Tried != 0:
		p = with(a.own, b.own)
	}
	if a.statement != b.statement {
		p *= r.Apart
	}
	return p
}
