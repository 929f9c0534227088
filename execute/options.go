package execute

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// ExitComparison says how much of the exit status is behaviour.
type ExitComparison uint8

const (
	// ExitStatus compares the eight bits of the status.
	ExitStatus ExitComparison = iota
	// ExitSuccess compares only zero against non-zero.
	ExitSuccess
	// ExitIgnored compares nothing: for mains that return no defined value.
	// Signals and limits still count.
	ExitIgnored
)

// OutputComparison says what of standard output is behaviour.
type OutputComparison uint8

const (
	// OutputTrimmed leaves out white space before line ends and at the end.
	OutputTrimmed OutputComparison = iota
	// OutputExact compares every byte.
	OutputExact
	// OutputIgnored compares nothing: what counts is how the run ends.
	OutputIgnored
)

// LimitPolicy says what a run that a limit ended means, when the original
// stayed under the same limit.
type LimitPolicy uint8

const (
	// LimitsKill counts it as killed, as the mutation testing papers do.
	LimitsKill LimitPolicy = iota
	// LimitsUnknown gives the pair no verdict.
	LimitsUnknown
)

// Options say how to run. The zero value is what most callers want.
type Options struct {
	// Workers is the number of servers that run at once; 0 means one a core.
	Workers int

	// A run's fuel is FuelFactor times the work of the original on the same
	// test plus FuelFloor, in units of the module's counter (function entries
	// and loop headers); 0 means 10 and 20,000: a loop around scanf
	// and printf then ends within two milliseconds.
	FuelFactor float64
	FuelFloor  int64
	// The fence is WallFactor times the original's wall-clock time on the same
	// test plus WallFloor; 0 means 20 and 1 s.
	WallFactor float64
	WallFloor  time.Duration
	// BaselineWork is the work an original may do, in the same units; 0 means any.
	// Tests on which it does more are set aside: the same ones on any machine.
	BaselineWork int64
	// BaselineWall is the time an original may take, 0 means 10 s; tests that
	// take longer are set aside.
	BaselineWall time.Duration
	// Memory is the address space of a run in bytes, code included; 0 means
	// 1 GiB. OutputBytes is what it may print; 0 means 16 MiB.
	Memory, OutputBytes int64

	// Writable gives each run a folder of its own in which it may write files, as
	// many bytes as it may print, and that is emptied after it. It needs a kernel
	// that keeps the run there (Landlock).
	Writable bool

	// Probe, what a Prober found on the same tests, leaves out the runs of
	// mutants that a test does not infect; nil leaves out none.
	Probe *ProbeResult

	Exit   ExitComparison
	Output OutputComparison
	Limits LimitPolicy

	// StopAfterTimeouts leaves a mutant's later tests Unknown (CauseStopped)
	// once that many tests, in test order, ended it by work or time; 0 never.
	StopAfterTimeouts int

	// Tier is how pairs are run first; the zero value means the fastest that
	// the machine has.
	Tier Tier
	// AuditEvery decides about one pair in AuditEvery again with Fresh, chosen
	// by their numbers; 0 means 1,000, and 1 audits every pair.
	AuditEvery int

	// Progress is told after every batch how many of the pairs are decided.
	Progress func(done, total int)
	// OnTest gets a test's cells when its last pair is decided, so that the
	// caller can store them, and hand them back as Known to continue a run that
	// was interrupted. Calls do not overlap; their order is that of completion.
	OnTest func(test int, cells []Cell)
	Known  map[int][]Cell

	// Sandboxed is told what holds for the runs, each time an engine starts.
	Sandboxed func(Sandbox)
	// RequireSandbox has Start refuse a machine on which something of the sandbox is
	// missing (SandboxError).
	RequireSandbox bool

	sanitized    bool // see Sanitized
	weak         bool // tests only: neither filter nor namespaces
	noNamespaces bool // tests only
	shareAll     bool // tests only: runs share how they begin, however short they are
}

func (o Options) withDefaults() (Options, error) {
	if o.Workers < 0 || o.FuelFactor < 0 || o.FuelFloor < 0 || o.WallFactor < 0 || o.WallFloor < 0 ||
		o.BaselineWall < 0 || o.BaselineWork < 0 || o.Memory < 0 || o.OutputBytes < 0 || o.StopAfterTimeouts < 0 || o.AuditEvery < 0 {
		return o, errors.New("execute: an option is negative")
	}
	orElse(&o.Workers, runtime.NumCPU())
	orElse(&o.FuelFactor, 10)
	orElse(&o.FuelFloor, 20_000)
	orElse(&o.WallFactor, 20)
	orElse(&o.WallFloor, time.Second)
	orElse(&o.BaselineWall, 10*time.Second)
	orElse(&o.Memory, 1<<30)
	orElse(&o.OutputBytes, 16<<20)
	orElse(&o.BaselineWork, unlimitedFuel)
	orElse(&o.AuditEvery, 1000)
	if o.Tier.Name == "" {
		o.Tier = Tiers[0]
	}
	if least := int64(64 << 20); o.Memory < least {
		return o, fmt.Errorf("execute: a memory limit of %d bytes is too small for any program; give at least %d", o.Memory, least)
	}
	return o, nil
}

func orElse[T int | int64 | float64 | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}
