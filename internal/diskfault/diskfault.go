//go:build linux && (amd64 || arm64)

// Package diskfault has the file system fail, for tests: it runs a command and lets one
// chosen call go wrong of all by which the command, and whatever it starts, changes files.
//
// Calls are stopped in the kernel by a filter that asks this process what to do with each
// (seccomp's user notification), so that nothing in the command, or in a compiler that it
// starts, knows of it, and no way of writing is forgotten. The command is started by the
// test's own executable, which takes the filter on itself first: TestMain calls Main.
package diskfault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Kind is how a call goes wrong.
type Kind string

const (
	None  Kind = "none"   // it does not
	Full  Kind = "ENOSPC" // the disk is full
	Error Kind = "EIO"    // the disk is broken
	Short Kind = "short"  // half of what was to be written is, and then the disk is full
	Kill  Kind = "kill"   // the command is killed in its place
)

// Kinds are all that go wrong.
var Kinds = []Kind{Full, Error, Short, Kill}

// Plan says which call of a command goes wrong, counted from 0, and how.
type Plan struct {
	Kind Kind
	Call int
}

// Outcome is what a command did under a plan.
type Outcome struct {
	// Calls is how many calls there were that change files; Hit names the one that went
	// wrong, "" where the command ended before it.
	Calls int
	Hit   string
	// Made are the calls, in their order.
	Made []Call
}

// Call is a call that changes files.
type Call struct {
	// What is open, write, sync, sync all (of a file system), truncate, mkdir, rename or link.
	What string
	// Path is the file's, as the process names it, and To the new name where it gets one.
	Path, To string
}

// watched are the calls by which files are changed.
var watched = map[int32]string{
	unix.SYS_OPENAT: "open", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "write", unix.SYS_WRITEV: "write",
	unix.SYS_FSYNC: "sync", unix.SYS_FDATASYNC: "sync", unix.SYS_SYNCFS: "sync all", unix.SYS_FTRUNCATE: "truncate", unix.SYS_MKDIRAT: "mkdir",
	unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename", unix.SYS_LINKAT: "link", unix.SYS_SYMLINKAT: "link",
}

// commandOf, in the environment, is the program to become.
const commandOf = "WINNOW_DISKFAULT_COMMAND"

// Main is the program that takes the filter on itself and becomes the command. It returns
// at once in every other.
func Main() {
	path := os.Getenv(commandOf)
	if path == "" {
		return
	}
	os.Unsetenv(commandOf)
	runtime.LockOSThread()
	if err := become(path); err != nil {
		fmt.Fprintln(os.Stderr, "diskfault:", err)
	}
	os.Exit(125)
}

// socketFD is where the program hands over what the kernel asks on.
const socketFD = 3

func become(path string) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	code := filter()
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	listener, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		return fmt.Errorf("filtering calls: %w", failed)
	}
	if err := unix.Sendmsg(socketFD, []byte{0}, unix.UnixRights(int(listener)), nil, 0); err != nil {
		return err
	}
	unix.CloseOnExec(socketFD)
	unix.CloseOnExec(int(listener))
	return syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ())
}

// filter has the kernel ask about the watched calls; about opens, where they can change
// the file.
func filter() []unix.SockFilter {
	const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(how uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	back := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	code := []unix.SockFilter{
		load(0), jump(unix.BPF_JEQ, unix.SYS_OPENAT, 0, 4),
		load(16 + 2*8), jump(unix.BPF_JSET, writing, 0, 1), back(unix.SECCOMP_RET_USER_NOTIF), back(unix.SECCOMP_RET_ALLOW),
	}
	for number := range watched {
		if number != unix.SYS_OPENAT {
			code = append(code, jump(unix.BPF_JEQ, uint32(number), 0, 1), back(unix.SECCOMP_RET_USER_NOTIF))
		}
	}
	return append(code, back(unix.SECCOMP_RET_ALLOW))
}

// Run runs a command under a plan. Its error is the command's, as of exec.Cmd.Run.
func Run(ctx context.Context, cmd *exec.Cmd, plan Plan) (Outcome, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return Outcome{}, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, commandOf+"="+cmd.Path)
	if cmd.Path, err = os.Executable(); err != nil {
		return Outcome{}, err
	}
	cmd.ExtraFiles = []*os.File{theirs} // socketFD
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return Outcome{}, err
	}
	listener, err := receive(pair[0])
	if err != nil {
		return Outcome{}, errors.Join(fmt.Errorf("the kernel does not ask about calls: %w", err), cmd.Process.Kill(), cmd.Wait())
	}
	s := &supervisor{plan: plan, listener: listener, command: cmd.Process}
	answered := make(chan error, 1)
	go func() { answered <- s.answer() }()
	failed := cmd.Wait()
	err = <-answered
	unix.Close(listener)
	if err != nil {
		return s.outcome, err
	}
	return s.outcome, failed
}

