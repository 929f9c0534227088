//go:build !linux

package execute

import (
	"errors"
	"os"
	"syscall"
)

var errLinux = errors.New("mutants run on Linux only; use a Linux machine or container for this step")

type confinement struct {
	user       string
	namespaces bool
}

func confinements() []confinement { return []confinement{{}} }

func (confinement) processAttributes() *syscall.SysProcAttr { return nil }

func (confinement) own(string) error { return errLinux }

func loadBinary(string) (*os.File, error) { return nil, errLinux }

func busy(error) bool { return false }

func killGroup(int) {}
