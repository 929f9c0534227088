package execute

import (
	"fmt"
	"syscall"
	"time"
)

// Cause is how a run ended, or why a pair has no run.
type Cause uint8

const (
	// CauseFailed: no run could be made; the pair is Unknown.
	CauseFailed Cause = iota
	// CauseExit: the program ended with an exit status.
	CauseExit
	// CauseSignal: a signal ended it, e.g. SIGSEGV.
	CauseSignal
	// CauseTrap: it executed a statement replaced by a trap.
	CauseTrap
	// CauseWork: it used up its fuel.
	CauseWork
	// CauseTime: the wall-clock fence or the CPU limit ended it.
	CauseTime
	// CauseMemory: an allocation was refused under the memory limit, and the run was not
	// what it should be.
	CauseMemory
	// CauseOutput: it printed more than the limit.
	CauseOutput
	// CauseStopped: not decided because of Options.StopAfterTimeouts.
	CauseStopped
)

var causeNames = []string{"failed", "exit", "signal", "trap", "work", "time", "memory", "output", "stopped"}

// String returns the cause's name in reports, e.g. "work".
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("cause(%d)", uint8(c))
}

// Limit says whether a limit ended the run, rather than the program.
func (c Cause) Limit() bool {
	return c == CauseWork || c == CauseTime || c == CauseMemory || c == CauseOutput
}

// Verdict is what a test says about a mutant.
type Verdict uint8

const (
	// Unknown: no verdict, the cell's cause says why.
	Unknown Verdict = iota
	// Survived: same behaviour as the original.
	Survived
	// Killed: another behaviour.
	Killed
)

var verdictNames = []string{"unknown", "survived", "killed"}

// String returns the verdict's name in reports.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// Outcome is the behaviour of one run, and what it cost.
type Outcome struct {
	Cause Cause
	// Status is the exit status or the signal, 0 for other causes; of CauseMemory the exit
	// status, or noExit.
	Status int
	// OutputLength (bytes) and OutputHash (64 bits) are of standard output,
	// normalised as the options say.
	OutputLength uint64
	OutputHash   uint64
	// Work is the fuel used; -1 when the run overwrote the counter.
	Work int64
	Wall time.Duration
}

// String describes the end in words, e.g. "exit status 3".
func (o Outcome) String() string {
	switch o.Cause {
	case CauseExit:
		return fmt.Sprintf("exit status %d, %d bytes of output", o.Status, o.OutputLength)
	case CauseSignal:
		return fmt.Sprintf("signal %v, %d bytes of output", syscall.Signal(o.Status), o.OutputLength)
	}
	return "ended by " + o.Cause.String()
}

// noExit is the status of a run that was refused memory and was ended by a signal.
const noExit = -1

// coped is the end of a run by itself, where one that was refused memory came to one: a
// program that makes do with less is not killed by it. Where it does not do what it
// should, that may be the limit's doing, and memory is the cause.
func (o Outcome) coped() Outcome {
	if o.Cause == CauseMemory && o.Status != noExit {
		o.Cause = CauseExit
	}
	return o
}

// Same says whether two outcomes are the same behaviour. After a limit what was
// printed before is no part of it.
func (o Outcome) Same(other Outcome, exit ExitComparison) bool {
	if o.Cause != other.Cause {
		if o, other = o.coped(), other.coped(); o.Cause != other.Cause {
			return false
		}
	}
	if o.Cause.Limit() {
		return true
	}
	if o.OutputLength != other.OutputLength || o.OutputHash != other.OutputHash {
		return false
	}
	if o.Cause != CauseExit {
		return o.Status == other.Status
	}
	switch exit {
	case ExitIgnored:
		return true
	case ExitSuccess:
		return (o.Status == 0) == (other.Status == 0)
	}
	return o.Status == other.Status
}