// receive takes the descriptor that become has sent.
func receive(socket int) (int, error) {
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), control, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil {
		return -1, err
	}
	if len(messages) == 0 {
		return -1, io.ErrUnexpectedEOF
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return -1, err
	}
	return fds[0], nil
}

// notification and response are the kernel's struct seccomp_notif and seccomp_notif_resp.
type notification struct {
	id    uint64
	pid   uint32
	_     uint32
	call  int32
	_     uint32
	_     uint64
	words [6]uint64
}

type response struct {
	id    uint64
	value int64
	error int32
	flags uint32
}

const goesOn = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

// supervisor answers the kernel.
type supervisor struct {
	plan     Plan
	listener int
	command  *os.Process
	outcome  Outcome
	full     bool // a short write came before
}

// answer answers until nobody is left who could ask.
func (s *supervisor) answer() error {
	for {
		waiting := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		_, err := unix.Poll(waiting, -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		if waiting[0].Revents&unix.POLLIN == 0 {
			return nil // POLLHUP: all have ended
		}
		var n notification
		if _, _, failed := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); failed != 0 {
			continue // who asked has been killed
		}
		r := s.decide(&n)
		// It fails where who asked has been killed meanwhile.
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
	}
}

func (s *supervisor) decide(n *notification) response {
	pass := response{id: n.id, flags: goesOn}
	path, ok := s.fileOf(n)
	if !ok {
		return pass
	}
	what := watched[n.call]
	if s.full && what == "write" {
		s.full = false
		return response{id: n.id, error: -int32(unix.ENOSPC)}
	}
	at := s.outcome.Calls
	s.outcome.Calls++
	s.outcome.Made = append(s.outcome.Made, Call{What: what, Path: path, To: renamed(n)})
	if s.plan.Kind == None || at != s.plan.Call {
		return pass
	}
	s.outcome.Hit = what + " " + path
	switch s.plan.Kind {
	case Kill:
		_ = s.command.Kill() // it may just have ended
		return response{id: n.id, error: -int32(unix.EIO)}
	case Full:
		return response{id: n.id, error: -int32(unix.ENOSPC)}
	case Short:
		if n.call == unix.SYS_WRITE && n.words[2] > 1 {
			if written, err := half(n); err == nil {
				s.full = true
				return response{id: n.id, value: int64(written)}
			}
		}
		return response{id: n.id, error: -int32(unix.ENOSPC)}
	default:
		return response{id: n.id, error: -int32(unix.EIO)}
	}
}

// fileOf says which file a call is about, and whether it is one on a disk: not a pipe, a
// terminal, a device or memory.
func (s *supervisor) fileOf(n *notification) (path string, ok bool) {
	word := n.words[0] // a descriptor, but where there is a path
	switch watched[n.call] {
	case "open", "mkdir":
		path = pathAt(n.pid, n.words[1])
	case "rename":
		return pathAt(n.pid, n.words[1]), true
	case "link":
		return "", true
	default:
		var err error
		if path, err = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", n.pid, int32(word))); err != nil {
			return "", false
		}
		if !filepath.IsAbs(path) {
			return path, false
		}
	}
	for _, not := range []string{"/dev/", "/proc/", "/sys/", "/memfd:"} {
		if strings.HasPrefix(path, not) {
			return path, false
		}
	}
	return path, true
}

// renamed is the new name that a call gives a file; "" of other calls.
func renamed(n *notification) string {
	switch n.call {
	case unix.SYS_SYMLINKAT:
		return pathAt(n.pid, n.words[2])
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		return pathAt(n.pid, n.words[3])
	}
	return ""
}

// pathAt reads a path from a process's memory, as far as it needs to be known.
func pathAt(pid uint32, at uint64) string {
	text := make([]byte, 256)
	text = text[:read(pid, at, text)]
	for i, c := range text {
		if c == 0 {
			return string(text[:i])
		}
	}
	return string(text)
}

// read reads a process's memory; bytes that cannot be read are not counted.
func read(pid uint32, at uint64, into []byte) int {
	for size := len(into); size > 0; size /= 2 { // it may end with a page
		local := []unix.Iovec{{Base: &into[0], Len: uint64(size)}}
		n, err := unix.ProcessVMReadv(int(pid), local, []unix.RemoteIovec{{Base: uintptr(at), Len: size}}, 0)
		if err == nil {
			return n
		}
	}
	return 0
}

// half writes half of what a process was about to write.
func half(n *notification) (int, error) {
	text := make([]byte, min(n.words[2]/2, 1<<20))
	if got := read(n.pid, n.words[1], text); got != len(text) || got == 0 {
		return 0, unix.EFAULT
	}
	// The process, and not one of its threads.
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.pid))
	if err != nil {
		return 0, err
	}
	var process int
	_, after, _ := strings.Cut(string(status), "\nTgid:")
	if _, err := fmt.Sscan(after, &process); err != nil {
		return 0, err
	}
	handle, err := unix.PidfdOpen(process, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(handle)
	fd, err := unix.PidfdGetfd(handle, int(n.words[0]), 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	return unix.Write(fd, text)
}
