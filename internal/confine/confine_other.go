//go:build !linux

package confine

import (
	"errors"
	"os/exec"
)

// ErrUnavailable is wrapped where this kernel, or the container around it, lacks what
// was asked for.
var ErrUnavailable = errors.New("not available on this machine")

// Run runs a command to its end.
func Run(cmd *exec.Cmd, own ...string) error { return cmd.Run() }

// Lacks says what this machine lacks of what Run promises on Linux.
func Lacks() string { return "bounding files and system calls needs Linux" }
