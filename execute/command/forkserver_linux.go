package command

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Starting a program and linking it costs more than most tests of a library do. A command whose own
// process is a program that holds mutated code waits before its first constructor as a fork server
// (runtime/select.c), and each run is a fork of it. Whatever such a command does before is done once
// and not in each run: it may be a script that hands over to the program, and no more.

// serverFD is the fork server's end of the socket. No script uses a descriptor so high.
const serverFD = 199

// mostServers is how many fork servers a worker has; each is a process of the tests, with its memory.
const mostServers = 128

// endTime bounds how long a fork server may take to say that a run ended which was killed.
const endTime = 10 * time.Second

// errServerLost is the end of a fork server that was to make a run, a mutant's doing perhaps.
var errServerLost = errors.New("the fork server is gone")

// forkServer is the worker's side of one.
type forkServer struct {
	pid     int
	socket  int
	outputs outputs
}

// order of runtime/select.c, in the byte order of this machine.
func order(serve bool, selector int32, fuel int64) []byte {
	out := make([]byte, 4, 16)
	if serve {
		binary.NativeEndian.PutUint32(out, 1)
	}
	out = binary.NativeEndian.AppendUint32(out, uint32(selector))
	return binary.NativeEndian.AppendUint64(out, uint64(fuel))
}

// mayServe reports whether a request can be made by a fork server that is yet to be started.
func (w *worker) mayServe(r request) bool {
	// The processes of another namespace say nothing of those that run here.
	self, err := os.Readlink("/proc/self")
	return r.Server != 0 && r.Stdin == "" && len(w.servers) < mostServers && err == nil && self == strconv.Itoa(os.Getpid())
}

// sockets makes the two ends for a fork server that is started; the second is its own.
func sockets() (worker int, server *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("making the socket of a fork server: %w", err)
	}
	return pair[0], os.NewFile(uintptr(pair[1]), "fork server"), nil
}

