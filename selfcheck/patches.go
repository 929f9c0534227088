package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// PatchOptions choose how VerifyPatches compares.
type PatchOptions struct {
	// Sample is how many mutants are compared, drawn from all that have a
	// counterpart in C; 0 means all.
	Sample int
	Seed   uint64
	// Workers compile and run at the same time; 0 means one a CPU.
	Workers  int
	Execute  execute.Options
	Mutation program.Mutation
	Display  *progress.Display

	change func(*patched) // tests only: changes what is compared
}

// PatchReport is what VerifyPatches found.
type PatchReport struct {
	// Operators count the mutants of all programs, by operator.
	Operators map[string]*PatchCount
	// Reasons count those without a counterpart in C.
	Reasons map[patch.Reason]int
	// Compared are the mutants that were compared, Pairs the runs of them.
	Compared, Pairs int
	// Findings are the mutants whose two forms are not the same.
	Findings []PatchFinding
}

// PatchCount counts the mutants of one operator.
type PatchCount struct{ Mutants, Placed int }

// PatchFinding is a mutant whose C text is not what was run.
type PatchFinding struct {
	Program string
	Mutant  mutant.Mutant
	Diff    string
	// Error is set when the changed C does not compile.
	Error string
	// Tests are those on which the verdicts differ: the names, and how each
	// form ended.
	Tests []PatchDifference
	// Undefined says how the changed C was shown to have undefined behaviour
	// on one of the tests, so that both forms may do as they like; "" for a
	// disagreement that counts.
	Undefined string
}

// PatchDifference is one test on which two forms of a mutant differ.
type PatchDifference struct{ Test, InIR, InC string }

// Disagreements are the findings that undefined behaviour does not excuse.
func (r *PatchReport) Disagreements() []PatchFinding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f PatchFinding) bool { return f.Undefined != "" })
}

