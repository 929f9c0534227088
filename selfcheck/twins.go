package selfcheck

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/mutant/twin"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// TwinOptions choose what VerifyTwins compares.
type TwinOptions struct {
	// Sample is how many mutants are compared, drawn from those of all programs
	// and sets of rules; 0 means all.
	Sample int
	Seed   uint64
	// Rules make the mutants, one set after the other.
	Rules   []*rule.Set
	Execute execute.Options
	Display *progress.Display

	change func([]mutant.Mutant) // tests only: changes the mutants of the meta-mutant
}

// TwinReport is what VerifyTwins found.
type TwinReport struct {
	// Originals are the runs of programs without a mutant that were compared, by
	// a compiler's build and the meta-mutant with OriginalSelectors.
	Originals int
	// Sets count, by the name of the rules, what was made and compared.
	Sets map[string]*TwinCount
	// Pairs are the runs of mutants, Killed those of them that differ from the
	// original, and Printed those whose output was compared byte by byte.
	Pairs, Killed, Printed int
	Findings               []TwinFinding
}

// TwinCount counts mutants of one set of rules; Pointers are those of Compared
// whose replacer moves or follows a pointer: its name starts with P.
type TwinCount struct{ Made, Compared, Pointers int }

// TwinFinding is a mutant, or a selector of none, for which two builds differ.
type TwinFinding struct {
	Program, Rules string
	Mutant         *mutant.Mutant // nil for a program without a mutant
	Selector       int32
	// Test is the first on which they differ, of Tests; Meta and Alone say how
	// the run ended in the meta-mutant, and in the build to compare with.
	Test        string
	Tests       int
	Meta, Alone string
	// Undefined says what the mutant's own program depends on besides its source
	// and its input, so that both builds may do as they like; "" for a
	// disagreement that counts.
	Undefined string
}

// Disagreements are the findings that undefined behaviour does not excuse.
func (r *TwinReport) Disagreements() []TwinFinding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f TwinFinding) bool { return f.Undefined != "" })
}

// VerifyTwins holds meta-mutants to what they stand for. Without a mutant, and
// with the number of none, one does on every test what the program does that the
// compiler makes of the source as it is. And each mutant of a sample does what a
// module with that mutant alone does, compiled by itself and run under the same
// limits. Local variables that are never set start as zeros in both, since what
// they hold otherwise is different in any two builds.
func VerifyTwins(ctx context.Context, tools *clang.Toolchain, cases []project.Case, opts TwinOptions) (*TwinReport, error) {
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	v := &twinVerifier{builder: builder, tools: tools, opts: opts, report: &TwinReport{Sets: map[string]*TwinCount{}}}
	runs, err := v.load(ctx, cases)
	if err != nil {
		return nil, err
	}
	v.task = opts.Display.Start("comparing mutants", v.draw(runs))
	defer v.task.Done()
	for i, r := range runs {
		if err := r.do(ctx); err != nil {
			return nil, fmt.Errorf("%s, rules %s: %w", r.c.Program, r.rules, err)
		}
		runs[i] = nil // the next ones want the memory
	}
	return v.report, nil
}

// twinVerifier carries what the steps share.
type twinVerifier struct {
	builder *build.Builder
	tools   *clang.Toolchain
	opts    TwinOptions
	report  *TwinReport
	task    *progress.Task
}

// load makes all mutants of all programs: those that equal others are compared
// as well.
func (v *twinVerifier) load(ctx context.Context, cases []project.Case) (runs []*twinRun, err error) {
	none, err := tce.ByName("none")
	if err != nil {
		return nil, err
	}
	for i := range cases {
		c := &cases[i]
		if len(c.Inputs) != 1 {
			return nil, fmt.Errorf("%s has %d files: only programs of one file have twins", c.Program, len(c.Inputs))
		}
		for _, rules := range v.opts.Rules {
			p, err := program.Load(ctx, v.tools, c.Inputs, program.LoadOptions{Name: c.Program, Mutation: program.Mutation{Rules: rules, Passes: none}})
			if err != nil {
				return nil, err
			}
			runs = append(runs, &twinRun{twinVerifier: v, c: c, rules: rules.Name, program: p, unit: p.Units[0]})
			if v.report.Sets[rules.Name] == nil {
				v.report.Sets[rules.Name] = &TwinCount{}
			}
			v.report.Sets[rules.Name].Made += len(p.Units[0].Mutants)
		}
	}
	return runs, nil
}

