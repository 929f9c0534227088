package capture

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// confinement is a way to start a step of the build. The launcher (note.Kit) is told
// its name.
type confinement struct {
	name string
	attr func() *syscall.SysProcAttr
}

// confinements lists what to try, the strongest first: "alone" has no network but a
// loopback device, no processes but its own, all of which end with it; "quiet" has
// no network; "open" is what any program of this user can do.
func confinements() []confinement {
	const quiet, alone = unix.CLONE_NEWNET, unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID
	bare := func(flags uintptr) func() *syscall.SysProcAttr {
		return func() *syscall.SysProcAttr { return &syscall.SysProcAttr{Cloneflags: flags} }
	}
	// In a user namespace the user keeps its number. The launcher needs two
	// privileges there, which it gives up before it runs anything.
	within := func(flags uintptr) func() *syscall.SysProcAttr {
		return func() *syscall.SysProcAttr {
			return &syscall.SysProcAttr{
				Cloneflags:  flags | unix.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}},
				AmbientCaps: []uintptr{unix.CAP_NET_ADMIN, unix.CAP_SYS_ADMIN},
			}
		}
	}
	open := confinement{"open", bare(0)}
	if os.Geteuid() == 0 {
		return []confinement{{"alone", bare(alone)}, {"quiet", bare(quiet)}, open}
	}
	return []confinement{{"alone", within(alone)}, {"quiet", within(quiet)}, open}
}

// confine returns the strongest confinement that this machine allows.
func confine(ctx context.Context, launcher string) confinement {
	for _, c := range confinements() {
		cmd := exec.CommandContext(ctx, launcher, "0", "0", c.name, "/", "true")
		cmd.SysProcAttr = c.attr()
		if cmd.Run() == nil {
			return c
		}
	}
	return confinement{"open", func() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }}
}

// start makes a command one of the confinement that can be ended as a whole.
func (c confinement) start(cmd *exec.Cmd) {
	cmd.SysProcAttr = c.attr()
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = unix.SIGKILL
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// sweep ends what a finished step has left running.
func (c confinement) sweep(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) // mostly there is nothing
	}
}