// VerifyPatches holds the C text of mutants to what is run: it writes each
// mutant of a sample as C, compiles that as a program of its own, runs it under
// the limits that the mutant has, and compares the verdict on every test with
// that of the mutant in the meta-mutant.
func VerifyPatches(ctx context.Context, tools *clang.Toolchain, cases []project.Case, opts PatchOptions) (*PatchReport, error) {
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	v := &patchVerifier{builder: builder, opts: opts,
		report: &PatchReport{Operators: map[string]*PatchCount{}, Reasons: map[patch.Reason]int{}}}
	var all []patched
	for k := range cases {
		p, err := program.Load(ctx, tools, cases[k].Inputs, program.LoadOptions{Name: cases[k].Program, Workers: opts.Workers, Mutation: opts.Mutation})
		if err != nil {
			return nil, err
		}
		all = append(all, v.place(p, &cases[k], k)...)
		v.programs = append(v.programs, p)
	}
	sample := all
	if opts.Sample > 0 && opts.Sample < len(all) {
		random := rand.New(rand.NewPCG(opts.Seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		sample = all[:opts.Sample]
	}
	if opts.change != nil {
		for i := range sample {
			opts.change(&sample[i])
		}
	}
	slices.SortFunc(sample, func(a, b patched) int { return a.order - b.order })
	v.task = opts.Display.Start("comparing mutants", len(sample))
	defer v.task.Done()
	for len(sample) > 0 {
		n := slices.IndexFunc(sample, func(one patched) bool { return one.program != sample[0].program })
		if n < 0 {
			n = len(sample)
		}
		if err := v.compare(ctx, &cases[sample[0].program], sample[:n]); err != nil {
			return nil, err
		}
		sample = sample[n:]
	}
	return v.report, nil
}

// patchVerifier carries what the steps share.
type patchVerifier struct {
	builder  *build.Builder
	opts     PatchOptions
	programs []*program.Program
	report   *PatchReport
	task     *progress.Task
}

// patched is a mutant that has a counterpart in C.
type patched struct {
	program int
	order   int // among all
	mutant  *mutant.Mutant
	path    string
	text    []byte // the changed file
	diff    string
}

// place writes a program's mutants as C and counts them.
func (v *patchVerifier) place(p *program.Program, c *project.Case, program int) []patched {
	var out []patched
	for _, u := range p.Units {
		var patcher *patch.Patcher
		if u.Source != nil {
			patcher = patch.New(u.Source)
			patcher.Folder = c.Folder
		}
		for i := range u.Mutants {
			m := &u.Mutants[i]
			count := v.report.Operators[m.Operator]
			if count == nil {
				count = &PatchCount{}
				v.report.Operators[m.Operator] = count
			}
			count.Mutants++
			one, reason := placeOne(patcher, m)
			if reason != "" {
				v.report.Reasons[reason]++
				continue
			}
			count.Placed++
			one.program, one.order = program, program<<24+int(m.Selector)
			out = append(out, one)
		}
	}
	return out
}

func placeOne(patcher *patch.Patcher, m *mutant.Mutant) (patched, patch.Reason) {
	if patcher == nil {
		return patched{}, patch.NoSource
	}
	one := patched{mutant: m}
	var err error
	if one.path, one.text, err = patcher.Mutated(m); err == nil {
		one.diff, err = patcher.Diff(m)
	}
	var none *patch.NoCounterpart
	if errors.As(err, &none) {
		return patched{}, none.Reason
	}
	return one, ""
}

// compare runs the mutants of one program in both forms.
func (v *patchVerifier) compare(ctx context.Context, c *project.Case, sample []patched) error {
	p := v.programs[sample[0].program]
	binary, err := v.builder.MetaMutant(ctx, p, "mutants")
	if err != nil {
		return err
	}
	defer os.Remove(binary)
	engine, err := execute.Start(ctx, binary, c.Tests, v.opts.Execute)
	if err != nil {
		return err
	}
	defer engine.Close()
	base, err := engine.Originals(ctx)
	if err != nil {
		return err
	}
	list := make([]execute.Mutant, len(sample))
	for i, one := range sample {
		list[i] = execute.Mutant{Selector: one.mutant.Selector, Site: one.mutant.Site.Ordinal}
	}
	result, err := engine.Kill(ctx, base, list)
	if err != nil {
		return err
	}
	findings, err := parallel.Map(ctx, v.opts.Workers, sample, func(ctx context.Context, i int, one patched) (*PatchFinding, error) {
		defer v.task.Add(1)
		return v.twin(ctx, c, base, result, i, one)
	})
	if err != nil {
		return err
	}
	v.report.Compared += len(sample)
	v.report.Pairs += len(sample) * len(c.Tests)
	for _, f := range findings {
		if f != nil {
			v.report.Findings = append(v.report.Findings, *f)
		}
	}
	return nil
}

// twin compares one mutant, nil where the two forms agree.
func (v *patchVerifier) twin(ctx context.Context, c *project.Case, base *execute.Baseline, result *execute.Result, i int, one patched) (*PatchFinding, error) {
	f := &PatchFinding{Program: c.Name(), Mutant: *one.mutant, Diff: one.diff}
	twin, err := v.run(ctx, c, base, one, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.Error = err.Error()
		return f, nil
	}
	var differing []int
	for test := range c.Tests {
		if inIR, inC := result.Verdict(i, test), twin.Verdict(0, test); inIR != inC {
			differing = append(differing, test)
			f.Tests = append(f.Tests, PatchDifference{c.Tests[test].Name, describe(result, i, test), describe(twin, 0, test)})
		}
	}
	if f.Tests == nil {
		return nil, nil
	}
	f.Undefined, err = v.undefined(ctx, c, base, one, twin, differing)
	return f, err
}

func describe(r *execute.Result, mutant, test int) string {
	cell, ok := r.Cell(mutant, test)
	if !ok {
		return r.Verdict(mutant, test).String()
	}
	return fmt.Sprintf("%v by %v %d", cell.Verdict, cell.Cause, cell.Status)
}
