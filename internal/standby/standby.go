// Package standby runs tools that take long to start, and has them do it once.
//
// A compiler that is linked to LLVM's libraries takes a tenth of a second of CPU and more until
// its main function begins: four thousand pages of it are written, each by a fault, before it has
// looked at an argument. Here a tool that is started waits at this point, and each call of it is
// a child forked from there, as fuzzers start the programs that they test (American Fuzzy Lop's
// fork server). What it does from there on, it does as if it had been started: it has the
// arguments, the environment, the folder, the standard files and the rights of the call.
//
// The part that waits is a library of ours (runtime/wait.c) that the tool is started with (LD_PRELOAD) and
// that stands in the way of the C library's __libc_start_main. A tool that cannot be started so is
// told by Run, and is for the caller to start as any other.
package standby

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Call is one call of a tool. The files are all there.
type Call struct {
	Path string
	// Args are the arguments behind the tool's name.
	Args []string
	// Env are the variables of the environment, Dir is the folder, "" that of this process.
	Env                   []string
	Dir                   string
	Stdin, Stdout, Stderr *os.File
	// Own are the folders below which it writes (confine.Run).
	Own []string
}

// ErrCannot is wrapped where a tool has not done what it was called for, through no fault of its own.
var ErrCannot = errors.New("the tool cannot wait for its calls")

// Status is how a tool ended that has not ended well, in the words of package os.
type Status syscall.WaitStatus

func (s Status) Error() string {
	w := syscall.WaitStatus(s)
	words := fmt.Sprintf("exit status %d", w.ExitStatus())
	if w.Signaled() {
		words = "signal: " + w.Signal().String()
	}
	if w.CoreDump() {
		words += " (core dumped)"
	}
	return words
}

// Tools are the tools that wait. It may be used by many at once.
type Tools struct {
	library []byte

	mu   sync.Mutex
	idle map[string][]*server
	// cannot are those that turned out not to.
	cannot map[string]bool
}

// New waits with a library that is made of Source as a shared one.
func New(library []byte) *Tools {
	return &Tools{library: library, idle: map[string][]*server{}, cannot: map[string]bool{}}
}

// slow are the libraries that make the start of a tool take long.
var slow = []string{"libLLVM", "libclang"}

// Pays says whether a tool is one that takes long to start, and may be started by Run.
func Pays(path string) bool {
	if _, other := os.LookupEnv("LD_PRELOAD"); other {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	f, err := elf.Open(real)
	if err != nil {
		return false // a script that starts another, for one
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	return err == nil && slices.ContainsFunc(libraries, func(library string) bool {
		return slices.ContainsFunc(slow, func(name string) bool { return strings.HasPrefix(library, name) })
	})
}

// take is a server that nobody has at the moment, or a new one.
func (t *Tools) take(path string) (*server, error) {
	t.mu.Lock()
	if idle := t.idle[path]; len(idle) > 0 {
		s := idle[len(idle)-1]
		t.idle[path] = idle[:len(idle)-1]
		t.mu.Unlock()
		return s, nil
	}
	cannot := t.cannot[path]
	t.mu.Unlock()
	if cannot {
		return nil, ErrCannot
	}
	s, err := start(path, t.library)
	if err != nil {
		t.mu.Lock()
		t.cannot[path] = true
		t.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", ErrCannot, err)
	}
	return s, nil
}

// give has a server wait for whoever calls its tool next: there are as many as can run at once.
func (t *Tools) give(path string, s *server) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle[path]) >= runtime.GOMAXPROCS(0) {
		s.end()
		return
	}
	t.idle[path] = append(t.idle[path], s)
}

// Rest ends the servers that nobody has, and waits until they have ended: from then on what they
// took counts as this process's children's. The next call starts its tool anew.
func (t *Tools) Rest() {
	t.mu.Lock()
	idle := t.idle
	t.idle = map[string][]*server{}
	t.mu.Unlock()
	for _, servers := range idle {
		for _, s := range servers {
			s.end()
		}
	}
}
