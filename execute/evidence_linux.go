package execute

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync"
)

// evidence is what the kernel says of a process, from outside of it.
type evidence struct {
	filter          bool // it has a system call filter
	noNewPrivileges bool
	noCapabilities  bool
	ownProcesses    bool // it is in a process namespace below ours
}

// confined says whether a server is held by what every machine has.
func (e evidence) confined() bool { return e.filter && e.noNewPrivileges }

// look reads the kernel's word on a process.
func look(pid int) (evidence, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return evidence{}, fmt.Errorf("looking whether a server is confined: %w", err)
	}
	defer file.Close()
	var e evidence
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch name {
		case "Seccomp":
			e.filter = value == "2"
		case "NoNewPrivs":
			e.noNewPrivileges = value == "1"
		case "CapEff":
			e.noCapabilities = strings.Trim(value, "0") == ""
		case "NSpid":
			e.ownProcesses = len(strings.Fields(value)) > 1
		}
	}
	return e, nil
}

// launcher is this executable, as a file that every user may execute.
var launcher = sync.OnceValues(func() (*os.File, error) {
	file, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, fmt.Errorf("opening winnow itself: %w", err)
	}
	about, err := file.Stat()
	if err == nil && about.Mode()&0o001 != 0 {
		return file, nil
	}
	file.Close()
	return loadBinary("/proc/self/exe")
})
