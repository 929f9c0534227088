package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/export"
)

// comparison counts the mutants that are found equal to another one or to the
// original: in bulk, alone, and in both ways.
type comparison struct {
	mutants, bulk, alone, both int
	inBulk, inTurn             time.Duration
}

// compare prints one row: what is found in bulk, and what one opt process a
// mutant finds, and a line for each mutant that is found in one way only.
func (b *bench) compare() error {
	var c comparison
	for _, file := range b.files {
		if err := b.compareFile(file, &c); err != nil {
			return err
		}
	}
	perMutant := func(t time.Duration) float64 { return float64(t.Microseconds()) / 1000 / float64(max(c.mutants, 1)) }
	fmt.Fprintf(b.out, "| %s | %s | %d | %d | %d | %d | %.1f %% | %.2f | %.2f |\n", b.title, b.mutation.Passes.Name, c.mutants,
		c.bulk, c.alone, c.both, 100*float64(c.bulk)/float64(max(c.alone, 1)), perMutant(c.inBulk), perMutant(c.inTurn))
	return nil
}

func (b *bench) compareFile(file string, c *comparison) error {
	before := cpu()
	p, err := b.load(file, b.mutation)
	if err != nil {
		return err
	}
	c.inBulk += cpu() - before
	removed := map[string]equiv.Kind{}
	for i := range p.Removed {
		removed[p.Removed[i].Mutant.ID] = p.Removed[i].Kind
	}
	everything := b.mutation
	if everything.Passes, err = tce.ByName("none"); err != nil {
		return err
	}
	work, err := scratch.New("bench")
	if err != nil {
		return err
	}
	defer work.Remove()
	all, err := b.load(file, everything)
	if err != nil {
		return err
	}
	out := filepath.Join(work.Path, "mutants")
	_, err = export.Write(b.ctx, b.tools, b.inputs(file), out, export.Options{
		Load: program.LoadOptions{Mutation: everything}, Modules: true, NoBuild: true})
	if err != nil {
		return err
	}
	before = cpu()
	mutants := all.Mutants()
	found, err := b.inTurn(out, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))+".bc", mutants)
	if err != nil {
		return err
	}
	c.inTurn += cpu() - before
	for i := range mutants {
		m := &mutants[i]
		kind := removed[m.ID]
		c.mutants++
		c.add(kind != equiv.Unknown, found[i] != equiv.Unknown)
		if (kind != equiv.Unknown) != (found[i] != equiv.Unknown) {
			fmt.Fprintf(b.errs, "%s:%d: %s %s `%s` => `%s`: in bulk %v, alone %v\n", file, m.Line, m.ID, m.Type(), m.Original, m.Replacement, kind, found[i])
		}
	}
	return nil
}

func (c *comparison) add(bulk, alone bool) {
	if bulk {
		c.bulk++
	}
	if alone {
		c.alone++
	}
	if bulk && alone {
		c.both++
	}
}

// inTurn optimises the original and each mutant in a process of its own, and
// compares the texts of their whole modules.
func (b *bench) inTurn(folder, name string, mutants []mutant.Mutant) ([]equiv.Kind, error) {
	files := []string{filepath.Join(folder, name)}
	for i := range mutants {
		files = append(files, filepath.Join(folder, "mutants.out", strconv.Itoa(int(mutants[i].Selector)), name))
	}
	texts, err := parallel.Map(b.ctx, 0, files, func(ctx context.Context, _ int, file string) ([sha256.Size]byte, error) {
		bitcode, err := os.ReadFile(file)
		if err != nil {
			return [sha256.Size]byte{}, err
		}
		passes := b.mutation.Passes
		text, err := b.tools.Optimize(ctx, file, bitcode, "strip,"+passes.Passes()+",strip", passes.Flags...)
		return sha256.Sum256(predecessors.ReplaceAll(text, nil)), err
	})
	if err != nil {
		return nil, err
	}
	out := make([]equiv.Kind, len(mutants))
	seen := map[[sha256.Size]byte]bool{}
	for i, text := range texts[1:] {
		switch {
		case text == texts[0]:
			out[i] = equiv.Equivalent
		case seen[text]:
			out[i] = equiv.Duplicate
		}
		seen[text] = true
	}
	return out, nil
}

// predecessors are comments, in an order that says nothing; the first lines name
// the file.
var predecessors = regexp.MustCompile(`(?m) *; preds = .*|^; ModuleID.*|^source_filename.*`)
