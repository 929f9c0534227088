package execute

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/winnow-mutants/winnow/internal/scratch"
)

// Test is one way to run the program: standard input, arguments after the program's
// name, and files in the folder in which it runs.
type Test struct {
	Name string
	// Input is the path of the standard input; where it is "", Text is that input.
	Input string
	Text  []byte
	Args  []string
	// Files are put into the run's folder before it starts. Those named by
	// Outputs, which a run may write (Options.Writable), are behaviour like what
	// it prints; names are relative to the folder, with slashes.
	Files   []File
	Outputs []string
}

// ReadInput returns the standard input; nil where the test has none, not even an
// empty one.
func (t *Test) ReadInput() ([]byte, error) {
	if t.Input == "" {
		return t.Text, nil
	}
	text, err := os.ReadFile(t.Input)
	if err != nil {
		return nil, fmt.Errorf("reading the input of test %s: %w", t.Name, err)
	}
	return text, nil
}

// File is a copy of the file at Path, with a name in the folder of a run.
type File struct {
	Name string
	// Path is where it is; where it is "", Text is what it holds.
	Path string
	Text string
}

// Read is what the file holds.
func (f *File) Read() ([]byte, error) {
	if f.Path == "" {
		return []byte(f.Text), nil
	}
	return os.ReadFile(f.Path)
}

// Mutant is what the engine needs to know of a mutant.
type Mutant struct {
	// Selector is its number in the meta-mutant, from 1.
	Selector int32
	// Site is its index in the module's winnow_reached.
	Site int
}

// Engine runs one meta-mutant. Its methods may be called one after the other.
type Engine struct {
	tests   []Test
	options Options
	binary  *os.File // read-only copy in memory
	scratch *scratch.Folder
	folder  *os.File // the runs' working folder: empty and read-only
	reads   []string // what tests name outside of the runs' folder
	confine confinement
	sandbox Sandbox
	sites   int
	// unfit holds, by test, that InProcess does not behave like Fork on it.
	unfit []atomic.Bool
	peak  atomic.Int64 // see PeakMemory
	// workers are those that a call has needed so far.
	workers []*worker
}

