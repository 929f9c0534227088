package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/winnow-mutants/winnow/ci"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// regression is what happened when a fault of a project was committed.
type regression struct {
	name string
	// mutants are those of a full run, scope those of the changed lines, ran those that the job ran.
	mutants, scope, ran int
	// telling are the gaps of all mutants in scope whose first a test kills that reveals the fault,
	// place is where the first of them stands among the job's gaps, from 1; 0: it does not.
	telling, place int
	// full, first and second are what a full run costs, the job, and the job after a comment.
	full, first, second cost
	// ranAgain are the mutants that the second job ran.
	ranAgain int
}

// cost of a command and of what it starts.
type cost struct{ cpu, wall time.Duration }

// regressions commits each fault of each project to a repository of its own, in which the
// tests are those that do not reveal it, and asks what winnow ci makes of that commit. What
// tells the fault is known from a record of the faulty version on all tests.
func regressions(ctx context.Context, command string, folders []string, top int, out io.Writer) error {
	command, err := filepath.Abs(command)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, regressionHead)
	var all []*regression
	for _, folder := range folders {
		err := regressionsOf(ctx, command, folder, top, func(r *regression) {
			fmt.Fprintln(out, r.row())
			all = append(all, r)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	if len(all) == 0 {
		return errors.New("the projects name no faults that some tests do not reveal")
	}
	sumUp(out, all)
	return nil
}

func regressionsOf(ctx context.Context, command, folder string, top int, done func(*regression)) error {
	p, err := project.Open(folder)
	if err != nil {
		return err
	}
	if len(p.Sources) != 1 || p.Tests.File == "" {
		return errors.New("want a program of one file with its tests in one file")
	}
	work, err := os.MkdirTemp("", "benchci-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	history := filepath.Join(work, "history")
	if _, _, err := spent(ctx, "", command, "run", "--faults", "--matrix", "--no-prove", "--progress", "silent", "--out", history, folder); err != nil {
		return err
	}
	h, err := dataset.OpenHistory(history)
	if err != nil {
		return err
	}
	for i := range h.Runs {
		s, err := h.Runs[i].Load(dataset.MutantsFile, dataset.KillsFile, dataset.FaultsFile)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(p.Faults, func(f project.Fault) bool { return f.Name == s.Manifest.Fault })
		if len(s.Faults) == s.Faults.Revealing().Count() {
			continue // no suite is left
		}
		r, err := (&seed{command, p, &p.Faults[at], s, top}).commit(ctx, filepath.Join(work, s.Manifest.Fault))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Manifest.Fault, err)
		}
		done(r)
	}
	return nil
}

// seed is one fault of a project, with the record of the faulty version on all tests.
type seed struct {
	command string
	project *project.Project
	fault   *project.Fault
	record  *dataset.Subject
	top     int
}

// commit makes the repository and runs the job in it.
func (s *seed) commit(ctx context.Context, folder string) (*regression, error) {
	source := filepath.Join(folder, s.project.Sources[0])
	if err := os.CopyFS(folder, os.DirFS(s.project.Folder)); err != nil {
		return nil, err
	}
	if err := s.takeTests(folder); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "."}, {"-c", "user.name=benchci", "-c", "user.email=benchci@localhost", "commit", "--quiet", "--message", "correct"}} {
		if _, _, err := spent(ctx, folder, "git", args...); err != nil {
			return nil, err
		}
	}
	faulty, err := os.ReadFile(filepath.Join(s.project.Folder, s.fault.Source))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(source, faulty, 0o644); err != nil {
		return nil, err
	}
	r := &regression{name: s.record.Manifest.Name()}
	run := filepath.Join(folder, "run")
	if _, r.full, err = spent(ctx, folder, s.command, "run", "--progress", "silent", "--out", run); err != nil {
		return nil, err
	}
	if r.mutants, err = recorded(run); err != nil {
		return nil, err
	}
	telling := s.telling()
	var made *ci.Description
	if made, _, err = s.job(ctx, folder, "--top", "100%", "--cache", ""); err != nil {
		return nil, err
	}
	for _, g := range made.New {
		if telling[place(g.Change)] {
			r.telling++
		}
	}
	if made, r.first, err = s.job(ctx, folder, "--top", fmt.Sprint(s.top)); err != nil {
		return nil, err
	}
	r.scope, r.ran = made.InScope, made.Ran
	r.place = 1 + slices.IndexFunc(made.New, func(g ci.Gap) bool { return telling[place(g.Change)] })
	if err := os.WriteFile(source, append([]byte("/* nothing that matters */\n"), faulty...), 0o644); err != nil {
		return nil, err
	}
	if made, r.second, err = s.job(ctx, folder, "--top", fmt.Sprint(s.top)); err != nil {
		return nil, err
	}
	r.ranAgain = made.Ran
	return r, nil
}

