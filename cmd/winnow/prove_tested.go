package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// survivorProofs is what is known of the mutants that a project's tests let live, as JSON.
type survivorProofs struct {
	Program  string `json:"program"`
	Tests    int    `json:"tests"`
	Mutants  int    `json:"mutants"`
	Killed   int    `json:"killed"`
	Unknown  int    `json:"unknown"`
	Survived int    `json:"survived"`
	// Equivalent are those that no test can kill; Killable those that the tests kill which were
	// made; Different those that only a call of their function, or an input that is not
	// clean, tells; Open the others.
	Equivalent []survivorProof `json:"equivalent"`
	Killable   []killingTest   `json:"killable"`
	Different  []survivorProof `json:"different"`
	Open       []survivorProof `json:"open"`
	Seconds    float64         `json:"seconds"`
	// NoTests says why none were made; "" where they were.
	NoTests string `json:"no_tests,omitempty"`
}

type survivorProof struct {
	report.Change
	Evidence string `json:"evidence"`
	Reason   string `json:"reason"`
	// Given is the whole of an input that is the reason.
	inputs.Given
}

// killingTest is a test that was made, the mutants that it is the first to kill, and what it
// shows of the first of them.
type killingTest struct {
	agent.Test
	Original agent.Ran       `json:"original"`
	Mutant   agent.Ran       `json:"mutant"`
	Kills    []report.Change `json:"kills"`
	prints   []byte          // all that the program prints
}

// proveTested runs a project's tests, and says of the mutants that survive which no test can
// kill; for the others it makes tests, as long as the budget lasts.
func proveTested(ctx context.Context, opts proveOptions, c *project.Case, stdout, stderr io.Writer) error {
	start := time.Now()
	spend := spendingOf(opts.Budget, c.Build != nil)
	why := reasons{}
	run := opts.suite(opts.Mode)
	run.Budget, run.noFeatures, run.bound = spend.suite, true, spend.mutants
	run.proving = &verdict.Proving{Until: start.Add(opts.Budget * 9 / 10), Share: spend.share, Function: opts.Time, Rounds: opts.Rounds, Open: why.add}
	limited, done := context.WithDeadline(ctx, start.Add(opts.Budget))
	defer done()
	ran, err := recordTests(limited, run, stderr)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return exit.New(exit.Timeout, fmt.Errorf("%s: the time was up before its tests had run on any mutant", c.Name()), "give it more with --budget, or look at all mutants without running anything: --no-run")
	}
	if err != nil {
		return err
	}
	defer ran.remove()
	subjects, err := subjectsToShow(showOptions{Run: ran.folder})
	if err != nil {
		return err
	}
	out, open := knownOf(subjects[0])
	switch {
	case c.Build != nil:
		out.NoTests = "the tests are programs of the project's own"
	case len(open) > 0:
		settled, err := opts.settle(ctx, c, open, out.inputs(), start.Add(opts.Budget))
		if err != nil {
			return err
		}
		out.take(settled, open, why)
	}
	out.leave(open, why)
	out.Seconds = time.Since(start).Seconds()
	if err := out.writeTests(opts.Tests); err != nil {
		return err
	}
	if opts.JSON {
		return writeJSON(stdout, out)
	}
	var text strings.Builder
	out.writeText(&text, opts.All)
	return writeResult(stdout, []byte(text.String()))
}

// knownOf is what the record of a run tells, and the survivors that some test may kill, by id.
func knownOf(s *dataset.Subject) (*survivorProofs, map[string]report.Change) {
	out := &survivorProofs{Program: s.Manifest.Program, Tests: len(s.Kills.Tests()), Mutants: len(s.Kills.Mutants()),
		Equivalent: []survivorProof{}, Killable: []killingTest{}, Different: []survivorProof{}, Open: []survivorProof{}}
	changes := changesOf(s.Mutants)
	proved, examples := s.Proved(), s.Examples()
	open := map[string]report.Change{}
	for k, id := range s.Kills.Mutants() {
		switch s.Kills.Verdict(k) {
		case matrix.Killed:
			out.Killed++
		case matrix.Unknown:
			out.Unknown++
		default:
			out.Survived++
			if p, ok := proved[id]; ok {
				out.Equivalent = append(out.Equivalent, survivorProof{changes[id], p.Evidence, p.Reason, p.Given})
				continue
			}
			if p, ok := examples[id]; ok {
				out.Different = append(out.Different, survivorProof{changes[id], p.Evidence, p.Reason, p.Given})
			}
			open[id] = changes[id]
		}
	}
	return out, open
}

// inputs are those that are known to tell survivors.
func (s *survivorProofs) inputs() (out []variation.Test) {
	for _, p := range s.Different {
		if p.Evidence == dataset.Interpreted {
			out = append(out, variation.Test{Input: []byte(p.Input), Args: p.Args, Files: p.Files})
		}
	}
	return out
}

func changesOf(mutants *table.Table) map[string]report.Change {
	out := map[string]report.Change{}
	for row := range mutants.Rows() {
		c := report.ChangeOf(mutants, row)
		out[c.ID] = c
	}
	return out
}

// writeTests writes the tests that were made into a folder, as a project's tests: NAME.in and
// what the program prints as NAME.out, under names that are free. Tests with arguments or files are
// not among them: a folder of inputs has no place for them.
func (s *survivorProofs) writeTests(folder string) error {
	if folder == "" {
		return nil
	}
	if err := atomicfile.MakeFolder(folder); err != nil {
		return exit.New(exit.System, err, "name another folder with --tests")
	}
	n := 0
	for k := range s.Killable {
		t := &s.Killable[k]
		if len(t.Args)+len(t.Files) > 0 {
			continue
		}
		files := []madeFile{{".out", t.prints}, {".in", []byte(t.Input)}} // an input makes it a test
		for n++; slices.ContainsFunc(files, func(f madeFile) bool { return !f.fits(folder, n) }); n++ {
		}
		t.Name = madeName(n)
		for _, f := range files {
			if err := atomicfile.Write(filepath.Join(folder, t.Name+f.end), f.text); err != nil {
				return exit.New(exit.System, err, "name another folder with --tests")
			}
		}
	}
	return nil
}

// madeFile is a file of a test.
type madeFile struct {
	end  string
	text []byte
}

// fits says whether the file may have a number's name: nothing has it, or the same file, as
// where the command was killed and is given again.
func (f madeFile) fits(folder string, n int) bool {
	text, err := os.ReadFile(filepath.Join(folder, madeName(n)+f.end))
	return errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(text, f.text)
}

func madeName(n int) string { return fmt.Sprintf("made-%02d", n) }
