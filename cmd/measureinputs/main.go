// Command measureinputs holds drawn inputs (package inputs) beside real ones. It prints,
// in Markdown, how many numbers and letters of Codeflaws' inputs are such as a profile
// draws, and how much of the programs is reached on inputs of each profile, alone and
// when it is left out (docs/results/inputs.md). The literals of package inputs quote it.
//
//	go run ./cmd/measureinputs [-programs 200] [-seed 1] CODEFLAWS
//
// CODEFLAWS is the benchmark's folder. One program of a problem is taken, the fixed one.
// It is for developers and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

func main() { developer.Main("measureinputs", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("measureinputs", flag.ContinueOnError)
	flags.SetOutput(errs)
	programs := flags.Int("programs", 200, "how many programs to take")
	seed := flags.Uint64("seed", 1, "seed of the sample")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: measureinputs [-programs N] [-seed N] CODEFLAWS")
	}
	subjects, err := sample(flags.Arg(0), *programs, *seed)
	if err != nil {
		return err
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	work, err := scratch.New("inputs")
	if err != nil {
		return err
	}
	defer work.Remove()
	real, reached := newTally(), newReach()
	for _, s := range subjects {
		root, err := mainOf(ctx, tools, &s, work.Path)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		texts, _, err := s.Inputs()
		if err != nil {
			return err
		}
		for _, in := range texts {
			real.add(in.Data, root.Words())
		}
		real.addWords(root.Words())
		reached.add(root)
	}
	real.print(out)
	reached.print(out, len(subjects))
	return nil
}

// sample draws subjects, one of each problem.
func sample(folder string, n int, seed uint64) ([]codeflaws.Subject, error) {
	subjects, err := codeflaws.Subjects(folder)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range subjects {
		ids = append(ids, s.ID)
	}
	drawn, _ := codeflaws.Pick(subjects, codeflaws.Sample(ids, seed))
	var out []codeflaws.Subject
	taken := map[string]bool{}
	for _, s := range drawn {
		if len(out) < n && !taken[s.Problem] {
			taken[s.Problem] = true
			out = append(out, s)
		}
	}
	return out, nil
}

// mainOf makes the main function of a subject's fixed version ready to be followed.
func mainOf(ctx context.Context, tools *clang.Toolchain, s *codeflaws.Subject, folder string) (*concrete.Code, error) {
	source, err := codeflaws.ReadSource(s.Fixed)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "program.c")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return nil, fmt.Errorf("writing a program: %w", err)
	}
	text, err := tools.Compile(ctx, file, append(codeflaws.CompileFlags(), "-w"))
	if err != nil {
		return nil, err
	}
	m, err := ir.Parse(file, text)
	if err != nil {
		return nil, err
	}
	for _, f := range m.Functions() {
		if f.Name() == "main" {
			return concrete.OfFunction(f), nil
		}
	}
	return nil, errors.New("there is no main")
}
