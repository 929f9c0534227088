//go:build !linux

package command

import "syscall"

// Main is the program of a worker, which only Linux has.
func Main() {}

// namespaces starts nothing that could be confined: Start fails.
func namespaces() []*syscall.SysProcAttr { return nil }