// draw chooses the mutants to compare and returns how many they are.
func (v *twinVerifier) draw(runs []*twinRun) int {
	type one struct {
		run   *twinRun
		index int
	}
	var all []one
	for _, r := range runs {
		for i := range r.unit.Mutants {
			all = append(all, one{r, i})
		}
	}
	if v.opts.Sample > 0 && v.opts.Sample < len(all) {
		random := rand.New(rand.NewPCG(v.opts.Seed, 0))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:v.opts.Sample]
	}
	for _, o := range all {
		o.run.chosen = append(o.run.chosen, chosenTwin{mutant: o.run.unit.Mutants[o.index]})
	}
	for _, r := range runs {
		slices.SortFunc(r.chosen, func(a, b chosenTwin) int { return int(a.mutant.Selector - b.mutant.Selector) })
		count := v.report.Sets[r.rules]
		count.Compared += len(r.chosen)
		for _, one := range r.chosen {
			if strings.HasPrefix(one.mutant.Replacer, "P") {
				count.Pointers++
			}
		}
	}
	return len(all)
}

// twinRun is the comparison of one program's mutants.
type twinRun struct {
	*twinVerifier
	c       *project.Case
	rules   string
	program *program.Program
	unit    *program.Unit
	chosen  []chosenTwin
	folder  string
	meta    *execute.Engine
	base    *execute.Baseline
}

// chosenTwin is a mutant to compare, and its own module.
type chosenTwin struct {
	mutant mutant.Mutant
	text   string
}

// do compares what was drawn.
func (r *twinRun) do(ctx context.Context) (err error) {
	if r.folder, err = os.MkdirTemp(r.builder.Folder, "twins-"); err != nil {
		return fmt.Errorf("making a folder for twins: %w", err)
	}
	defer os.RemoveAll(r.folder)
	for i := range r.chosen {
		one := &r.chosen[i]
		if one.text, err = schemata.ApplyText(r.unit.Module, &one.mutant); err != nil {
			return err
		}
	}
	if r.opts.change != nil {
		r.opts.change(r.unit.Mutants)
	}
	if err := r.startMeta(ctx); err != nil {
		return err
	}
	defer r.meta.Close()
	if err := r.originals(ctx); err != nil {
		return err
	}
	for some := range slices.Chunk(r.chosen, twinsAtATime) {
		if err := r.compare(ctx, some); err != nil {
			return err
		}
		r.task.Add(len(some))
	}
	return nil
}

// twinsAtATime are the programs in one executable: enough that linking and
// starting it costs little, few enough for the compiler's memory.
const twinsAtATime = 24

// startMeta builds the meta-mutant as every run does, but that local variables
// start as zeros.
func (r *twinRun) startMeta(ctx context.Context) error {
	fillVariables(r.unit.Module, fillings[0])
	binary, err := r.builder.Below(r.folder).MetaMutant(ctx, r.program, "meta")
	if err != nil {
		return err
	}
	if r.meta, err = execute.Start(ctx, binary, r.c.Tests, r.options()); err != nil {
		return err
	}
	if r.base, err = r.meta.Originals(ctx); err != nil {
		r.meta.Close()
		return err
	}
	for k, t := range r.base.Tests {
		if t.SetAside != "" {
			r.meta.Close()
			return fmt.Errorf("test %s cannot be used: %s", r.c.Tests[k].Name, t.SetAside)
		}
	}
	return nil
}

func (r *twinRun) options() execute.Options {
	options := r.opts.Execute
	options.BaselineWork = mostObserved
	return options
}

// gather builds one executable with a program for each module, and one without a
// mutant. Change, unless nil, changes their IR.
func (r *twinRun) gather(ctx context.Context, some []chosenTwin, flags []string, change func(*ir.Module)) (*execute.Engine, error) {
	var all twin.Gathering
	for _, one := range some {
		m, err := ir.Parse(r.unit.Module.Name, []byte(one.text))
		if err != nil {
			return nil, err
		}
		change(m)
		schemata.Build(m, nil, schemata.Options{})
		if err := all.Add(one.mutant.Selector, m); err != nil {
			return nil, err
		}
	}
	file, binary := filepath.Join(r.folder, "twins.ll"), filepath.Join(r.folder, "twins")
	if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
		return nil, fmt.Errorf("writing the twins: %w", err)
	}
	flags = append(flags[:len(flags):len(flags)], clang.KeepLinker(r.c.Inputs[0].Flags)...)
	if err := r.tools.Link(ctx, binary, append([]string{file}, r.builder.Runtime...), flags); err != nil {
		return nil, fmt.Errorf("building the twins: %w", err)
	}
	return execute.Start(ctx, binary, r.c.Tests, r.options())
}
