package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// pairsFile describes pairs of faulty and fixed programs that do not follow the
// convention of folders.
const pairsFile = "pairs.toml"

// Pair is a faulty program and the same program without the fault, in folders
// below the one that holds them all.
type Pair struct {
	// Name is the fault's, Problem what pairs have in common that must not be
	// told apart by learning, e.g. the program; "" is the name.
	Name    string `toml:"name"`
	Problem string `toml:"problem"`
	// Faulty and Fixed are the two versions' folders. Sources are the C files in
	// them; nil means all. Harness files are not mutated.
	Faulty  string   `toml:"faulty"`
	Fixed   string   `toml:"fixed"`
	Sources []string `toml:"sources"`
	Harness []string `toml:"harness"`
	Flags   []string `toml:"flags"`
	// Tests are run on both versions; what the fixed one does is right.
	Tests project.Tests `toml:"tests"`
}

// pairsIn lists the pairs below a folder: those that its pairs.toml names or, where
// there is none, each FAULT/faulty and FAULT/fixed with the tests in FAULT/tests
// and FAULT/tests.txt.
func pairsIn(folder string) ([]Pair, error) {
	path := filepath.Join(folder, pairsFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, exit.New(exit.Input, err, "")
	}
	var pairs []Pair
	if err == nil {
		var file struct {
			Pairs []Pair `toml:"pairs"`
		}
		decoder := toml.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&file); err != nil {
			var strict *toml.StrictMissingError
			if errors.As(err, &strict) {
				err = project.UnknownKeys(strict, &file)
			}
			return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "")
		}
		pairs = file.Pairs
	} else if pairs, err = pairsOfFolders(folder); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range pairs {
		p := &pairs[i]
		p.setDefaults(folder)
		if !project.FolderName(p.Name) || p.Name == "" || seen[p.Name] {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: pair %q: every pair needs a name of its own, which a folder can have", folder, p.Name), "")
		}
		if err := p.Tests.Check(); err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: pair %s: %w", folder, p.Name, err), "")
		}
		seen[p.Name] = true
	}
	if len(pairs) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no pairs of programs", folder),
			"put each into FAULT/faulty and FAULT/fixed, with tests NAME.in in FAULT/tests or FAULT/tests.txt, or name them in "+pairsFile+" (docs/projects.md)")
	}
	return pairs, nil
}

