// Command verifycorpus runs winnow on the C files of a program that is not ours
// and prints what came of it, as rows of a Markdown table: for each file, how
// many mutants winnow rank lists, how many functions it leaves alone, and
// whether LLVM's verifier accepts the meta-mutant that holds all the mutants.
//
//	go run ./cmd/verifycorpus WINNOW NAME FILE... [-- COMPILER FLAGS]
//
// It is for developers (scripts/corpora.sh, make corpora) and ships with no
// release. It exits with status 1 when winnow fails on a file or a meta-mutant
// is not valid; the rows are printed all the same.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

func main() { developer.Main("verifycorpus", run) }

// corpus is what the command line names.
type corpus struct {
	winnow, name string
	files, flags []string
}

func run(ctx context.Context, args []string, out, _ io.Writer) error {
	c := corpus{files: args}
	if dash := slices.Index(args, "--"); dash >= 0 {
		c.files, c.flags = args[:dash], args[dash+1:]
	}
	if len(c.files) < 3 {
		return errors.New("usage: verifycorpus WINNOW NAME FILE... [-- COMPILER FLAGS]")
	}
	c.winnow, c.name, c.files = c.files[0], c.files[1], c.files[2:]
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	var total result
	var failed []error
	for _, file := range c.files {
		r, err := c.check(ctx, tools, file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", file, err))
		}
		total.add(r)
		fmt.Fprintf(out, "| %s | %s | %v |\n", c.name, filepath.Base(file), r)
	}
	fmt.Fprintf(out, "| **%s** | **%d files** | %v |\n", c.name, len(c.files), total)
	return errors.Join(failed...)
}

// result is what came of one file, or of several.
type result struct {
	mutants, skipped int
	// crashed counts files on which winnow rank failed, invalid files whose
	// meta-mutant the verifier refuses.
	crashed, invalid int
}

func (r *result) add(o result) {
	r.mutants += o.mutants
	r.skipped += o.skipped
	r.crashed += o.crashed
	r.invalid += o.invalid
}

// String is the cells of a row.
func (r result) String() string {
	return fmt.Sprintf("%d | %d | %d | %d", r.mutants, r.skipped, r.crashed, r.invalid)
}

func (c *corpus) check(ctx context.Context, tools *clang.Toolchain, file string) (result, error) {
	r, err := c.rank(ctx, file)
	if err != nil {
		return result{crashed: 1}, err
	}
	if err := c.verify(ctx, tools, file, r.mutants); err != nil {
		r.invalid = 1
		return r, err
	}
	return r, nil
}

// rank runs the command as a user would.
func (c *corpus) rank(ctx context.Context, file string) (result, error) {
	args := append([]string{"rank", "--strategy", "random", "--format", "json", file, "--"}, c.flags...)
	cmd := exec.CommandContext(ctx, c.winnow, args...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return result{}, fmt.Errorf("winnow rank: %w", err)
	}
	var ranking struct {
		Mutants []json.RawMessage `json:"mutants"`
		Skipped []string          `json:"skipped"`
	}
	if err := json.Unmarshal(text, &ranking); err != nil {
		return result{}, fmt.Errorf("reading what winnow rank printed: %w", err)
	}
	return result{mutants: len(ranking.Mutants), skipped: len(ranking.Skipped)}, nil
}

// verify builds the meta-mutant and has LLVM look at it.
func (c *corpus) verify(ctx context.Context, tools *clang.Toolchain, file string, mutants int) error {
	p, err := program.Load(ctx, tools, []program.Input{{Path: file, Flags: c.flags}}, program.LoadOptions{})
	if err != nil {
		return err
	}
	u := p.Units[0]
	if len(u.Mutants) != mutants {
		return fmt.Errorf("%d mutants were made and %d ranked", len(u.Mutants), mutants)
	}
	schemata.Build(u.Module, u.Mutants, schemata.Options{Sites: p.Sites, Define: true})
	return tools.Verify(ctx, file, []byte(u.Module.String()))
}
