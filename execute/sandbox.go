package execute

import (
	"errors"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Sandbox says what holds for the runs of an engine on this machine. What the kernel
// tells of a process is what the engine read there of a server that had started, not
// what the server said of itself.
type Sandbox struct {
	// User is whom the runs are, e.g. "nobody (65534)".
	User string
	// Namespaces: network, processes, mounts and IPC of their own.
	Namespaces bool
	// Filter: the system call filter is in place.
	Filter bool
	// Files: the kernel bounds which files can be read and written (Landlock).
	Files bool
	// FixedAddresses: addresses are not randomised.
	FixedAddresses bool
}

// errNotConfined means that a server runs, or would have run, without what every
// machine has that winnow runs mutants on.
var errNotConfined = errors.New("a meta-mutant's server is not confined")

// String says it in a sentence for a report, the weaknesses included.
func (s Sandbox) String() string {
	parts := []string{"runs are " + s.User}
	say := func(holds bool, yes, no string) {
		if holds {
			parts = append(parts, yes)
		} else {
			parts = append(parts, no)
		}
	}
	say(s.Filter, "system calls filtered", noFilter)
	say(s.Files, "files bounded", noFiles)
	say(s.Namespaces, "in namespaces of their own", noNamespaces)
	say(s.FixedAddresses, "at fixed addresses", "at random addresses: behaviour that depends on them may not repeat")
	return strings.Join(parts, "; ")
}

const (
	noFilter     = "NO system call filter: a run could change files or use the network as its user"
	noFiles      = "files NOT bounded (no Landlock): a run may read what its user may read"
	noNamespaces = "without namespaces"
	isRoot       = "as root"
)

// Weaknesses are what this machine lacks of the sandbox; none, when it is whole.
func (s Sandbox) Weaknesses() []string {
	var out []string
	if strings.HasPrefix(s.User, "ROOT") {
		out = append(out, isRoot)
	}
	if !s.Filter {
		out = append(out, noFilter)
	}
	if !s.Files {
		out = append(out, noFiles)
	}
	if !s.Namespaces {
		out = append(out, noNamespaces)
	}
	return out
}

// SandboxError is Start's where the sandbox was required and is not whole.
type SandboxError struct{ Weaknesses []string }

// ExitCode is that of what the operating system refuses.
func (e *SandboxError) ExitCode() exit.Code { return exit.System }

// Hint says what to do.
func (e *SandboxError) Hint() string {
	return "SECURITY.md says what a machine needs; where no sandbox is required, the runs are made with what there is"
}

func (e *SandboxError) Error() string {
	return "mutants could not be fully confined on this machine: " + strings.Join(e.Weaknesses, "; ")
}