// greets waits until the command ends, or says that it can be a fork server, and reports which; one
// that cannot be served is told to go on as any other.
func (w *worker) greets(c *started, r request) bool {
	pidfd, err := unix.PidfdOpen(c.cmd.Process.Pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(pidfd)
	if !readable(r.Wall, c.socket, pidfd) || !readable(0, c.socket) {
		return false
	}
	if _, err := receive(c.socket); err != nil {
		return false
	}
	if w.nothingBefore(c.cmd.Process.Pid, r) {
		return true
	}
	_, _ = unix.Write(c.socket, order(false, 0, 0)) // it ends where it cannot read it
	return false
}

// readable waits for one of the descriptors.
func readable(wall time.Duration, fds ...int) bool {
	polled := make([]unix.PollFd, len(fds))
	for k, fd := range fds {
		polled[k] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	}
	until := time.Now().Add(wall)
	for {
		left := max(time.Until(until), 0)
		n, err := unix.Poll(polled, int((left+time.Millisecond-1)/time.Millisecond))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}

// receive reads a message of a fork server: a status of wait(2).
func receive(socket int) (syscall.WaitStatus, error) {
	var message [4]byte
	n, err := unix.Read(socket, message[:])
	if err == nil && n != len(message) {
		err = errServerLost
	}
	return syscall.WaitStatus(binary.NativeEndian.Uint32(message[:])), err
}

// nothingBefore reports whether all that a command does comes after it is a fork server: no
// mutated code ran, nothing was written, and nothing runs beside it or is open that forks would
// share.
func (w *worker) nothingBefore(pid int, r request) bool {
	page, err := readBack(request{Table: r.Table, Brief: true})
	if err != nil || len(page) < pageBytes || readTable(page, r.Table).processes > 0 || !w.stage.untouched() {
		return false
	}
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	threads, err := names(filepath.Join(folder, "task"))
	if err != nil || len(threads) != 1 {
		return false
	}
	open, err := names(filepath.Join(folder, "fd"))
	if err != nil {
		return false
	}
	for _, fd := range open {
		switch target, err := os.Readlink(filepath.Join(folder, "fd", fd)); {
		case err != nil:
			return false
		case fd == "0" && target == os.DevNull, (fd == "1" || fd == "2") && target == outputTarget, fd == strconv.Itoa(serverFD):
		default:
			return false
		}
	}
	running, err := w.running()
	return err == nil && slices.Equal(running, []int{pid})
}

// serve has a fork server make a run.
func (w *worker) serve(s *forkServer, r request) (*reply, error) {
	if err := s.outputs.clear(); err != nil {
		return nil, err
	}
	begun := time.Now()
	if _, err := unix.Write(s.socket, order(true, r.Selector, r.Fuel)); err != nil {
		return nil, w.lose(r)
	}
	timedOut := !readable(r.Wall, s.socket)
	if timedOut {
		w.endRuns()
		if !readable(endTime, s.socket) {
			return nil, w.lose(r)
		}
	}
	status, err := receive(s.socket)
	if err != nil {
		return nil, w.lose(r)
	}
	out := &reply{Wall: time.Since(begun), TimedOut: timedOut, Served: true}
	if w.clean(); w.servers[r.Server] == nil {
		return nil, errServerLost // to end the run took all fork servers, and what it printed is gone with this one
	}
	return out, w.seen(out, status, s.outputs, r)
}

// lose ends a fork server that does not answer, and what runs.
func (w *worker) lose(r request) error {
	s := w.servers[r.Server]
	delete(w.servers, r.Server)
	_ = unix.Kill(s.pid, unix.SIGKILL) // it may have ended, which is as good
	w.clean()
	return errors.Join(errServerLost, unix.Close(s.socket), s.outputs.close())
}

// running are the processes of the namespace but for this one and the fork servers.
func (w *worker) running() ([]int, error) {
	entries, err := names("/proc")
	if err != nil {
		return nil, err
	}
	var out []int
	for _, name := range entries {
		if pid, err := strconv.Atoi(name); err == nil && pid != os.Getpid() && !w.serves(pid) {
			out = append(out, pid)
		}
	}
	return out, nil
}

func (w *worker) serves(pid int) bool {
	for _, s := range w.servers {
		if s.pid == pid {
			return true
		}
	}
	return false
}

// names are those of the entries of a folder.
func names(folder string) ([]string, error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// endRuns kills every process of the namespace but this one and the fork servers, as far as they can be
// seen.
func (w *worker) endRuns() {
	if len(w.servers) > 0 {
		if running, err := w.running(); err == nil {
			for _, pid := range running {
				_ = unix.Kill(pid, unix.SIGKILL) // it may have ended, which is as good
			}
			return
		}
	}
	endAll()
}

// cleanings is how often clean kills what it finds. What is quicker than that loses the fork servers, too.
const cleanings = 50

// clean ends what a run left behind, and collects it.
func (w *worker) clean() {
	for tries := 0; len(w.servers) > 0; tries++ {
		running, err := w.running()
		if err == nil && len(running) == 0 {
			return
		}
		if err != nil || tries == cleanings {
			for number, s := range w.servers {
				delete(w.servers, number)
				_ = errors.Join(unix.Close(s.socket), s.outputs.close()) // nothing is kept in them
			}
			break
		}
		if tries > 1 {
			time.Sleep(time.Millisecond)
		}
		w.endRuns()
		for {
			if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); pid <= 0 && !errors.Is(err, unix.EINTR) {
				break
			}
		}
	}
	endAll()
	reap()
}

// started is a command that runs.
type started struct {
	cmd     *exec.Cmd
	begun   time.Time
	outputs outputs
	socket  int // of one that may become a fork server, or -1
}

func (c *started) close() error {
	err := c.outputs.close()
	if c.socket >= 0 {
		err = errors.Join(err, unix.Close(c.socket))
	}
	return err
}
