package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Main is the program of a worker. Every executable that starts engines calls it
// first: in a process that is no worker it returns at once, in a worker never.
func Main() {
	if len(os.Args) != 1 || os.Args[0] != workerName {
		return
	}
	os.Exit(work(os.NewFile(requestFD, "requests"), os.NewFile(replyFD, "replies")))
}

// worker answers requests until there are none.
type worker struct {
	stage   *stage
	servers map[int]*forkServer // by request.Server
}

func work(requests io.Reader, replies io.Writer) int {
	runtime.LockOSThread() // see dropPrivileges
	in, out := json.NewDecoder(requests), json.NewEncoder(replies)
	var s setup
	if err := in.Decode(&s); err != nil {
		return 1
	}
	w := &worker{servers: map[int]*forkServer{}}
	err := w.begin(s)
	if failed := out.Encode(replyOf(err)); failed != nil || err != nil {
		return 1
	}
	// When the engine ends, this process does, and with it all of its namespace.
	next := make(chan request)
	go func() {
		for {
			var r request
			if err := in.Decode(&r); err != nil {
				os.Exit(0)
			}
			next <- r
		}
	}()
	for r := range next {
		answer, err := w.run(r)
		if err != nil {
			answer = replyOf(err)
		}
		if err := out.Encode(answer); err != nil {
			return 1
		}
	}
	return 0
}

func replyOf(err error) *reply {
	if err == nil {
		return &reply{}
	}
	return &reply{Err: err.Error(), Code: exit.Of(err)}
}

// begin confines the worker; what it starts is confined from its first instruction.
func (w *worker) begin(s setup) error {
	var err error
	if w.stage, err = newStage(s); err != nil {
		return err
	}
	if err := raiseLoopback(); err != nil {
		return err
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

// dropPrivileges lets this thread keep what it may do in its namespaces, and what it
// executes have none of it: nothing is inherited, the bounding set is empty, and no
// file can add any. Commands are started by this thread alone.
func dropPrivileges() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return fmt.Errorf("reading privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up ambient privileges: %w", err)
	}
	for capability := range uintptr(unix.CAP_LAST_CAP + 1) {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) { // EINVAL: this kernel has not that many
			return fmt.Errorf("bounding privileges: %w", err)
		}
	}
	data[0].Inheritable, data[1].Inheritable = 0, 0
	if err := unix.Capset(&header, &data[0]); err != nil {
		return fmt.Errorf("giving up inheritable privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	return nil
}

// raiseLoopback turns on the only network device that the namespace has.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raising the loopback: %w", err)
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("raising the loopback: %w", err)
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("raising the loopback: %w", err)
	}
	return nil
}

func (w *worker) run(r request) (*reply, error) {
	out, err := w.once(r)
	if errors.Is(err, errServerLost) {
		r.Server = 0
		return w.once(r)
	}
	return out, err
}

func (w *worker) once(r request) (*reply, error) {
	if err := w.stage.raise(r.Build); err != nil {
		return nil, err
	}
	if r.Table > 0 {
		if err := w.makeTable(r); err != nil {
			return nil, err
		}
	}
	if r.Cases {
		if err := os.WriteFile(casesPath, nil, 0o600); err != nil {
			return nil, fmt.Errorf("making room for what a run reaches line by line: %w", err)
		}
	}
	if r.Traces {
		if err := os.Mkdir(tracesPath, 0o755); err != nil {
			return nil, fmt.Errorf("making a folder for traces: %w", err)
		}
	}
	out, err := w.command(r)
	if err != nil {
		return nil, err
	}
	if r.Table > 0 {
		if out.Table, err = readBack(r); err != nil {
			return nil, err
		}
	}
	if r.Cases {
		if out.Cases, err = readCases(); err != nil {
			return nil, err
		}
	}
	if r.Traces {
		out.Traces, err = readTraces(tracesPath)
	}
	return out, err
}

func (w *worker) makeTable(r request) error {
	if err := os.Remove(tablePath); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the table of the last run: %w", err)
	}
	if err := os.WriteFile(tablePath, make([]byte, pageBytes), 0o600); err != nil {
		return fmt.Errorf("making the table of a run: %w", err)
	}
	if r.Brief {
		return nil
	}
	return os.Truncate(tablePath, tableSize(r.Table))
}

