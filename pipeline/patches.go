package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/patch"
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
	Mutation Mutation
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
func VerifyPatches(ctx context.Context, tools *clang.Toolchain, cases []Case, opts PatchOptions) (*PatchReport, error) {
	builder, remove, err := temporaryBuilder(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	v := &patchVerifier{builder: builder, opts: opts,
		report: &PatchReport{Operators: map[string]*PatchCount{}, Reasons: map[patch.Reason]int{}}}
	var all []patched
	for k := range cases {
		p, err := Load(ctx, tools, cases[k].Inputs, LoadOptions{Name: cases[k].Program, Workers: opts.Workers, Mutation: opts.Mutation})
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
	builder  *Builder
	opts     PatchOptions
	programs []*Program
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
func (v *patchVerifier) place(p *Program, c *Case, program int) []patched {
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
func (v *patchVerifier) compare(ctx context.Context, c *Case, sample []patched) error {
	p := v.programs[sample[0].program]
	binary, err := v.builder.Build(ctx, p, "mutants")
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
func (v *patchVerifier) twin(ctx context.Context, c *Case, base *execute.Baseline, result *execute.Result, i int, one patched) (*PatchFinding, error) {
	f := &PatchFinding{Program: c.Name(), Mutant: *one.mutant, Diff: one.diff}
	twin, err := v.run(ctx, c, base, one, nil, nil)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.Error = err.Error()
		return f, nil
	}
	for test := range c.Tests {
		if inIR, inC := result.Verdict(i, test), twin.Verdict(0, test); inIR != inC {
			f.Tests = append(f.Tests, PatchDifference{c.Tests[test].Name, describe(result, i, test), describe(twin, 0, test)})
		}
	}
	if f.Tests == nil {
		return nil, nil
	}
	f.Undefined, err = v.undefined(ctx, c, base, one, twin)
	return f, err
}

func describe(r *execute.Result, mutant, test int) string {
	cell, ok := r.Cell(mutant, test)
	if !ok {
		return r.Verdict(mutant, test).String()
	}
	return fmt.Sprintf("%v by %v %d", cell.Verdict, cell.Cause, cell.Status)
}

// undefinedTraps make the compiler check for undefined behaviour and end the
// program at it; no runtime library is needed.
var undefinedTraps = []string{"-fsanitize=undefined", "-fsanitize-trap=undefined", "-fwrapv"}

// undefined looks for undefined behaviour of the changed C: an operation that
// the compiler's checks trap, or a result that depends on what uninitialised
// variables hold.
func (v *patchVerifier) undefined(ctx context.Context, c *Case, base *execute.Baseline, one patched, plain *execute.Result) (string, error) {
	checked, err := v.run(ctx, c, base, one, undefinedTraps, nil)
	if err != nil {
		return "", err
	}
	for test := range c.Tests {
		cell, ok := checked.Cell(0, test)
		if before, _ := plain.Cell(0, test); ok && cell.Cause == execute.CauseSignal && (before.Cause != cell.Cause || before.Status != cell.Status) {
			return "the compiler's checks for undefined behaviour end it on test " + c.Tests[test].Name, nil
		}
	}
	for _, value := range fillings {
		filled, err := v.run(ctx, c, base, one, nil, func(m *ir.Module) { fillVariables(m, value) })
		if err != nil {
			return "", err
		}
		for test := range c.Tests {
			if filled.Verdict(0, test) != plain.Verdict(0, test) {
				return "it reads an uninitialised variable on test " + c.Tests[test].Name, nil
			}
		}
	}
	return "", nil
}

// run compiles the changed C and runs it as if it were a mutant: what selects
// a mutant selects none, so that the program as a whole is the mutant, and
// every test reaches it. Flags are the compiler's, and change may change the IR.
func (v *patchVerifier) run(ctx context.Context, c *Case, base *execute.Baseline, one patched, flags []string, change func(*ir.Module)) (*execute.Result, error) {
	folder, err := os.MkdirTemp(v.builder.folder, "twin-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for a changed program: %w", err)
	}
	defer os.RemoveAll(folder)
	overlay, err := writeOverlay(folder, one)
	if err != nil {
		return nil, err
	}
	p := &Program{Name: c.Program, Sites: 1}
	for _, in := range c.Inputs {
		text, err := v.compileChanged(ctx, in, filepath.Join(folder, "changed.ll"), append(flags[:len(flags):len(flags)], "-ivfsoverlay", overlay))
		if err != nil {
			return nil, err
		}
		m, err := ir.Parse(in.Path, text)
		if err != nil {
			return nil, err
		}
		if change != nil {
			change(m)
		}
		p.Units = append(p.Units, &Unit{Input: in, Module: m})
	}
	binary, err := v.builder.Below(folder).Build(ctx, p, "twin")
	if err != nil {
		return nil, err
	}
	options := v.opts.Execute
	options.Workers = 1
	engine, err := execute.Start(ctx, binary, c.Tests, options)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	reached := &execute.Baseline{Tests: slices.Clone(base.Tests)}
	for k := range reached.Tests {
		reached.Tests[k].Reached = execute.NewBits(1)
		reached.Tests[k].Reached.Set(0)
	}
	return engine.Kill(ctx, reached, []execute.Mutant{{Selector: 1}})
}

// compileChanged compiles a file as Toolchain.Compile does, with flags that it
// would leave out.
func (v *patchVerifier) compileChanged(ctx context.Context, in Input, out string, flags []string) ([]byte, error) {
	if filepath.Ext(in.Path) != ".c" {
		return irOf(ctx, v.builder.tools, in)
	}
	all := slices.Concat([]string{"-S", "-emit-llvm"}, clang.KeepFrontEnd(in.Flags), clang.FrontEndFlags, flags)
	if err := v.builder.tools.In(in.Directory).Link(ctx, out, []string{in.Path}, all); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("reading a compiled program: %w", err)
	}
	return text, nil
}

// writeOverlay writes the changed file and an overlay of the file system that
// puts it in the place of the original, which may be a header.
func writeOverlay(folder string, one patched) (string, error) {
	original, err := filepath.Abs(one.path)
	if err != nil {
		return "", fmt.Errorf("resolving %s: %w", one.path, err)
	}
	changed, overlay := filepath.Join(folder, "changed.c"), filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]any{"version": 0, "roots": []any{
		map[string]string{"type": "file", "name": original, "external-contents": changed},
	}})
	if err != nil {
		return "", fmt.Errorf("writing the overlay: %w", err)
	}
	if err := errors.Join(os.WriteFile(changed, one.text, 0o644), os.WriteFile(overlay, text, 0o644)); err != nil {
		return "", fmt.Errorf("writing the changed program: %w", err)
	}
	return overlay, nil
}