// Start loads a meta-mutant's executable and finds out how far this machine
// lets its runs be confined. Close must be called at the end.
func Start(ctx context.Context, binary string, tests []Test, options Options) (*Engine, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	for _, test := range tests {
		if err := test.check(options.Writable); err != nil {
			return nil, fmt.Errorf("test %s: %w", test.Name, err)
		}
	}
	e := &Engine{tests: tests, options: options, unfit: make([]atomic.Bool, len(tests)), reads: named(tests)}
	if options.sanitized {
		e.reads = append(e.reads, "/proc") // the sanitizer reads each process's memory map
	}
	for i := range tests {
		e.unfit[i].Store(len(ended(tests[i].outputs())) > maxNameBytes)
	}
	if e.binary, err = loadBinary(binary); err != nil {
		return nil, err
	}
	if err := checkImage(e.binary, options.sanitized); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if err := e.makeFolder(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.worker(0).do(func(w *worker) { err = e.confineRuns(ctx, w) })
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (t Test) check(writable bool) error {
	if err := t.checkFiles(writable); err != nil {
		return err
	}
	size := 0
	for _, arg := range t.Args {
		if strings.IndexByte(arg, 0) >= 0 {
			return errors.New("an argument holds a NUL byte")
		}
		size += len(arg) + 1
	}
	if len(t.Args) > maxArguments || size > maxArgumentBytes {
		return fmt.Errorf("%d arguments of %d bytes are more than %d of %d", len(t.Args), size, maxArguments, maxArgumentBytes)
	}
	if t.Input == "" {
		return nil
	}
	info, err := os.Stat(t.Input)
	if err != nil {
		return fmt.Errorf("looking at its input: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("its input %s is not a regular file", t.Input)
	}
	return nil
}

func (e *Engine) makeFolder() error {
	var err error
	if e.scratch, err = scratch.New("run"); err != nil {
		return err
	}
	if e.folder, err = os.Open(e.scratch.Path); err != nil {
		return errors.Join(fmt.Errorf("opening the runs' folder: %w", err), e.scratch.Remove())
	}
	if err := e.folder.Chmod(0o555); err != nil {
		return fmt.Errorf("closing the runs' folder to writing: %w", err)
	}
	return nil
}

// confineRuns tries the confinements, the strongest first, until a server
// starts in one. It is the first worker's, which goes on with it.
func (e *Engine) confineRuns(ctx context.Context, w *worker) error {
	var failures []error
	for _, c := range confinements() {
		if (e.options.weak || e.options.noNamespaces) && c.namespaces {
			continue
		}
		s, err := startServer(ctx, e, c, e.folder)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		w.server, e.confine, e.sites = s, c, int(s.hello.Sites)
		if e.options.Writable && s.held&heldFiles == 0 {
			return errNoFiles
		}
		e.sandbox = Sandbox{
			User: c.user, Namespaces: c.namespaces && s.proof.ownProcesses,
			Filter: s.proof.filter, Files: s.held&heldFiles != 0, FixedAddresses: s.held&heldAddresses != 0,
		}
		if e.options.Sandboxed != nil {
			e.options.Sandboxed(e.sandbox)
		}
		if weaknesses := e.sandbox.Weaknesses(); e.options.RequireSandbox && len(weaknesses) > 0 {
			return &SandboxError{weaknesses}
		}
		if s.hello.Features&featureInProcess == 0 {
			e.options.Tier = e.options.Tier.alone()
		}
		if e.private() {
			w.stop() // its runs have another folder than this
		}
		return nil
	}
	return errors.Join(failures...)
}

// Sandbox says what holds for the runs on this machine.
func (e *Engine) Sandbox() Sandbox { return e.sandbox }

// Sites returns the number of sites of the meta-mutant.
func (e *Engine) Sites() int { return e.sites }

// PeakMemory is the largest resident set, in bytes, that any process of a worker
// had: its server, or a run. A worker has one of each at a time. A server counts when
// it has ended (Rest, Close).
func (e *Engine) PeakMemory() int64 { return e.peak.Load() }

// notePeak keeps the peak of a server that ended and of its children.
func (e *Engine) notePeak(bytes int64) {
	for before := e.peak.Load(); bytes > before && !e.peak.CompareAndSwap(before, bytes); before = e.peak.Load() {
	}
}

// Rest ends the servers, which otherwise wait for the next call: what they and their runs took
// is this process's from then on (PeakMemory, getrusage). The next call starts others.
func (e *Engine) Rest() {
	for _, w := range e.workers {
		w.do((*worker).stop)
	}
}

// Close ends the servers and removes the runs' folders.
func (e *Engine) Close() error {
	err := e.binary.Close()
	for _, w := range e.workers {
		err = errors.Join(err, w.end())
	}
	e.workers = nil
	if e.folder != nil {
		// Without the filter a run may have opened it and left something there.
		err = errors.Join(err, e.folder.Chmod(0o700), e.folder.Close(), e.scratch.Remove())
	}
	return err
}

// worker is one of the engine's, which begins with the first call that needs it.
func (e *Engine) worker(i int) *worker {
	for len(e.workers) <= i {
		e.workers = append(e.workers, newWorker(e))
	}
	return e.workers[i]
}

// eachTask does tasks 0 to n-1 on the engine's workers. The first error ends all.
func (e *Engine) eachTask(ctx context.Context, n int, do func(ctx context.Context, w *worker, task int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range min(e.options.Workers, n) {
		w := e.worker(i)
		all.Go(func() {
			w.do(func(w *worker) {
				for task := int(next.Add(1)) - 1; task < n && ctx.Err() == nil; task = int(next.Add(1)) - 1 {
					if err := do(ctx, w, task); err != nil {
						cancel(err)
					}
				}
			})
		})
	}
	all.Wait()
	return context.Cause(ctx)
}