// readBack is the table that the run noted in; a run that removed it has none.
func readBack(r request) ([]byte, error) {
	f, err := os.Open(tablePath)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the table of a run: %w", err)
	}
	defer f.Close()
	page := make([]byte, pageBytes)
	if _, err := io.ReadFull(f, page); err != nil {
		return nil, nil
	}
	if r.Brief {
		return page, nil
	}
	rest, err := io.ReadAll(io.LimitReader(f, taken(page, r.Table)-pageBytes))
	if err != nil {
		return nil, fmt.Errorf("reading the table of a run: %w", err)
	}
	return append(page, rest...), nil
}

// readCases is what the run reached line by line; nothing where that is too much to hand on, or gone.
func readCases() ([]byte, error) {
	info, err := os.Lstat(casesPath)
	if errors.Is(err, os.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > mostSegments) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what a run reached line by line: %w", err)
	}
	return os.ReadFile(casesPath)
}

// command runs the command, ends whatever it leaves behind, and says what was seen.
func (w *worker) command(r request) (*reply, error) {
	if s := w.servers[r.Server]; s != nil {
		return w.serve(s, r)
	}
	c, err := w.start(r)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOEXEC) {
		return &reply{Status: notThere, Stderr: printed{Tail: []byte(err.Error() + "\n")}}, nil
	}
	if err != nil {
		return nil, err
	}
	if c.socket >= 0 && w.greets(c, r) {
		s := &forkServer{pid: c.cmd.Process.Pid, socket: c.socket, outputs: c.outputs}
		w.servers[r.Server] = s
		if err := c.cmd.Process.Release(); err != nil {
			return nil, fmt.Errorf("starting a fork server: %w", err)
		}
		return w.serve(s, r)
	}
	defer c.close()
	ended := make(chan bool)
	timer := time.AfterFunc(r.Wall-time.Since(c.begun), func() { w.endRuns(); close(ended) })
	err = c.cmd.Wait()
	out := &reply{Wall: time.Since(c.begun), TimedOut: !timer.Stop()}
	if out.TimedOut {
		<-ended
	}
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("waiting for %s: %w", r.Argv[0], err)
	}
	w.clean()
	return out, w.seen(out, c.cmd.ProcessState.Sys().(syscall.WaitStatus), c.outputs, r)
}

// notThere is how a shell ends whose command cannot be started.
const notThere = 127

const shell = "/bin/sh"

// start starts the command; with a socket, where it may become a fork server.
func (w *worker) start(r request) (*started, error) {
	path, err := lookUp(r)
	if err != nil {
		return nil, err
	}
	c := &started{socket: -1}
	if c.outputs, err = newOutputs(); err != nil {
		return nil, err
	}
	c.cmd = &exec.Cmd{Path: path, Args: r.Argv, Dir: r.Dir, Env: r.Env, Stdout: c.outputs[0], Stderr: c.outputs[1],
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
	if r.Cases {
		var output unix.Stat_t
		if err := unix.Fstat(int(c.outputs[0].Fd()), &output); err != nil {
			return nil, errors.Join(fmt.Errorf("looking at the output: %w", err), c.close())
		}
		c.cmd.Env = append(slices.Clone(r.Env), fmt.Sprintf("WINNOW_OUTPUT=%d", output.Ino))
	}
	if r.Stdin != "" {
		input, err := os.Open(r.Stdin)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("opening the input: %w", err), c.close())
		}
		defer input.Close()
		c.cmd.Stdin = input
	}
	if w.mayServe(r) {
		var server *os.File
		if c.socket, server, err = sockets(); err != nil {
			return nil, errors.Join(err, c.close())
		}
		defer server.Close()
		c.cmd.Env = append(slices.Clone(r.Env), fmt.Sprintf("WINNOW_SERVER=%d", serverFD))
		c.cmd.ExtraFiles = make([]*os.File, serverFD-3+1)
		c.cmd.ExtraFiles[serverFD-3] = server
	}
	c.begun = time.Now()
	err = w.limited(c.cmd.Start)
	if errors.Is(err, unix.ENOEXEC) {
		// A script that does not say what reads it: shells, and make, give it to a shell.
		again := exec.Cmd{Path: shell, Args: slices.Concat([]string{shell, path}, r.Argv[1:]), Dir: c.cmd.Dir, Env: c.cmd.Env,
			Stdin: c.cmd.Stdin, Stdout: c.cmd.Stdout, Stderr: c.cmd.Stderr, ExtraFiles: c.cmd.ExtraFiles, SysProcAttr: c.cmd.SysProcAttr}
		c.cmd = &again
		err = w.limited(c.cmd.Start)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting %s: %w", r.Argv[0], err), c.close())
	}
	return c, nil
}

