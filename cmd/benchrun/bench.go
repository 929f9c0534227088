package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// bench measures programs and adds up what they cost.
type bench struct {
	settings
	tools   *clang.Toolchain
	builder *build.Builder
	out     io.Writer

	rows   int
	total  map[string]cost // by tier
	differ int             // verdicts
	others int             // same verdict, another cell
	handed int
	builds time.Duration // wall clock, to compile programs and their mutants
	memory int64         // bytes of the largest process of a worker
	prefix prefix
}

// cost is what a number of pairs took. CPU is that of all processes, and does
// not depend on what else the machine does.
type cost struct {
	pairs     int
	wall, cpu time.Duration
}

func (c cost) String() string {
	return fmt.Sprintf("%9.0f pairs/s  %9.0f pairs/CPU-s", rate(c.pairs, c.wall), rate(c.pairs, c.cpu))
}

func rate(pairs int, took time.Duration) float64 {
	return float64(pairs) / max(took.Seconds(), 1e-9)
}

// measure runs one program with every tier.
func (b *bench) measure(ctx context.Context, c *project.Case) error {
	start := time.Now()
	p, err := b.load(ctx, c)
	if err != nil {
		return err
	}
	var mutants []execute.Mutant
	for _, m := range p.Mutants() {
		mutants = append(mutants, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	if len(mutants) == 0 {
		return nil
	}
	binary, err := b.builder.MetaMutant(ctx, p, "mutants")
	if err != nil {
		return err
	}
	defer os.Remove(binary)
	b.builds += time.Since(start)
	tests := c.Tests[:min(len(c.Tests), max(1, b.pairs/len(mutants)))]
	costs, results := map[string]cost{}, map[string]*execute.Result{}
	for _, tier := range b.tiers() {
		if costs[tier.Name], results[tier.Name], err = b.tier(ctx, tier, c, binary, tests, mutants); err != nil {
			return err
		}
	}
	b.row(c.Name(), len(mutants), len(tests), costs, results)
	return nil
}

// load makes the program's mutants: all that are worth a run, or, where a number
// is given, so many drawn from all, which are not compared with one another.
func (b *bench) load(ctx context.Context, c *project.Case) (*program.Program, error) {
	in := scope.Options{Functions: b.functions}
	if b.mutants == 0 {
		return program.Load(ctx, b.tools, c.Inputs, program.LoadOptions{Name: c.Program, Mutation: program.Mutation{Scope: in}})
	}
	none, err := tce.ByName("none")
	if err != nil {
		return nil, err
	}
	p, err := program.Load(ctx, b.tools, c.Inputs, program.LoadOptions{Name: c.Program, Mutation: program.Mutation{Passes: none, Scope: in}})
	if err != nil {
		return nil, err
	}
	all := p.Mutants()
	drawn := map[string]bool{}
	for _, at := range stream.New(b.seed, "cmd/benchrun mutants "+c.Program).Perm(len(all))[:min(b.mutants, len(all))] {
		drawn[all[at].ID] = true
	}
	for _, u := range p.Units {
		u.Mutants = slices.DeleteFunc(u.Mutants, func(m mutant.Mutant) bool { return !drawn[m.ID] })
	}
	fmt.Fprintf(b.out, "%s: %d of %d mutants are drawn\n", c.Name(), len(drawn), len(all))
	return p, nil
}

// tier decides all pairs with one tier and says what that cost.
func (b *bench) tier(ctx context.Context, tier execute.Tier, c *project.Case, binary string, tests []execute.Test, mutants []execute.Mutant) (cost, *execute.Result, error) {
	engine, err := execute.Start(ctx, binary, tests, execute.Options{
		Workers: b.workers, Tier: tier, AuditEvery: 1 << 30, Exit: execute.ExitIgnored, BaselineWork: 1_000_000,
		StopAfterTimeouts: b.stopAfter, Writable: c.Behaviour.Writable})
	if err != nil {
		return cost{}, nil, err
	}
	defer engine.Close()
	base, err := engine.Originals(ctx)
	if err != nil {
		return cost{}, nil, err
	}
	engine.Rest()
	start, before := time.Now(), b.usage()
	result, err := engine.Kill(ctx, base, mutants)
	if err != nil {
		return cost{}, nil, err
	}
	engine.Rest()
	took := cost{wall: time.Since(start), cpu: b.usage() - before}
	decided := result.Runs
	for _, c := range result.Cells {
		if c.Cause == execute.CauseStopped {
			decided--
		}
	}
	b.memory = max(b.memory, engine.PeakMemory())
	took.pairs = decided
	if tier == execute.Tiers[0] && b.prefixes > 0 {
		err = b.prefix.add(ctx, engine, base, result, b.prefixes)
	}
	return took, result, err
}

// usage is the CPU time of this process and of the servers and runs that ended.
func (b *bench) usage() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			continue // never, for these two
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// row prints a program and compares its results with the reference.
func (b *bench) row(name string, mutants, tests int, costs map[string]cost, results map[string]*execute.Result) {
	if b.rows++; b.rows == 1 {
		b.total = map[string]cost{}
	}
	tiers := b.tiers()
	reference := tiers[len(tiers)-1].Name
	fmt.Fprintf(b.out, "%s: %d mutants, %d tests\n", name, mutants, tests)
	for _, tier := range tiers {
		own, sum, r := costs[tier.Name], b.total[tier.Name], results[tier.Name]
		b.total[tier.Name] = cost{sum.pairs + own.pairs, sum.wall + own.wall, sum.cpu + own.cpu}
		fmt.Fprintf(b.out, "  %-10s  %v", tier.Name, own)
		if tier == execute.InProcess {
			b.handed += r.HandedOn
			fmt.Fprintf(b.out, "  %d of %d handed on", r.HandedOn, own.pairs)
		}
		differ, others := compare(r, results[reference], tests)
		b.differ += len(differ)
		b.others += len(others)
		fmt.Fprintf(b.out, "  %d verdicts differ\n", len(differ))
		differ = append(differ, others...)
		for _, example := range differ[:min(len(differ), shown)] {
			fmt.Fprintf(b.out, "    %s\n", example)
		}
	}
}

// shown is how many differences of a program are printed in full.
const shown = 3

// compare describes the verdicts that differ, and the cells that differ
// otherwise.
func compare(a, b *execute.Result, tests int) (verdicts, cells []string) {
	for m := range a.Mutants {
		for t := range tests {
			one, _ := a.Cell(m, t)
			other, _ := b.Cell(m, t)
			if a.Verdict(m, t) == b.Verdict(m, t) && one == other {
				continue
			}
			text := fmt.Sprintf("mutant %d, test %d: %v (%v %d, work %d), the reference %v (%v %d, work %d)",
				a.Mutants[m].Selector, t, a.Verdict(m, t), one.Cause, one.Status, one.Work,
				b.Verdict(m, t), other.Cause, other.Status, other.Work)
			if a.Verdict(m, t) != b.Verdict(m, t) {
				verdicts = append(verdicts, text)
			} else {
				cells = append(cells, text)
			}
		}
	}
	return verdicts, cells
}

// finish prints the sums. The last line says how many verdicts differ.
func (b *bench) finish() error {
	tiers := b.tiers()
	reference := b.total[tiers[len(tiers)-1].Name]
	fmt.Fprintf(b.out, "all %d programs, compiled in %.1f s\n", b.rows, b.builds.Seconds())
	for _, tier := range tiers {
		c := b.total[tier.Name]
		fmt.Fprintf(b.out, "  %-10s  %v  x%.0f (CPU x%.0f)  %d pairs in %.1f s, CPU %.1f s\n", tier.Name, c,
			rate(c.pairs, c.wall)/rate(reference.pairs, reference.wall), rate(c.pairs, c.cpu)/rate(reference.pairs, reference.cpu),
			c.pairs, c.wall.Seconds(), c.cpu.Seconds())
	}
	if b.prefixes > 0 {
		fmt.Fprintln(b.out, b.prefix)
	}
	fmt.Fprintf(b.out, "%d of %d pairs handed on by in-process\n", b.handed, b.total[execute.InProcess.Name].pairs)
	// The kernel counts into a process the memory of the one that started it.
	fmt.Fprintf(b.out, "a worker has two processes, of at most %d MiB each\n", b.memory>>20)
	fmt.Fprintf(b.out, "%d cells have the same verdict and another cause, status or work\n", b.others)
	fmt.Fprintf(b.out, "%d verdicts differ\n", b.differ)
	if b.differ > 0 {
		return fmt.Errorf("%d verdicts differ from those of one process a pair", b.differ)
	}
	return nil
}
