package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// ErrNoNamespaces is wrapped by the error of Start on a machine that does not let a user
// make namespaces, or mount in them.
var ErrNoNamespaces = errors.New("this machine does not let commands be confined in namespaces")

// Test is a command that runs what the build made.
type Test struct {
	Name string
	// Argv is the command; a name without a slash is looked up in PATH.
	Argv []string
	// Dir is the folder it runs in, Env adds to the environment (NAME=value), and Stdin is
	// the path of its input, "" for none.
	Dir   string
	Env   []string
	Stdin string
	// Fails says that the test passes when the command fails. Skip is the exit status
	// by which it says that it could not test; 0 means 77, automake's.
	Fails bool
	Skip  int
	// Compare says what counts beside how the command ends, and Files are patterns, as seen from
	// Dir, of files whose names and contents do.
	Compare Comparison
	Files   []string
	// Tally is what the command prints last where nothing failed, if it counts its failures (Engine.Tallies):
	// where it does not say so, the test fails, too, however the command ends. "" is of others. It
	// does not count where the build that holds the mutants prints something else without any.
	Tally string
	// Cases are the checks of which the command prints a line each that they pass (Engine.Cases): where fewer pass, the
	// test fails, too, and each has a verdict of its own (Columns). Those that the build that holds the mutants does not
	// print without any do not count.
	Cases []string
	// Status is how the command ends though nothing is mutated, since other checks than its Cases fail
	// (Engine.Statuses): then they are its verdict. 0 is of a test that passes.
	Status int
}

// Comparison says which outputs of a command are behaviour. They are compared byte
// for byte.
type Comparison struct{ Stdout, Stderr bool }

// skipped is the exit status by which a test of automake says that it did not test, and
// one of CTest and Meson by custom.
const skipped = 77

// Builds are the layers of a project's base: what it is with mutated objects.
type Builds struct {
	// Base is the folder in which the project was built, an absolute path without
	// symbolic links.
	Base string
	// Mutants is the layer of the meta-mutant, Probe that of the probing build, Traced that of
	// a build which writes down what runs (Trace).
	Mutants, Probe, Traced string
	// Sites is the length of the meta-mutant's table of sites, Shape that of the
	// probing build's.
	Sites int
	Shape execute.ProbeShape
}

// Options say how to run. The zero value is what most callers want.
type Options struct {
	// Workers is the number of commands that run at once; 0 means one a core.
	Workers int
	// The original may take BaselineWall; 0 means 5 min. For what a mutant may do see limits.go.
	BaselineWall time.Duration
	// Memory is the address space of a process, 0 means 4 GiB; FileBytes the size of a
	// file, its output among them, 0 means 256 MiB; TmpBytes what a run may write, 0
	// means 1 GiB.
	Memory, FileBytes, TmpBytes int64
	// Matrix runs all tests that infect a mutant. Otherwise a mutant's tests end with the
	// first that kills it.
	Matrix bool
	// Limits says what a run means that a limit ended.
	Limits execute.LimitPolicy
	// Until is when no further test is begun, and those that run are ended, without a verdict; zero means never.
	Until time.Time
	// NoForkServer starts the command for each run, where it otherwise is started once and forked.
	// OnServed is told of each test whose runs are forks. Calls do not overlap.
	NoForkServer bool
	OnServed     func(test int)
	// Known is what an earlier run on the same tests found of a mutant, which is then not
	// run: the cells of its pairs that did not survive. Nil knows of none.
	Known func(m execute.Mutant) (cells []execute.Cell, known bool)
	// Progress is told after each mutant how many are decided.
	Progress func(done, total int)
	// OnBlind is told of each test that passes though the program is stopped as soon as it
	// begins, and whether what it prints is compared in the place of how it ends. Calls do not overlap.
	OnBlind func(test int, byOutput bool)
	// OnMutant gets what is found of each mutant that is not Known as it is found, in any
	// order. Calls do not overlap.
	OnMutant func(d Decision)
}

func (o Options) withDefaults() Options {
	orElse(&o.Workers, runtime.NumCPU())
	orElse(&o.BaselineWall, 5*time.Minute)
	orElse(&o.Memory, 4<<30)
	orElse(&o.FileBytes, 256<<20)
	orElse(&o.TmpBytes, 1<<30)
	return o
}

func orElse[T int | int64 | time.Duration](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}

// Engine runs the tests of one project. Its methods may be called one after the
// other.
type Engine struct {
	builds  Builds
	tests   []Test
	options Options
	all     []*client
	tallies []string   // by test, as Check saw them
	cases   [][]string // likewise
	status  []int      // likewise, by Statuses
	passing []int      // by test, how many of its cases pass on the build that holds the mutants
	// silent are, by test, the cases that do not say so there.
	silent []map[string]bool
	// probed are, by test, what each of its columns reaches and infects (columnsOf); nil where it is not known.
	probed [][]caseProbe
}

// names of builds in requests.
const (
	mutantsBuild = "mutants"
	probeBuild   = "probe"
	tracedBuild  = "traced"
)

// Start starts the workers. Close must be called at the end.
func Start(ctx context.Context, builds Builds, tests []Test, options Options) (*Engine, error) {
	e := &Engine{builds: builds, tests: slices.Clone(tests), options: options.withDefaults(), tallies: make([]string, len(tests)), status: make([]int, len(tests)),
		cases: make([][]string, len(tests)), passing: make([]int, len(tests)), silent: make([]map[string]bool, len(tests)), probed: make([][]caseProbe, len(tests))}
	for t := range tests {
		e.passing[t] = len(tests[t].Cases)
	}
	layers := map[string]string{}
	for name, path := range map[string]string{mutantsBuild: builds.Mutants, probeBuild: builds.Probe, tracedBuild: builds.Traced} {
		if path != "" {
			layers[name] = path
		}
	}
	s := setup{Base: builds.Base, Layers: layers, TmpBytes: e.options.TmpBytes, FileBytes: e.options.FileBytes, Memory: e.options.Memory}
	for range e.options.Workers {
		c, err := startClient(ctx, s)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.all = append(e.all, c)
	}
	return e, nil
}