// seen adds to a reply how the command ended and what it left.
func (w *worker) seen(out *reply, status syscall.WaitStatus, outputs outputs, r request) (err error) {
	if status.Signaled() {
		out.Signal = int(status.Signal())
	} else {
		out.Status = status.ExitStatus()
	}
	if out.Stdout, err = measure(outputs[0], r.Keep); err != nil {
		return err
	}
	if out.Stderr, err = measure(outputs[1], r.Keep); err != nil {
		return err
	}
	out.Files, err = measureFiles(r.Dir, r.Files, w.stage.TmpBytes)
	return err
}

// outputs are what a command prints and what it prints as errors, in memory.
type outputs [2]*os.File

// outputTarget is what a link to a descriptor of them says.
const outputTarget = "/memfd:output (deleted)"

func newOutputs() (out outputs, err error) {
	for k := range out {
		fd, err := unix.MemfdCreate("output", unix.MFD_CLOEXEC)
		if err != nil {
			return out, errors.Join(fmt.Errorf("making room for output: %w", err), out.close())
		}
		out[k] = os.NewFile(uintptr(fd), "output")
	}
	return out, nil
}

// clear makes room for the next run of those who have them open already.
func (o outputs) clear() error {
	for _, f := range o {
		if err := f.Truncate(0); err != nil {
			return fmt.Errorf("making room for output: %w", err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("making room for output: %w", err)
		}
	}
	return nil
}

func (o outputs) close() error {
	var errs []error
	for _, f := range o {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// measureFiles hashes the names and contents of the regular files below a folder that patterns
// name, up to so many bytes: files with holes hold more than a run can write. A pattern that names
// none is as good as one that does: then that is what is compared.
func measureFiles(dir string, patterns []string, most int64) (printed, error) {
	if len(patterns) == 0 {
		return printed{}, nil
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return printed{}, nil // the test has removed it, and with it all files
	}
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return printed{}, fmt.Errorf("looking for files %s: %w", pattern, err)
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	var out printed
	hash := fnv.New64a()
	for _, path := range slices.Compact(paths) {
		// A mutant may have made a link or a pipe of it, or a link of a folder on the way.
		real, err := filepath.EvalSymlinks(path)
		if info, gone := os.Lstat(path); err != nil || gone != nil || real != path || !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return printed{}, fmt.Errorf("reading a file that a test wrote: %w", err)
		}
		fmt.Fprintf(hash, "%s\x00", path)
		n, err := io.Copy(hash, io.LimitReader(f, most-out.Length))
		f.Close()
		if err != nil {
			return printed{}, fmt.Errorf("reading a file that a test wrote: %w", err)
		}
		fmt.Fprintf(hash, "\x00%d\x00", n)
		out.Length += n
	}
	out.Hash = hash.Sum64()
	return out, nil
}

// endAll kills every process of the namespace but this one.
func endAll() {
	// ESRCH: there is none, which is as good.
	_ = unix.Kill(-1, unix.SIGKILL)
}

// reap collects the processes that lost their parent.
func reap() {
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// limited starts a command under the limits of memory and of the size of files. It
// takes them over from this process, which has them only meanwhile.
func (w *worker) limited(start func() error) error {
	limits := map[int]int64{unix.RLIMIT_AS: w.stage.Memory, unix.RLIMIT_FSIZE: w.stage.FileBytes}
	for resource, limit := range limits {
		var before unix.Rlimit
		if err := unix.Getrlimit(resource, &before); err != nil {
			return err
		}
		now := before
		now.Cur = min(uint64(limit), before.Max)
		if err := unix.Setrlimit(resource, &now); err != nil {
			return err
		}
		defer unix.Setrlimit(resource, &before)
	}
	return start()
}

// lookUp finds the command in the PATH of its own environment.
func lookUp(r request) (string, error) {
	name := r.Argv[0]
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, variable := range r.Env {
		if folders, ok := strings.CutPrefix(variable, "PATH="); ok {
			for _, folder := range filepath.SplitList(folders) {
				path := filepath.Join(folder, name)
				if unix.Access(path, unix.X_OK) == nil {
					return path, nil
				}
			}
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

// measure reads what was written to a descriptor.
func measure(f *os.File, keep int64) (printed, error) {
	length, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return printed{}, fmt.Errorf("reading output: %w", err)
	}
	hash := fnv.New64a()
	if _, err := io.Copy(hash, f); err != nil {
		return printed{}, fmt.Errorf("reading output: %w", err)
	}
	tail := make([]byte, min(length, keep))
	if _, err := f.ReadAt(tail, length-int64(len(tail))); err != nil && err != io.EOF {
		return printed{}, fmt.Errorf("reading output: %w", err)
	}
	return printed{Length: length, Hash: hash.Sum64(), Tail: tail}, nil
}