func pairsOfFolders(folder string) ([]Pair, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var out []Pair
	for _, entry := range entries {
		if name := entry.Name(); isFolder(filepath.Join(folder, name, "faulty")) && isFolder(filepath.Join(folder, name, "fixed")) {
			out = append(out, Pair{Name: name})
		}
	}
	return out, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// setDefaults fills in what the convention says of a pair below folder.
func (p *Pair) setDefaults(folder string) {
	set := func(value *string, fallback string) {
		if *value == "" {
			*value = fallback
		}
	}
	set(&p.Problem, p.Name)
	set(&p.Faulty, filepath.Join(p.Name, "faulty"))
	set(&p.Fixed, filepath.Join(p.Name, "fixed"))
	if len(p.Tests.Commands) > 0 || p.Tests.Dir != "" || p.Tests.File != "" {
		return
	}
	dir, file := filepath.Join(p.Name, "tests"), filepath.Join(p.Name, "tests.txt")
	_, err := os.Stat(filepath.Join(folder, file))
	if err == nil {
		p.Tests.File = file
	}
	if err != nil || isFolder(filepath.Join(folder, dir)) {
		p.Tests.Dir = dir
	}
}

// Case makes a pair a case to record.
func (p *Pair) Case(folder string) (*project.Case, error) {
	var versions [2][]program.Input
	for i, version := range []string{p.Faulty, p.Fixed} {
		project := project.Project{Folder: filepath.Join(folder, version), Sources: p.Sources, Harness: p.Harness, Flags: p.Flags}
		if project.Sources == nil {
			files, err := filepath.Glob(filepath.Join(project.Folder, "*.c"))
			if err != nil {
				return nil, fmt.Errorf("listing sources: %w", err)
			}
			for _, file := range files {
				if name := filepath.Base(file); !slices.Contains(p.Harness, name) {
					project.Sources = append(project.Sources, name)
				}
			}
		}
		if len(project.Sources) == 0 {
			return nil, exit.New(exit.Input, fmt.Errorf("pair %s: there is no C file in %s", p.Name, project.Folder), "")
		}
		versions[i] = project.Inputs(nil)
	}
	tests := project.Project{Folder: folder, Harness: p.Harness, Tests: p.Tests}
	list, expected, err := tests.LoadTests()
	if err != nil {
		return nil, err
	}
	c := &project.Case{Program: p.Name, Problem: p.Problem, Fault: "faulty", Folder: folder, Inputs: versions[0], Fixed: versions[1], Behaviour: tests.Behaviour()}
	c.Tests, c.Expected, c.Repeated, err = project.WithoutRepeats(list, expected)
	return c, err
}

// PairsOptions choose which pairs are recorded, and how.
type PairsOptions struct {
	Record campaign.RecordOptions
	// Limit ends the import after so many pairs that can be used, those among them that were
	// recorded before; 0 means all.
	Limit int
	// Hard leaves out faults that a quarter of their tests or more reveal, as of Codeflaws.
	Hard bool
}

// hardPool is campaign.RevealedPool without faults that are easy to find.
func hardPool(results fault.Table) (keep []int, reason string) {
	keep, reason = campaign.RevealedPool(results)
	if reason == "" && 4*results.Revealing().Count() >= len(keep) {
		return nil, string(codeflaws.Easy)
	}
	return keep, reason
}

// Pairs records the pairs below a folder into a history, each in a run
// folder of its own: the faulty version is mutated, the fixed one is the oracle.
// Pairs that are recorded already are kept. Those that no test tells apart, that have no
// sources or tests, or that do not compile or run, are left out and named. Where the import
// is interrupted, the summary says what was done before.
func Pairs(ctx context.Context, tools *clang.Toolchain, folder, history string, opts PairsOptions) (*Summary, error) {
	pairs, err := pairsIn(folder)
	if err != nil {
		return nil, err
	}
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	spent, sum := newMeter(history), &Summary{LeftOut: map[string]int{}}
	for k := range pairs {
		if opts.Limit > 0 && sum.Before+sum.Imported >= opts.Limit {
			break
		}
		c, err := pairs[k].Case(folder)
		if err != nil {
			if !campaign.OfOneCase(err) {
				return nil, err
			}
			sum.LeftOut["its sources or tests cannot be used"]++
			sum.Failed = append(sum.Failed, pairs[k].Name+": "+err.Error())
			continue
		}
		dir := filepath.Join(history, c.Program)
		mine := opts.Record
		mine.Progress = filepath.Join(dir, campaign.ProgressFolder)
		mine.Label = fmt.Sprintf("%s (%d of %d)", c.Program, k+1, len(pairs))
		mine.Pool, mine.Counts = campaign.RevealedPool, !mine.NoProbe
		if opts.Hard {
			mine.Pool = hardPool
		}
		run, err := campaign.Finished(dir, *c, mine)
		before := run != nil
		if err == nil && run == nil {
			run, err = campaign.Record(ctx, builder, *c, dir, mine)
			if _, spentErr := spent.note(run); spentErr != nil {
				return nil, errors.Join(err, spentErr)
			}
		}
		var counts map[string]int64
		if err == nil {
			counts, err = countsOf(dir)
		}
		if err := sum.count(pairs[k].Name, run, counts, before, err); err != nil {
			if ctx.Err() != nil {
				return sum, err
			}
			return nil, err
		}
	}
	sum.Effort, err = spent.note(nil)
	return sum, err
}

// count adds what became of a pair; it returns the errors that end an import.
func (sum *Summary) count(name string, run *report.Run, counts map[string]int64, before bool, err error) error {
	var why *campaign.Unusable
	switch {
	case err == nil && before:
		sum.Before++
	case err == nil:
		sum.Imported++
	case errors.As(err, &why):
		sum.LeftOut[why.Reason]++
		sum.LeftOutPairs = append(sum.LeftOutPairs, name+": "+why.Reason)
		return nil
	case campaign.OfOneCase(err):
		sum.LeftOut["does not compile or run"]++
		sum.Failed = append(sum.Failed, name+": "+err.Error())
		return nil
	default:
		return err
	}
	sum.add(run, counts)
	return nil
}

func countsOf(run string) (map[string]int64, error) {
	m, err := dataset.ReadManifest(run)
	return m.Counts, err
}
