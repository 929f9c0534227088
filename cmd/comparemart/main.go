// Command comparemart counts the mutants that winnow makes with Mart's 816
// rules, and those that its check with Mart's passes leaves, beside the counts
// of Mart itself (docs/results/mart.md).
//
//	go run ./cmd/comparemart [-blind-phis] CODEFLAWS COUNTS.csv [PROGRAM...]
//	go run ./cmd/comparemart shares FILE.c...
//
// The second form prints the shares of the mutants that no C text says, by preset.
// CODEFLAWS is the folder of the benchmark with one folder a program; the table
// has a header and for each program its name, Mart's mutants, equivalents,
// duplicates and kept ones; empty where Mart failed. With programs only those
// are counted, and the mutants of each line are printed too. With -blind-phis
// functions are compared as Mart compares them: whole, and without the values of
// phis, for the programs that Mart finished. It is for developers and ships with no
// release.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

func main() { developer.Main("comparemart", run) }

// counts are the mutants of one program, or of several.
type counts struct{ made, equivalent, duplicate, kept int }

func (c *counts) add(o counts) {
	c.made += o.made
	c.equivalent += o.equivalent
	c.duplicate += o.duplicate
	c.kept += o.kept
}

func (c counts) String() string {
	return fmt.Sprintf("%d | %d | %d | %d", c.made, c.equivalent, c.duplicate, c.kept)
}

// tally is what is counted of all programs.
type tally struct {
	matchers, replacers map[string]*counts
}

func run(ctx context.Context, args []string, out, _ io.Writer) error {
	blind := len(args) > 0 && args[0] == "-blind-phis"
	if blind {
		args = args[1:]
	}
	if len(args) < 2 {
		return errors.New("usage: comparemart [-blind-phis] CODEFLAWS COUNTS.csv [PROGRAM...], or: comparemart shares FILE.c...")
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	if args[0] == "shares" {
		return shares(ctx, tools, args[1:], out)
	}
	published, order, err := readCounts(args[1])
	if err != nil {
		return err
	}
	detailed := len(args) > 2
	if detailed {
		order = args[2:]
	}
	t := tally{map[string]*counts{}, map[string]*counts{}}
	var ours, theirs counts
	fmt.Fprintln(out, "| program | made | equivalent | duplicate | kept | CPU s | Mart: made | equivalent | duplicate | kept |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|")
	for _, program := range order {
		mart, finished := published[program]
		if blind && !finished {
			continue // there is nothing to compare with
		}
		start := cpu()
		made, verdicts, err := count(ctx, tools, filepath.Join(args[0], program, sourceOf(program)), blind)
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		c := sum(verdicts)
		row := " |  |  | "
		if finished {
			row = mart.String()
			ours.add(c)
			theirs.add(mart)
			t.count(made.Mutants, verdicts)
		}
		fmt.Fprintf(out, "| %s | %v | %.1f | %s |\n", program, c, (cpu() - start).Seconds(), row)
		for _, f := range made.Failures {
			fmt.Fprintf(out, "failed: %s:%d: %s: %s\n", f.Function, f.Line, f.Rule, f.Reason)
		}
		if detailed {
			printLines(out, made.Mutants, verdicts)
		}
	}
	fmt.Fprintf(out, "| **all that Mart finished** | %v |  | %v |\n", ours, theirs)
	t.print(out)
	return nil
}

// sourceOf is the faulty source of a program of Codeflaws.
func sourceOf(program string) string {
	parts := strings.Split(program, "-bug-")
	if len(parts) != 2 {
		return ""
	}
	return parts[0] + "-" + strings.Split(parts[1], "-")[0] + ".c"
}

func count(ctx context.Context, tools *clang.Toolchain, file string, blindPhis bool) (operator.Result, []equiv.Verdict, error) {
	text, err := tools.Compile(ctx, file, nil)
	if err != nil {
		return operator.Result{}, nil, err
	}
	m, err := ir.Parse(file, text)
	if err != nil {
		return operator.Result{}, nil, err
	}
	rules, err := rule.Lookup("mart816")
	if err != nil {
		return operator.Result{}, nil, err
	}
	opts := operator.Options{Rules: rules}
	if source, err := csource.Parse(file, nil); err == nil {
		opts.Source = source
	}
	made := operator.Generate(m, opts)
	passes, err := tce.ByName("mart")
	if err != nil {
		return operator.Result{}, nil, err
	}
	compared := tce.Options{Passes: passes}
	if blindPhis {
		compared.Passes.BlindPhis, compared.Large = true, math.MaxInt
	}
	verdicts, err := tce.Decide(ctx, tools, m, made.Mutants, compared)
	return made, verdicts, err
}

func sum(verdicts []equiv.Verdict) counts {
	var c counts
	for _, v := range verdicts {
		c.add(one(v))
	}
	return c
}

func one(v equiv.Verdict) counts {
	switch v.Kind {
	case equiv.Equivalent:
		return counts{made: 1, equivalent: 1}
	case equiv.Duplicate:
		return counts{made: 1, duplicate: 1}
	}
	return counts{made: 1, kept: 1}
}

func (t tally) count(mutants []mutant.Mutant, verdicts []equiv.Verdict) {
	for i, m := range mutants {
		for _, half := range []struct {
			in   map[string]*counts
			name string
		}{{t.matchers, m.Matcher}, {t.replacers, m.Replacer}} {
			if half.in[half.name] == nil {
				half.in[half.name] = &counts{}
			}
			half.in[half.name].add(one(verdicts[i]))
		}
	}
}

// print writes the counts by matcher and replacer as kept/removed.
func (t tally) print(out io.Writer) {
	for _, half := range []struct {
		title string
		of    map[string]*counts
	}{{"matcher", t.matchers}, {"replacer", t.replacers}} {
		fmt.Fprintf(out, "\nby %s, kept/removed:", half.title)
		names := slices.SortedFunc(maps.Keys(half.of), func(a, b string) int { return half.of[b].made - half.of[a].made })
		for _, name := range names {
			c := half.of[name]
			fmt.Fprintf(out, " %s %d/%d,", name, c.kept, c.made-c.kept)
		}
		fmt.Fprintln(out)
	}
}

func printLines(out io.Writer, mutants []mutant.Mutant, verdicts []equiv.Verdict) {
	lines := map[int]*counts{}
	for i, m := range mutants {
		if lines[m.Line] == nil {
			lines[m.Line] = &counts{}
		}
		lines[m.Line].add(one(verdicts[i]))
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(out, "| line %d | %v |\n", line, *lines[line])
	}
}

// readCounts reads Mart's counts, by program, and the programs in order.
func readCounts(file string) (map[string]counts, []string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	out := map[string]counts{}
	var order []string
	for _, row := range rows[1:] {
		order = append(order, row[0])
		if row[1] == "" {
			continue
		}
		var n [4]int
		for k := range n {
			if n[k], err = strconv.Atoi(row[k+1]); err != nil {
				return nil, nil, fmt.Errorf("%s: %s: %w", file, row[0], err)
			}
		}
		out[row[0]] = counts{n[0], n[1], n[2], n[3]}
	}
	return out, order, nil
}

// cpu is the time that this process and its children have used.
func cpu() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err == nil {
			total += time.Duration(used.Utime.Nano() + used.Stime.Nano())
		}
	}
	return total
}
