package execute

import "strings"

// Sandbox says what holds for the runs of an engine on this machine.
type Sandbox struct {
	// User is whom the runs are, e.g. "nobody (65534)".
	User string
	// Namespaces: network, processes, mounts and IPC of their own.
	Namespaces bool
	// Filter: the system call filter is in place.
	Filter bool
	// FixedAddresses: addresses are not randomised.
	FixedAddresses bool
}

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
	say(s.Filter, "system calls filtered", "NO system call filter: a run could change files or use the network as its user")
	say(s.Namespaces, "in namespaces of their own", "without namespaces")
	say(s.FixedAddresses, "at fixed addresses", "at random addresses: behaviour that depends on them may not repeat")
	return strings.Join(parts, "; ")
}
