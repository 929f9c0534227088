package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/matrix"
)

// measured is what came of one project. Times are seconds.
type measured struct {
	Name   string
	Failed string // what went wrong, "" for nothing
	// Tests are those that were found, Used those that say something of mutants; Suite
	// is how long all of them take, one after the other.
	Tests, Used              int
	Suite                    float64
	Mutants, Decided, Killed int
	Init, Run, FirstSurvivor float64
	// Preparation is the CPU time of compiling, mutating, comparing and building; Make
	// that of the project's own build steps.
	Preparation, Make float64
	// Of so many Patches that were built and tested by the project, so many Agree.
	Patches, Agree int
	Disagree       []string
}

// project measures one project, or reads what was measured before.
func (o *options) project(ctx context.Context, folder string, errs io.Writer) (*measured, error) {
	name := filepath.Base(folder)
	kept := filepath.Join(o.work, name+".json")
	m := &measured{Name: name}
	if text, err := os.ReadFile(kept); err == nil && !o.again {
		return m, json.Unmarshal(text, m)
	}
	fmt.Fprintf(errs, "== %s\n", name)
	t := &trial{options: o, measured: m, errs: errs, clean: folder, place: filepath.Join(o.work, name)}
	if err := t.all(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, _, _ := strings.Cut(err.Error(), "\n")
		m.Failed = line
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return m, os.WriteFile(kept, append(text, '\n'), 0o644)
}

// trial is the measurement of one project below place, a folder of its own.
type trial struct {
	*options
	*measured
	errs  io.Writer
	clean string
	place string
	// tallies are, by test, what those say of their failures that count them.
	tallies []string
	// checked are the tests that were used, as they are on the project as it was built.
	checked []command.Test
}

func (t *trial) source() string { return filepath.Join(t.place, "project") }
func (t *trial) cache() string  { return filepath.Join(t.place, "cache") }
func (t *trial) out() string    { return filepath.Join(t.place, "out") }

func (t *trial) all(ctx context.Context) error {
	if err := os.RemoveAll(t.place); err != nil {
		return err
	}
	if err := copyFolder(ctx, t.clean, t.source()); err != nil {
		return err
	}
	began := time.Now()
	_, err := t.command(ctx, nil, "init", t.source())
	t.Init = time.Since(began).Seconds()
	if err != nil {
		return err
	}
	if err := t.run(ctx, began); err != nil {
		return err
	}
	c, err := t.captured()
	if err != nil {
		return err
	}
	t.Tests = len(c.Tests)
	if err := t.results(c); err != nil {
		return err
	}
	if err := t.ownMake(ctx, c); err != nil {
		return err
	}
	if t.patches > 0 {
		return t.holdPatches(ctx, c)
	}
	return nil
}

func copyFolder(ctx context.Context, from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return exec.CommandContext(ctx, "cp", "-a", from, to).Run()
}

// command runs winnow as a user would; line gets what it says, as it says it, and the
// time since it began. It returns the whole of it.
func (t *trial) command(ctx context.Context, line func(pid int, text string), args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.winnow, args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.cache())
	cmd.Stdout = t.errs
	said, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var all bytes.Buffer
	for lines := bufio.NewScanner(said); lines.Scan(); {
		fmt.Fprintln(t.errs, lines.Text())
		fmt.Fprintln(&all, lines.Text())
		if line != nil {
			line(cmd.Process.Pid, lines.Text())
		}
	}
	err = cmd.Wait()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		text := strings.Split(strings.TrimSpace(all.String()), "\n")
		err = fmt.Errorf("winnow %s: status %d: %s", args[0], failed.ExitCode(), text[max(0, len(text)-2)])
	}
	return all.String(), err
}

// run runs the mutants. That the time is up is no failure.
func (t *trial) run(ctx context.Context, began time.Time) error {
	var before float64
	_, err := t.command(ctx, func(pid int, text string) {
		switch { // each round of mutants is prepared, and then run
		case strings.Contains(text, "  compiling and mutating "):
			before = cpuOf(pid)
		case strings.Contains(text, "built them into"):
			t.Preparation += cpuOf(pid) - before
		case strings.Contains(text, "survived: ") && t.FirstSurvivor == 0:
			t.FirstSurvivor = time.Since(began).Seconds()
		}
	}, "run", "--budget", t.budget.String(), "--out", t.out(), t.source())
	t.Run = time.Since(began).Seconds() - t.Init
	if _, missing := os.Stat(filepath.Join(t.out())); missing == nil {
		return nil
	}
	return err
}

// cpuOf is the CPU time of a process and of its children that have ended, in seconds.
func cpuOf(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// Behind the name, which may hold spaces, the 12th to 15th field.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:15] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return float64(ticks) / 100
}

// captured is what winnow wrote down of the project's build.
func (t *trial) captured() (*capture.Capture, error) {
	found, err := filepath.Glob(filepath.Join(t.cache(), "winnow", "*", "capture.json"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%d captures below %s", len(found), t.cache())
	}
	return capture.Read(found[0], filepath.Dir(found[0]))
}

// results reads the run folder.
func (t *trial) results(c *capture.Capture) error {
	history, err := dataset.OpenHistory(t.out())
	if err != nil {
		return err
	}
	s, err := history.Runs[0].Load(dataset.KillsFile)
	if err != nil {
		return err
	}
	for i := range c.Tests {
		if isUsed(&c.Tests[i], s.Kills.Tests()) {
			t.Used++
		}
	}
	for _, stage := range s.Manifest.Stages {
		if stage.Name == "tests" { // each of them twice, but for slow ones, so many at once
			t.Suite = stage.Seconds / 2 * float64(max(1, min(runtime.NumCPU(), t.Tests)))
		}
	}
	for i := range s.Kills.Mutants() {
		t.Mutants++
		switch s.Kills.Verdict(i) {
		case matrix.Killed:
			t.Killed++
			t.Decided++
		case matrix.Survived:
			t.Decided++
		}
	}
	return nil
}

// ownMake builds another copy with the project's own commands.
func (t *trial) ownMake(ctx context.Context, c *capture.Capture) error {
	place, err := t.configured(ctx, c, "make")
	if err != nil {
		return err
	}
	for _, step := range place.System.Steps {
		if step.Name == "build" {
			used, err := place.do(ctx, step.Dir, step.Argv)
			if err != nil {
				return err
			}
			t.Make += used.Seconds()
		}
	}
	return nil
}
