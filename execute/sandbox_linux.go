package execute

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// nobody is the unprivileged user and group of runs started by root. It need
// not have a name.
const nobody = 65534

// confinement is one way to start a server.
type confinement struct {
	user       string
	namespaces bool
	attr       func() *syscall.SysProcAttr
}

const namespaces = unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// confinements lists what to try, the strongest first. Containers and hardened
// machines refuse some of them; only starting a server tells.
func confinements() []confinement {
	own := os.Geteuid()
	// The mapping keeps the number, which is not 0: so the program's exec loses
	// the namespace's privileges again.
	in := func(id, group int, cred *syscall.Credential) func() *syscall.SysProcAttr {
		return func() *syscall.SysProcAttr {
			return &syscall.SysProcAttr{
				Cloneflags: namespaces | unix.CLONE_NEWUSER, Credential: cred,
				UidMappings:                []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}},
				GidMappings:                []syscall.SysProcIDMap{{ContainerID: group, HostID: group, Size: 1}},
				GidMappingsEnableSetgroups: cred != nil,
			}
		}
	}
	bare := func(flags uintptr, cred *syscall.Credential) func() *syscall.SysProcAttr {
		return func() *syscall.SysProcAttr { return &syscall.SysProcAttr{Cloneflags: flags, Credential: cred} }
	}
	if own != 0 {
		name := "user " + strconv.Itoa(own)
		if u, err := user.Current(); err == nil {
			name = "user " + u.Username
		}
		return []confinement{
			{name, true, in(own, os.Getegid(), nil)},
			{name, false, bare(0, nil)},
		}
	}
	cred := &syscall.Credential{Uid: nobody, Gid: nobody}
	return []confinement{
		{"user 65534", true, bare(namespaces, cred)},
		{"user 65534", true, in(nobody, nobody, cred)},
		{"user 65534", false, bare(0, cred)},
		{"ROOT, for want of the right to be anyone else", false, bare(0, nil)},
	}
}

// processAttributes completes a confinement: a session of its own, so that no
// run has a terminal, and an end with the thread that started it.
func (c confinement) processAttributes() *syscall.SysProcAttr {
	attr := c.attr()
	attr.Setsid = true
	attr.Pdeathsig = syscall.SIGKILL
	return attr
}

// own gives a file or folder to the runs' user, who then may change it.
func (c confinement) own(path string) error {
	if os.Geteuid() != 0 {
		return nil // the runs are the same user
	}
	if err := os.Lchown(path, nobody, nobody); err != nil {
		return fmt.Errorf("giving a file to the runs' user: %w", err)
	}
	return nil
}

// ownOpen gives an open folder to the runs' user.
func (c confinement) ownOpen(folder *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	if err := folder.Chown(nobody, nobody); err != nil {
		return fmt.Errorf("giving a folder to the runs' user: %w", err)
	}
	return nil
}

// loadBinary copies an executable into memory: so the runs' user can start it
// whatever the rights of the folders above it, and a rebuild meanwhile changes
// nothing.
func loadBinary(path string) (*os.File, error) {
	source, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the meta-mutant: %w", err)
	}
	defer source.Close()
	fd, err := unix.MemfdCreate("meta-mutant", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("making a memory file for the meta-mutant: %w", err)
	}
	written := os.NewFile(uintptr(fd), "meta-mutant")
	defer written.Close()
	if _, err := io.Copy(written, source); err != nil {
		return nil, fmt.Errorf("reading the meta-mutant %s: %w", path, err)
	}
	if err := written.Chmod(0o555); err != nil {
		return nil, fmt.Errorf("making the meta-mutant executable: %w", err)
	}
	// A file that is open for writing cannot be executed.
	readOnly, err := os.Open("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil {
		return nil, fmt.Errorf("reopening the meta-mutant: %w", err)
	}
	return readOnly, nil
}

// busy says that the executable could not be started because another thread's
// fork still holds it open for writing, which passes.
func busy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // it may be gone, which is what we want
	_ = syscall.Kill(pid, syscall.SIGKILL)
}