// Close ends the workers.
func (e *Engine) Close() error {
	var errs []error
	for _, c := range e.all {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// Prepare runs a command, which builds the project again with mutated objects, and
// keeps what it writes in layer, an empty folder of the file system that the base is on. Env is the
// whole environment. What it printed last is in the error when it fails.
func Prepare(ctx context.Context, base, layer string, argv []string, dir string, env []string, limit time.Duration) error {
	work := layer + workSuffix
	if err := os.Mkdir(work, 0o755); err != nil {
		return fmt.Errorf("making room for a build: %w", err)
	}
	defer os.RemoveAll(work)
	defaults := Options{}.withDefaults()
	c, err := startClient(ctx, setup{Base: base, Into: layer, TmpBytes: defaults.TmpBytes, FileBytes: 4 << 30, Memory: 1 << 40})
	if err != nil {
		return err
	}
	answer, err := c.do(ctx, request{Argv: argv, Dir: dir, Env: env, Wall: limit, Keep: 4096})
	if err = errors.Join(err, c.close()); err != nil {
		return err
	}
	if answer.TimedOut || answer.Status != 0 || answer.Signal != 0 {
		return &BuildError{Argv: argv, Status: answer.Status, TimedOut: answer.TimedOut, Output: string(answer.Stderr.Tail)}
	}
	return nil
}

// BuildError is a build with mutated objects that failed.
type BuildError struct {
	Argv     []string
	Status   int
	TimedOut bool
	Output   string // the end of what it printed as errors
}

func (e *BuildError) Error() string {
	if e.TimedOut {
		return fmt.Sprintf("%q took too long with mutated objects", e.Argv)
	}
	return fmt.Sprintf("%q failed with mutated objects (status %d): %s", e.Argv, e.Status, e.Output)
}

// workerName is the name under which this executable is a worker (Main).
const workerName = "winnow: worker for commands"

// client is the engine's side of a worker.
type client struct {
	cmd     *exec.Cmd
	request *os.File
	reply   *os.File
	in      *json.Encoder
	out     *json.Decoder
}

// startTime bounds how long a worker may take to be ready, on a machine that is busy. An
// executable that does not call Main never is.
const startTime = time.Minute

// startClient starts a worker in the first way that this machine allows, and waits until
// it is confined.
func startClient(ctx context.Context, s setup) (*client, error) {
	var err error
	if s.Base, err = filepath.EvalSymlinks(s.Base); err != nil {
		return nil, fmt.Errorf("looking for the project's build: %w", err)
	}
	var refused error
	for _, way := range namespaces() {
		c, err := startIn(ctx, way, s)
		if err == nil || ctx.Err() != nil {
			return c, err
		}
		refused = err
	}
	if refused == nil {
		return nil, ErrNoNamespaces
	}
	return nil, fmt.Errorf("%w: %w", ErrNoNamespaces, refused)
}

// startIn starts a worker in namespaces.
func startIn(ctx context.Context, way *syscall.SysProcAttr, s setup) (*client, error) {
	requests, toWorker, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	fromWorker, replies, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting a worker: %w", errors.Join(err, toWorker.Close(), requests.Close()))
	}
	c := &client{request: toWorker, reply: fromWorker, in: json.NewEncoder(toWorker), out: json.NewDecoder(fromWorker),
		cmd: &exec.Cmd{Path: "/proc/self/exe", Args: []string{workerName}, Env: []string{}, ExtraFiles: []*os.File{requests, replies}, SysProcAttr: way}}
	err = c.cmd.Start()
	// Its ends are its own from now on: a worker that ends before it answers is seen by its ends
	// being shut.
	err = errors.Join(err, requests.Close(), replies.Close())
	if err != nil {
		return nil, errors.Join(err, toWorker.Close(), fromWorker.Close())
	}
	ctx, stop := context.WithTimeout(ctx, startTime)
	defer stop()
	if _, err := c.exchange(ctx, s); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// close ends the worker and all that runs in its namespaces.
func (c *client) close() error {
	err := errors.Join(c.request.Close(), c.reply.Close())
	_ = c.cmd.Process.Kill() // it may have ended, which is as good
	_ = c.cmd.Wait()         // killed
	return err
}

// do makes one run.
func (c *client) do(ctx context.Context, r request) (*reply, error) { return c.exchange(ctx, r) }

func (c *client) exchange(ctx context.Context, message any) (*reply, error) {
	// A run is bounded by its own fence, not by a context, which ends the worker.
	stop := context.AfterFunc(ctx, func() { _ = c.cmd.Process.Kill() })
	defer stop()
	if err := c.in.Encode(message); err != nil {
		return nil, c.failed(ctx, err)
	}
	var answer reply
	if err := c.out.Decode(&answer); err != nil {
		return nil, c.failed(ctx, err)
	}
	if answer.Err != "" {
		return nil, exit.New(answer.Code, errors.New(answer.Err), "")
	}
	return &answer, nil
}

func (c *client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("the worker for commands ended: %w", err)
}

// each does tasks 0 to n-1 on the engine's workers. The first error ends all.
func (e *Engine) each(ctx context.Context, n int, do func(ctx context.Context, c *client, task int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for _, c := range e.all[:min(len(e.all), n)] {
		all.Go(func() {
			for task := int(next.Add(1)) - 1; task < n && ctx.Err() == nil; task = int(next.Add(1)) - 1 {
				if err := do(ctx, c, task); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}
