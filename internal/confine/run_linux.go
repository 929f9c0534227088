package confine

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Run runs a command to its end, like its method of that name, as a tool: it reads what
// this user may read, changes files only below the folders of its own, reaches no network,
// and ends with this process. Where the machine lacks what that needs (Lacks), the command
// runs with what there is.
func Run(cmd *exec.Cmd, own ...string) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = unix.SIGKILL
	return thread(func() error {
		if err := asTool(own); err != nil && !errors.Is(err, ErrUnavailable) {
			return err
		}
		return cmd.Run()
	})
}

// Start starts a command as Run does, but for the files that it may change: it bounds itself, or
// the children that it has, by ToolRules. The channel says when it has ended, and how.
func Start(cmd *exec.Cmd) (ended <-chan error, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = unix.SIGKILL
	started, over := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the kernel ends the command when its thread ends
		err := callsOfATool()
		if err == nil || errors.Is(err, ErrUnavailable) {
			err = cmd.Start()
		}
		started <- err
		if err == nil {
			over <- cmd.Wait()
		}
	}()
	return over, <-started
}

// ToolRules are the rules of the files that a tool may use (Run).
func ToolRules(own ...string) (*os.File, error) { return Rules(filesOfATool(own)) }

// Lacks says what this machine lacks of what Run promises; "" is nothing.
func Lacks() string {
	if err := thread(func() error { return asTool(nil) }); err != nil {
		return err.Error()
	}
	return ""
}

// thread runs f in a thread of the system's own, which ends with f: what f takes from it
// nobody else lacks.
func thread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked, so that the thread ends
		done <- f()
	}()
	return <-done
}

// asTool takes from this thread what Run says.
func asTool(own []string) error {
	lacks := callsOfATool()
	if lacks != nil && !errors.Is(lacks, ErrUnavailable) {
		return lacks
	}
	err := Landlock(filesOfATool(own))
	if err != nil && !errors.Is(err, ErrUnavailable) {
		return err
	}
	return errors.Join(lacks, err)
}

func filesOfATool(own []string) Paths {
	return Paths{Read: []string{"/"}, Write: []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}, Own: own}
}

// callsOfATool takes privileges and system calls from this thread.
func callsOfATool() error {
	if err := NoNewPrivileges(); err != nil {
		return err
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return ErrUnavailable
	}
	return toolFilter().Install()
}

// toolFilter refuses what a compiler or a linker has no use for and could do harm with
// beyond files: the network, other processes' memory, other namespaces, and calls by
// which others are made unseen.
func toolFilter() *Filter {
	return NewFilter().Refuse(unix.EPERM,
		unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
		unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	).Otherwise(0)
}
