package execute

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// patience is how long a server may be silent beyond the fence of the run in
// hand: forks that wait for memory, a machine that is busy.
const patience = 20 * time.Second

// serverEnvironment is what a meta-mutant is started with: what programs see, and
// behind that, from LD_BIND_NOW on, which the runtime cuts off before the program
// begins, what is for its libc. Symbols are bound before the first fork, large blocks of the heap as mappings of their own
// whatever was freed before (runtime/interpose.c), no cache in which what a run
// finds depends on a random key, and no area of restartable sequences, to which
// the kernel writes while a runner has its memory protected.
var serverEnvironment = []string{
	"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC0", "HOME=/",
	"LD_BIND_NOW=1",
	"GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=131072:glibc.pthread.rseq=0",
}

// server is one resident process. It belongs to the goroutine that started it,
// which must stay on its thread: the kernel ends the server with that thread.
type server struct {
	cmd    *exec.Cmd
	to     *os.File
	from   *os.File
	reader *bufio.Reader
	hello  wireHello
	held   uint32   // what the launcher could do, held...
	proof  evidence // what the kernel says
	limit  int64    // OutputBytes
	peak   func(bytes int64)

	mu     sync.Mutex
	closed bool
}

// startServer starts the engine's executable in a confinement and a folder, and
// shakes hands.
func startServer(ctx context.Context, e *Engine, c confinement, folder *os.File) (*server, error) {
	var err error
	for attempt := range 20 {
		if err = ctx.Err(); err != nil {
			return nil, err
		}
		var s *server
		if s, err = spawn(e, c, folder); err == nil {
			unwatch := context.AfterFunc(ctx, s.kill)
			if err = s.handshake(e); unwatch() && err == nil {
				return s, nil
			}
			return nil, fmt.Errorf("starting a meta-mutant's server: %w", errors.Join(err, ctx.Err(), s.close()))
		}
		if !busy(err) {
			break
		}
		time.Sleep(time.Duration(attempt) * time.Millisecond)
	}
	return nil, fmt.Errorf("starting a meta-mutant's server: %w", err)
}

func spawn(e *Engine, c confinement, folder *os.File) (*server, error) {
	requestRead, requestWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	replyRead, replyWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requestRead.Close(), requestWrite.Close())
	}
	image, err := launcher()
	if err != nil {
		return nil, errors.Join(err, requestRead.Close(), requestWrite.Close(), replyRead.Close(), replyWrite.Close())
	}
	cmd := &exec.Cmd{
		Path:        "/proc/self/fd/7", // the last of the extra files
		Args:        []string{launcherName},
		Env:         []string{"GOMAXPROCS=1", "GOGC=off"},
		ExtraFiles:  []*os.File{requestRead, replyWrite, e.binary, folder, image},
		SysProcAttr: c.processAttributes(),
	}
	err = cmd.Start()
	requestRead.Close()
	replyWrite.Close()
	if err != nil {
		return nil, errors.Join(err, requestWrite.Close(), replyRead.Close())
	}
	return &server{cmd: cmd, to: requestWrite, from: replyRead, limit: e.options.OutputBytes, peak: e.notePeak,
		reader: bufio.NewReaderSize(replyRead, 1<<16)}, nil
}

func (s *server) handshake(e *Engine) error {
	setup := wireSetup{Magic: wireMagic, Memory: uint64(e.options.Memory), Output: uint64(e.options.OutputBytes)}
	if e.options.Output == OutputTrimmed {
		setup.Trim = 1
	}
	if e.options.Writable {
		setup.Writable, setup.Volume = 1, uint32(e.volume().bytes/page)
	}
	if e.options.weak {
		setup.Open = 1
	}
	if err := s.deadline(0); err != nil {
		return err
	}
	var key [8]byte
	rand.Read(key[:]) // as documented, it never fails
	orders := orders{Writable: e.options.Writable, Open: e.options.weak, Key: binary.LittleEndian.Uint64(key[:]), Read: e.reads}
	if err := orders.write(s.to); err != nil {
		return fmt.Errorf("telling the launcher: %w", err)
	}
	var err error
	if s.held, err = readLaunch(s.reader); err != nil {
		return err
	}
	if _, err := s.to.Write(key[:]); err != nil {
		return fmt.Errorf("sending its key: %w", err)
	}
	if err := binary.Write(s.to, binary.LittleEndian, setup); err != nil {
		return fmt.Errorf("sending the limits: %w (is the executable linked with winnow's runtime?)", err)
	}
	if err := binary.Read(s.reader, binary.LittleEndian, &s.hello); err != nil {
		return fmt.Errorf("waiting for its greeting: %w (is the executable linked with winnow's runtime?)", err)
	}
	if s.hello.Magic != wireMagic {
		return fmt.Errorf("%w: greeting %+v", errProtocol, s.hello)
	}
	if s.proof, err = look(s.cmd.Process.Pid); err != nil {
		return err
	}
	if !e.options.weak && !s.proof.confined() {
		return fmt.Errorf("%w: the kernel says of it %+v", errNotConfined, s.proof)
	}
	return nil
}

func (s *server) deadline(run time.Duration) error {
	at := time.Now().Add(run + patience)
	return errors.Join(s.from.SetReadDeadline(at), s.to.SetWriteDeadline(at))
}

// run makes the runs of a batch. On an error it returns those that were
// answered before; the server is then of no further use.
func (s *server) run(b *batch) ([]observation, error) {
	if err := s.deadline(b.silence()); err != nil {
		return nil, err
	}
	if _, err := s.to.Write(b.encode()); err != nil {
		return nil, fmt.Errorf("sending a batch: %w", err)
	}
	out := make([]observation, 0, len(b.selectors))
	for _, selector := range b.selectors {
		if s.reader.Buffered() < replyBytes { // a deadline costs as much as a run
			if err := s.deadline(b.silence()); err != nil {
				return out, err
			}
		}
		o, err := readReply(s.reader, selector, s.limit, int(s.hello.Sites))
		if err != nil {
			return out, fmt.Errorf("reading the reply for selector %d: %w", selector, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// kill ends the server and what runs below it; close must still be called.
func (s *server) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed { // afterwards the number may be somebody else's
		killGroup(s.cmd.Process.Pid)
	}
}

// close ends the server and says how it had ended, when that was not our doing.
func (s *server) close() error {
	s.to.Close()
	s.kill()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	err := s.cmd.Wait()
	s.from.Close()
	if used, ok := s.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak(used.Maxrss << 10) // of the largest of the server and of those that it saw end
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		return nil // by our signal
	}
	return err
}
