package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// boundGarbage lets the heap have as much garbage as there is history, up to half of
// the machine's memory, beyond which garbage is collected more often. What the
// environment says (GOGC, GOMEMLIMIT) goes before.
func boundGarbage() {
	var info syscall.Sysinfo_t
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || syscall.Sysinfo(&info) != nil {
		return
	}
	debug.SetMemoryLimit(int64(uint64(info.Totalram) * uint64(info.Unit) / 2))
}