// takeTests takes the tests that reveal the fault out of a copy of the project.
func (s *seed) takeTests(folder string) error {
	revealing := map[string]bool{}
	for t := range s.record.Faults.Revealing().All() {
		revealing[s.record.Faults[t].Test] = true
	}
	reveals := func(file string) bool { return revealing[strings.TrimSuffix(file, filepath.Ext(file))] }
	path := filepath.Join(folder, s.project.Tests.File)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	archive := txtar.Parse(text)
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return reveals(f.Name) })
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil || s.project.Tests.Dir == "" {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(folder, s.project.Tests.Dir))
	for _, e := range entries {
		if reveals(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, s.project.Tests.Dir, e.Name())))
		}
	}
	return err
}

// telling are the mutants that live on the suite and that a test kills which reveals the fault,
// by their places: the record and the job know the file by different names.
func (s *seed) telling() map[report.Change]bool {
	telling, _, _ := tellingOf(s.record)
	out := map[report.Change]bool{}
	for n := range s.record.Mutants.Rows() {
		if c := report.ChangeOf(s.record.Mutants, n); telling[c.ID] {
			out[place(c)] = true
		}
	}
	return out
}

func place(c report.Change) report.Change {
	c.ID, c.File = "", ""
	return c
}

// job runs winnow ci on what is not committed.
func (s *seed) job(ctx context.Context, folder string, flags ...string) (*ci.Description, cost, error) {
	text, took, err := spent(ctx, folder, s.command, append([]string{"ci", "--diff", "HEAD", "--fail-on", "none", "--json", "--progress", "silent"}, flags...)...)
	if err != nil {
		return nil, took, err
	}
	out := new(ci.Description)
	return out, took, json.Unmarshal(text, out)
}

// recorded counts the mutants of a run.
func recorded(folder string) (int, error) {
	h, err := dataset.OpenHistory(folder)
	if err != nil {
		return 0, err
	}
	s, err := h.Runs[0].Load(dataset.MutantsFile)
	if err != nil {
		return 0, err
	}
	return s.Mutants.Rows(), nil
}

// spent runs a command and says what it cost, with all that it waited for.
func spent(ctx context.Context, folder, name string, args ...string) ([]byte, cost, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &said
	start := time.Now()
	text, err := cmd.Output()
	took := cost{wall: time.Since(start)}
	if state := cmd.ProcessState; state != nil {
		took.cpu = state.UserTime() + state.SystemTime()
	}
	if err != nil {
		return nil, took, fmt.Errorf("%s %v: %w: %s", filepath.Base(name), args, err, bytes.TrimSpace(said.Bytes()))
	}
	return text, took, nil
}

// firstOfGaps is how far a reader of a job's findings is taken to come.
const firstOfGaps = 3

const regressionHead = "| fault | mutants | on changed lines | run | tell it | the first is gap | CPU s, full run | job | job again | run again |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"

// row is the regression in the table.
func (r *regression) row() string {
	at := "–"
	if r.place > 0 {
		at = fmt.Sprint(r.place)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %.1f | %.1f | %.1f | %d |", r.name, r.mutants, r.scope, r.ran, r.telling, at,
		r.full.cpu.Seconds(), r.first.cpu.Seconds(), r.second.cpu.Seconds(), r.ranAgain)
}

// sumUp says below the table what it comes to.
func sumUp(out io.Writer, all []*regression) {
	var share, spent []float64
	var tells, first, soon, again int
	var slowest time.Duration
	for _, r := range all {
		share = append(share, float64(r.mutants)/float64(max(1, r.ran)))
		spent = append(spent, r.full.cpu.Seconds()/r.first.cpu.Seconds())
		if r.telling > 0 {
			tells++
		}
		if r.place == 1 {
			first++
		}
		if r.place > 0 && r.place <= firstOfGaps {
			soon++
		}
		again += r.ranAgain
		slowest = max(slowest, r.second.wall)
	}
	slices.Sort(share)
	slices.Sort(spent)
	fmt.Fprintf(out, "\n%d regressions. Mutants run: 1/%.0f of all in the median, 1/%.0f at most. CPU time: 1/%.1f of a full run in the median, 1/%.1f at most.\n",
		len(all), share[len(share)/2], share[0], spent[len(spent)/2], spent[0])
	fmt.Fprintf(out, "Of %d that some mutant of the changed lines tells, the first gap does for %d, one of the first %d for %d.\n", tells, first, firstOfGaps, soon)
	fmt.Fprintf(out, "After a comment was added: %d mutants run in all, %.1f s at most.\n", again, slowest.Seconds())
}
