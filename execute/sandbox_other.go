//go:build !linux

package execute

import (
	"errors"
	"io"
	"os"
	"syscall"
)

var errLinux = errors.New("mutants run on Linux only; use a Linux machine or container for this step")

type confinement struct {
	user       string
	namespaces bool
}

type orders struct {
	Writable, Open bool
	Read           []string
}

func (orders) write(io.Writer) error { return errLinux }

const (
	launcherName  = "launcher"
	heldFiles     = 1
	heldAddresses = 2
)

func readLaunch(io.Reader) (uint32, error) { return 0, errLinux }

func named([]Test) []string { return nil }

func launcher() (*os.File, error) { return nil, errLinux }

type evidence struct{ filter, ownProcesses bool }

func (evidence) confined() bool { return false }

func look(int) (evidence, error) { return evidence{}, errLinux }

func confinements() []confinement { return []confinement{{}} }

func (confinement) processAttributes() *syscall.SysProcAttr { return nil }

func (confinement) own(string) error { return errLinux }

func (confinement) ownOpen(*os.File) error { return errLinux }

type size struct{ bytes, files int64 }

func newVolume(size) (*os.File, error) { return nil, errLinux }

func loadBinary(string) (*os.File, error) { return nil, errLinux }

func busy(error) bool { return false }

func killGroup(int) {}
