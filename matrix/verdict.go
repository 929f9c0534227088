package matrix

import "fmt"

// Verdict is what is known about one mutant and one test, or one mutant and a
// set of tests. Its zero value is Unknown, so that a cell nobody filled never
// counts as a survival.
type Verdict uint8

const (
	// Unknown: not run, flaky, or the run said nothing.
	Unknown Verdict = iota
	// Survived: it ran, and its behaviour was the original's.
	Survived
	// Killed: it ran, and its behaviour differed from the original's.
	Killed
)

// Code is the verdict's number in files: 1 killed, 0 survived, -1 unknown, as
// in Muteria's matrices.
func (v Verdict) Code() int64 { return int64(v) - 1 }

// VerdictOf returns the verdict with the given code.
func VerdictOf(code int64) (Verdict, error) {
	if code < -1 || code > 1 {
		return Unknown, fmt.Errorf("verdict code %d: want 1 (killed), 0 (survived) or -1 (unknown)", code)
	}
	return Verdict(code + 1), nil
}

var verdictNames = [...]string{"unknown", "survived", "killed"}

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// Cause is the evidence a verdict rests on. The numbers are written to files:
// new causes go to the end.
type Cause uint8

const (
	// NoCause: nothing to explain; a survival has no cause.
	NoCause Cause = iota
	// Output: standard output differed.
	Output
	// Exit: the exit status differed.
	Exit
	// Signal: it died of a signal the original does not die of.
	Signal
	// Work: it did more counted work than the budget allows, a deterministic
	// time limit.
	Work
	// Time: it used more time than the budget allows.
	Time
	// Memory: it asked for more memory than the budget allows.
	Memory
	// OutputLimit: it wrote more than the budget allows.
	OutputLimit
	// Trap: a check that was compiled in stopped it.
	Trap
	// Flaky: repeated runs disagreed; the verdict is Unknown.
	Flaky
	// NotRun: never executed (budget, sampling); the verdict is Unknown.
	NotRun
	// NotReached: not executed because the test does not reach the mutant; the
	// verdict is Survived.
	NotReached
	// Failed: the tool failed, not the mutant; the verdict is Unknown.
	Failed
	// NotInfected: not executed because on this test the mutant computes what
	// the original does; the verdict is Survived.
	NotInfected
)

var causeNames = [...]string{
	"none", "output", "exit", "signal", "work", "time", "memory", "outputlimit",
	"trap", "flaky", "notrun", "notreached", "failed", "notinfected",
}

// Causes lists every cause in the order of its code.
func Causes() []Cause {
	all := make([]Cause, len(causeNames))
	for i := range all {
		all[i] = Cause(i)
	}
	return all
}

// Code is the cause's number in files.
func (c Cause) Code() int64 { return int64(c) }

func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("cause(%d)", uint8(c))
}

// ParseCause is the inverse of Cause.String.
func ParseCause(name string) (Cause, error) {
	for c, known := range causeNames {
		if name == known {
			return Cause(c), nil
		}
	}
	return NoCause, fmt.Errorf("cause %q: want one of %v", name, causeNames)
}

// Merge joins what two sources know of one cell: knowledge beats Unknown, and
// two sources that contradict each other are an error.
func (v Verdict) Merge(o Verdict) (Verdict, error) {
	switch {
	case v == o || o == Unknown:
		return v, nil
	case v == Unknown:
		return o, nil
	}
	return Unknown, fmt.Errorf("one says %v, the other %v", v, o)
}
