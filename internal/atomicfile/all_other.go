//go:build !linux

package atomicfile

import "syscall"

// SyncAll has all that is in a folder outlive a power failure, as far as the system has a call
// for it.
func SyncAll(string) error { return syscall.Sync() }
