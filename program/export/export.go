// Package export writes a program's mutants to a folder, for people and other tools.
//
// The folder (docs/formats) holds tables of the mutants and of those that were left
// out, Mart's description of them, the modules of IR and, where they are asked for,
// one module and one patch of the C source a mutant. Beside them lie the programs
// that run without winnow: the meta-mutant, which obeys an environment variable, and
// those that write down what a test infects and covers.
package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// Options choose what Write writes.
type Options struct {
	Load program.LoadOptions
	// Modules writes one module of IR a mutant, Patches one patch of the C
	// source a mutant that has one.
	Modules, Patches bool
	// NoBuild leaves out what runs: the meta-mutant, the programs that tell what
	// is infected and covered, and their runtimes.
	NoBuild bool
}

// The files of a folder of mutants, beside the tables and those named after the units.
const (
	martFile     = "mutantsInfos.json"
	martEqualTo  = "equidup-mutantsInfos.json"
	martCounts   = "info"
	modulesBelow = "mutants.out"
	patchesBelow = "patches"
)

// Write makes the mutants of a program and writes all that is known of them,
// and the programs that contain them, into the folder out (docs/formats). The
// folder must not exist; it appears whole or not at all, with the same bytes
// for any number of workers.
func Write(ctx context.Context, tools *clang.Toolchain, inputs []program.Input, out string, opts Options) (*report.Mutants, error) {
	out = filepath.Clean(out)
	if _, err := os.Stat(filepath.Dir(out)); err != nil {
		return nil, exit.New(exit.System, fmt.Errorf("making a folder beside %s: %w", out, err), "")
	}
	held, err := output.Hold(out)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		return nil, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", out))
	}
	draft, err := output.NewDraft(out)
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	defer draft.Discard()
	p, err := program.Load(ctx, tools, inputs, opts.Load)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	w := &writer{tools: tools, p: p, folder: draft.Folder, stems: stemsOf(p), opts: opts}
	if err := w.write(ctx); err != nil {
		return nil, err
	}
	p.Phases = append(p.Phases, program.Phase{Name: "write", Seconds: time.Since(start).Seconds()})
	// The compiler's programs are synchronised by nobody else.
	if err := atomicfile.SyncAll(draft.Folder); err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	return summaryOf(p), draft.Commit()
}

// summaryOf counts a program's mutants, by what became of them.
func summaryOf(p *program.Program) *report.Mutants {
	out := &report.Mutants{
		Program: p.Name, Generated: p.Generated, OutOfScope: p.OutOfScope, Suppressed: len(p.Suppressed),
		Equivalent: p.Count(equiv.Equivalent), Duplicate: p.Count(equiv.Duplicate), Invalid: p.Count(equiv.Invalid), Undefined: p.Count(equiv.Undefined),
		Seconds: map[string]float64{}, Skipped: p.Skipped(), Notes: p.Notes(),
	}
	for _, phase := range p.Phases {
		out.Seconds[phase.Name] += phase.Seconds
	}
	for _, u := range p.Units {
		out.Kept += len(u.Mutants)
		for i := range u.Mutants {
			out.Count(u.Mutants[i].Operator, true)
		}
	}
	for i := range p.Removed {
		out.Count(p.Removed[i].Mutant.Operator, false)
	}
	out.Sort()
	return out
}

// stemsOf names the files of each unit: after the program where there is one
// unit, else after the sources, with as much of their paths as tells them apart.
func stemsOf(p *program.Program) []string {
	files := make([]string, len(p.Units))
	for i, u := range p.Units {
		files[i] = u.Input.Path
	}
	names := paths.Shortest(files)
	out := make([]string, len(files))
	for i, path := range files {
		name := strings.TrimSuffix(names[path], filepath.Ext(path))
		out[i] = strings.ReplaceAll(name, "/", "_")
	}
	return out
}

// writer writes the folder of one program.
type writer struct {
	tools  *clang.Toolchain
	p      *program.Program
	folder string
	stems  []string // by unit
	opts   Options
}

func (w *writer) path(name string) string { return filepath.Join(w.folder, name) }

func (w *writer) write(ctx context.Context) error {
	if err := w.mutants(ctx); err != nil {
		return err
	}
	if err := w.removed(); err != nil {
		return err
	}
	if err := w.marks(); err != nil {
		return err
	}
	if err := w.mart(); err != nil {
		return err
	}
	return w.modules(ctx)
}

// marks writes down which of the mutants C leaves undefined in some states, if any.
func (w *writer) marks() error {
	var ids []string
	for _, m := range w.p.Mutants() {
		ids = append(ids, m.ID)
	}
	t, err := dataset.ProofTable(w.p.MayBeUndefined(ids))
	if err != nil || t == nil {
		return err
	}
	return table.Write(w.path(dataset.ProofsFile), t)
}

// rowsAtATime bounds the rows of a table, and the diffs, that are held in memory.
const rowsAtATime = 1 << 13

// mutants writes the table of mutants with their diffs and, where they are asked
// for, the diffs as files.
func (w *writer) mutants(ctx context.Context) error {
	if w.opts.Patches {
		if err := os.Mkdir(w.path(patchesBelow), 0o755); err != nil {
			return fmt.Errorf("making the folder of patches: %w", err)
		}
	}
	out, err := table.Create(w.path(dataset.MutantsFile), dataset.MutantsSchema(), nil)
	if err != nil {
		return err
	}
	defer out.Abort()
	for _, u := range w.p.Units {
		diff := w.differ(u)
		for some := range slices.Chunk(u.Mutants, rowsAtATime) {
			diffs, err := w.diffs(ctx, some, diff)
			if err != nil {
				return err
			}
			t, err := program.MutantTable(some, "", diffs)
			if err != nil {
				return err
			}
			if err := out.Write(t); err != nil {
				return err
			}
		}
	}
	return out.Commit()
}

// removed writes down the mutants that were left out, and why.
func (w *writer) removed() error {
	out, err := table.Create(w.path(dataset.RemovedFile), dataset.RemovedSchema(), nil)
	if err != nil {
		return err
	}
	defer out.Abort()
	for some := range slices.Chunk(w.p.Removed, rowsAtATime) {
		t, err := program.RemovedTable("", some, nil)
		if err == nil {
			err = out.Write(t)
		}
		if err != nil {
			return err
		}
	}
	t, err := program.RemovedTable("", nil, w.p.Suppressed)
	if err == nil {
		err = out.Write(t)
	}
	if err != nil {
		return err
	}
	return out.Commit()
}
