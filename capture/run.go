package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/capture/note"
)

// runner runs the steps of a build, confined, and tells how far it has come.
type runner struct {
	opts    Options
	work    string // where steps may change files
	kit     *note.Kit
	bare    string // a valgrind that starts programs as they are; "" for none
	confine confinement
	log     *os.File // what all steps print
	began   time.Time

	mu   sync.Mutex
	step string
	told string
	stop chan struct{}
}

// job is one thing to run.
type job struct {
	step  string
	dir   string
	argv  []string
	env   []string // beyond the environment of the build
	plain bool     // without the stand-ins on PATH
	out   string   // a file for the output, "" for the log
	time  time.Duration
}

// result is how a command ended.
type result struct {
	status  int
	late    bool // its time ran out
	elapsed time.Duration
}

// newRunner prepares to run steps below a work folder.
func newRunner(ctx context.Context, work string, opts Options) (*runner, error) {
	r := &runner{opts: opts, work: work, began: time.Now(), step: "copy", stop: make(chan struct{})}
	var err error
	if r.kit, err = note.Install(ctx, filepath.Join(work, kitDir), cleanEnvironment(opts.Env, filepath.Join(work, homeDir))); err != nil {
		return nil, err
	}
	if !opts.Valgrind {
		if r.bare, err = layOutBare(filepath.Join(work, kitDir)); err != nil {
			return nil, err
		}
	}
	if r.log, err = os.OpenFile(filepath.Join(work, outputLog), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("keeping the build's output: %w", err)
	}
	r.confine = confine(ctx, r.kit.Launcher())
	go r.tell()
	return r, nil
}

func (r *runner) close() {
	close(r.stop)
	r.log.Close()
}

// dropped are variables that would have a build do something else than from a
// user's prompt, or that tell of a make that winnow itself was started by.
var dropped = []string{"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKEFILES", "GNUMAKEFLAGS", "MAKE_TERMOUT", "MAKE_TERMERR",
	"DESTDIR", "CDPATH", "GREP_OPTIONS", "CMAKE_GENERATOR", "LANG", "LANGUAGE", "HOME", "TMPDIR", "PWD", "OLDPWD", "LD_PRELOAD",
	"WINNOW_NOTE_LINE", "WINNOW_NOTE_INSIDE"}

// cleanEnvironment is the environment of every step: messages in English, and a
// home and temporary folder of its own.
func cleanEnvironment(env []string, home string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(dropped, name) || strings.HasPrefix(name, "LC_")
	})
	return append(env, "LC_ALL=C.UTF-8", "HOME="+home, "TMPDIR="+filepath.Join(home, "tmp"), "CCACHE_DISABLE=1")
}

// begin names what is going on.
func (r *runner) begin(step, detail string) {
	r.mu.Lock()
	r.step, r.told = step, detail
	r.mu.Unlock()
}

// tell reports every second.
func (r *runner) tell() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	compiled, offset := 0, int64(0)
	for {
		select {
		case <-r.stop:
			return
		case <-tick.C:
		}
		// Progress goes without what cannot be read now.
		entries, next, err := r.kit.Read(offset)
		if err == nil {
			offset = next
		}
		for _, e := range entries {
			if e.Kind == note.Compiler {
				compiled++
			}
		}
		r.mu.Lock()
		e := Event{Step: r.step, Detail: r.told, Compiled: compiled, Elapsed: time.Since(r.began)}
		r.mu.Unlock()
		if line := r.tail(1); line != "" && (e.Step == "configure" || e.Step == "build" || e.Step == "check") {
			e.Detail = line
		}
		r.opts.Progress(e)
	}
}

// run runs a command to its end. That it fails is no error.
func (r *runner) run(ctx context.Context, c job) (result, error) {
	r.begin(c.step, strings.Join(c.argv, " "))
	limit := c.time
	if limit == 0 {
		limit = r.opts.Time
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	seconds := int64(limit/time.Second) * int64(max(r.opts.Jobs, 1))
	launch := []string{strconv.FormatInt(seconds+1, 10), strconv.FormatInt(r.opts.Memory, 10), r.confine.name, r.work}
	cmd := exec.CommandContext(within, r.kit.Launcher(), append(launch, c.argv...)...)
	cmd.Dir = c.dir
	cmd.Env = r.environment(c)
	var out io.Writer = r.log
	if c.out != "" {
		f, err := os.Create(c.out)
		if err != nil {
			return result{}, fmt.Errorf("keeping what a command prints: %w", err)
		}
		defer f.Close()
		out = f
	} else {
		fmt.Fprintf(r.log, "$ cd %s && %s\n", c.dir, strings.Join(c.argv, " "))
	}
	cmd.Stdout, cmd.Stderr = out, out
	r.confine.start(cmd)
	began := time.Now()
	err := cmd.Run()
	r.confine.sweep(cmd)
	done := result{elapsed: time.Since(began), late: within.Err() != nil}
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return done, ctx.Err()
	case errors.As(err, &exited):
		done.status = exited.ExitCode()
	case err != nil && !done.late:
		return done, fmt.Errorf("starting %s: %w", c.argv[0], err)
	}
	if done.late {
		done.status = -1
	}
	return done, nil
}

func (r *runner) environment(c job) []string {
	env := slices.Clone(r.kit.Env)
	if c.plain {
		for i := range env {
			env[i] = r.kit.Real(env[i])
		}
	}
	return append(env, c.env...)
}

// must runs a command of a step; that it fails is an error.
func (r *runner) must(ctx context.Context, c job) error {
	done, err := r.run(ctx, c)
	switch {
	case err != nil:
		return err
	case done.late:
		err = fmt.Errorf("not done after %v", done.elapsed.Round(time.Second))
	case done.status != 0:
		err = fmt.Errorf("status %d", done.status)
	default:
		return nil
	}
	return &StepError{Step: c.step, Argv: withoutStands(c.argv), Output: r.tail(15), Reason: reasonIn(r.lastOutput()), Log: r.log.Name(), Err: err}
}

// lastOutput is what the last command has printed to the log, or the end of it.
func (r *runner) lastOutput() string {
	text := r.tail(5000)
	if at := strings.LastIndex("\n"+text, "\n$ cd "); at >= 0 {
		_, text, _ = strings.Cut(text[at:], "\n")
	}
	return text
}

// output runs a command and returns what it prints, with its status.
func (r *runner) output(ctx context.Context, c job) (string, int, error) {
	f, err := os.CreateTemp(r.work, "output-")
	if err != nil {
		return "", 0, fmt.Errorf("keeping what a command prints: %w", err)
	}
	f.Close()
	defer os.Remove(f.Name())
	c.out = f.Name()
	done, err := r.run(ctx, c)
	if err != nil {
		return "", 0, err
	}
	text, err := os.ReadFile(f.Name())
	return string(text), done.status, err
}

// tail returns the last lines of the log.
func (r *runner) tail(lines int) string {
	info, err := r.log.Stat()
	if err != nil {
		return ""
	}
	text := make([]byte, min(info.Size(), int64(200*lines+400)))
	if _, err := r.log.ReadAt(text, info.Size()-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	all := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.Join(all[max(0, len(all)-lines):], []byte("\n")))
}
