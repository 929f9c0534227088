package standby

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/internal/confine"
)

// Source is the C of the library that New wants.
//
//go:embed runtime/wait.c
var Source string

// startLimit is how long a tool may take until it waits. None takes a second.
const startLimit = 20 * time.Second

// server is a tool that waits.
type server struct {
	cmd     *exec.Cmd
	channel *net.UnixConn
	ended   <-chan error
}

// The messages of runtime/wait.c.
type (
	question struct{ Arguments, Variables, Bytes, Bounded uint32 }
	answer   struct{ Status, Begun uint32 }
)

func start(path string, library []byte) (*server, error) {
	file, err := memory("library", library)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(ends[0]), "tool"), os.NewFile(uintptr(ends[1]), "winnow")
	conn, err := net.FileConn(ours)
	ours.Close()
	if err != nil {
		theirs.Close()
		return nil, fmt.Errorf("using a socket: %w", err)
	}
	s := &server{cmd: command(path, theirs, file), channel: conn.(*net.UnixConn)}
	s.ended, err = confine.Start(s.cmd)
	theirs.Close() // the server alone has that end, so that ours tells when it is no more
	if err != nil {
		conn.Close()
		return nil, err
	}
	_ = conn.SetReadDeadline(time.Now().Add(startLimit))
	if _, err = s.answer(); err != nil {
		s.end()
		return nil, fmt.Errorf("starting %s to wait: %w", path, err)
	}
	_ = conn.SetReadDeadline(time.Time{})
	return s, nil
}

// command is a tool that will wait.
func command(path string, channel, library *os.File) *exec.Cmd {
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), fmt.Sprintf("LD_PRELOAD=/proc/self/fd/%d", runtimeDescriptor))
	cmd.ExtraFiles = []*os.File{channel, library}
	return cmd
}

// runtimeDescriptor is RUNTIME of runtime/wait.c.
const runtimeDescriptor = 4

// end ends a server, with its child where it has one: neither has anything to put in order.
func (s *server) end() {
	_ = s.cmd.Process.Kill()
	s.channel.Close()
	<-s.ended
}

func (s *server) answer() (a answer, err error) {
	raw := make([]byte, binary.Size(a))
	if _, err := io.ReadFull(s.channel, raw); err != nil {
		return a, err
	}
	_, err = binary.Decode(raw, binary.NativeEndian, &a)
	return a, err
}

// Run calls a tool and waits for its end: nil is status 0. With an error that wraps ErrCannot the
// tool has not begun, or was ended from outside with what waited, and does nothing more.
func (t *Tools) Run(ctx context.Context, c Call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s, err := t.take(c.Path)
	if err != nil {
		return err
	}
	if err := s.ask(&c); err != nil {
		s.end()
		return fmt.Errorf("%w: %w", ErrCannot, err)
	}
	cancelled := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = s.cmd.Process.Kill()
		close(cancelled)
	})
	a, err := s.answer()
	if !stop() {
		<-cancelled
		s.end()
		return ctx.Err()
	}
	if err != nil {
		s.end()
		return fmt.Errorf("%w: it was ended: %w", ErrCannot, err)
	}
	t.give(c.Path, s)
	switch {
	case a.Begun == 0:
		return fmt.Errorf("%w: it has not begun", ErrCannot)
	case a.Status != 0:
		return Status(a.Status)
	}
	return nil
}

// ask sends a call.
func (s *server) ask(c *Call) error {
	folder := c.Dir
	if folder == "" { // which may be another than when the server was started
		var err error
		if folder, err = os.Getwd(); err != nil {
			return fmt.Errorf("finding the folder of this process: %w", err)
		}
	}
	var text strings.Builder
	argv := append([]string{c.Path}, c.Args...)
	// As package exec gives it: of a variable that is there more than once the last.
	environment := (&exec.Cmd{Env: c.Env, Dir: c.Dir}).Environ()
	for _, word := range append(append(argv, environment...), folder) {
		if strings.ContainsRune(word, 0) {
			return fmt.Errorf("a word of the call has a zero: %q", word)
		}
		text.WriteString(word)
		text.WriteByte(0)
	}
	words, err := memory("words", []byte(text.String()))
	if err != nil {
		return err
	}
	defer words.Close()
	files := []*os.File{words, c.Stdin, c.Stdout, c.Stderr}
	q := question{Arguments: uint32(len(argv)), Variables: uint32(len(environment)), Bytes: uint32(text.Len())}
	switch rules, err := confine.ToolRules(c.Own...); {
	case err == nil:
		defer rules.Close()
		files = append(files, rules)
		q.Bounded = 1
	case !errors.Is(err, confine.ErrUnavailable):
		return err
	}
	var descriptors []int
	for _, f := range files {
		raw, err := f.SyscallConn()
		if err != nil {
			return err
		}
		// The file stays open until the message is sent.
		_ = raw.Control(func(fd uintptr) { descriptors = append(descriptors, int(fd)) })
	}
	message, err := binary.Append(nil, binary.NativeEndian, q)
	if err != nil {
		return err
	}
	_, _, err = s.channel.WriteMsgUnix(message, unix.UnixRights(descriptors...), nil)
	return err
}

// memory is a file that only its descriptors lead to.
func memory(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("making a file in memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if _, err := f.Write(content); err != nil {
		f.Close()
		return nil, fmt.Errorf("writing to a file in memory: %w", err)
	}
	return f, nil
}

// Memory is an empty file that is nowhere but in memory, for what a tool is to print.
func Memory() (*os.File, error) { return memory("printed", nil) }
