// Package schemata builds the meta-mutant: one program that contains every
// mutant behind a selector, so that a thousand mutants cost one compilation.
//
// At every site the block is cut and a switch on @winnow_selector leads to the
// original code (selector 0 and every unknown number) or to one copy of it a
// mutant; the copies meet again behind the site, where a phi picks the result:
//
//	  store i8 1, @winnow_reached[site]
//	  switch @winnow_selector [ 7 → mutant 7, 8 → mutant 8 ], original
//	original:  %sum = add i32 %a, %b
//	mutant 7:  %sum.7 = sub i32 %a, %b
//	join:      %sum.join = phi [ %sum, original ], [ %sum.7, mutant 7 ], …
//
// The selector is an external global, so that no optimiser can fold it. The
// program also counts its work: @winnow_fuel falls by one at every function
// entry and loop header, and the program calls winnow_out_of_fuel when it is
// used up. Its main is renamed winnow_program_main; the runtime of package
// execute brings the main that drives it, and the definitions of all these
// names.
package schemata

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// The names that a meta-mutant shares with its runtime.
const (
	Selector    = "winnow_selector"     // extern int32_t: the active mutant, 0 = original
	Fuel        = "winnow_fuel"         // extern int64_t: work left
	OutOfFuel   = "winnow_out_of_fuel"  // void (void): called without any; returns when there is more
	Reached     = "winnow_reached"      // uint8_t[sites]: set to 1 where a site executes
	SiteCount   = "winnow_sites"        // const int32_t: the length of Reached
	ProgramMain = "winnow_program_main" // the program's own main
)

// Options choose what Build adds.
type Options struct {
	// Sites is how many sites the whole program has. In a program of several
	// modules one of them defines the table of reached sites (Define), the
	// others refer to it.
	Sites  int
	Define bool
	// StandAlone leaves the program's main alone: it is started by whatever starts it, and
	// the runtime (package execute/command) reads the selector from the environment.
	StandAlone bool
}

// Build turns a module into its meta-mutant, in place. The mutants are those
// that operator.Generate made for this very module.
func Build(m *ir.Module, mutants []mutant.Mutant, opts Options) { newMeta(m, mutants, opts).inPlace() }

func newMeta(m *ir.Module, mutants []mutant.Mutant, opts Options) *rebuilding {
	b := newBuilder(m, opts)
	return &rebuilding{module: m, mutants: mutants, ownMain: !opts.StandAlone,
		weave: func(f *llir.Func, mutants []*mutant.Mutant) { newWeaver(b, f, mutants).weave() }}
}

// rebuilding is a module whose functions are to be rebuilt, and which already has
// the names that these need.
type rebuilding struct {
	module  *ir.Module
	mutants []mutant.Mutant
	// weave rebuilds a function with its mutants.
	weave func(*llir.Func, []*mutant.Mutant)
	// ownMain: the runtime brings the main.
	ownMain bool
}

// inPlace rebuilds all functions.
func (r *rebuilding) inPlace() {
	of := r.byFunction()
	for _, f := range r.module.Functions() {
		r.function(f, of[f])
	}
	r.prepare()
	r.module.LLVM.NamedMetadataDefs = withoutDebug(r.module.LLVM.NamedMetadataDefs)
}

func (r *rebuilding) byFunction() map[*llir.Func][]*mutant.Mutant {
	out := map[*llir.Func][]*mutant.Mutant{}
	for i := range r.mutants {
		f := r.mutants[i].Site.Func
		out[f] = append(out[f], &r.mutants[i])
	}
	return out
}

func (r *rebuilding) function(f *llir.Func, mutants []*mutant.Mutant) {
	ir.NameLocals(f)
	r.rebuild(f, mutants)
}

// rebuild rebuilds a function whose values have names.
func (r *rebuilding) rebuild(f *llir.Func, mutants []*mutant.Mutant) {
	r.weave(f, mutants)
	keepTraps(f)
	reduceShifts(f)
}

// prepare changes what is not code.
func (r *rebuilding) prepare() {
	dropUnsafeAttributes(r.module.LLVM)
	if r.ownMain {
		renameMain(r.module.LLVM)
	}
}

func dropUnsafeAttributes(m *llir.Module) {
	for _, group := range m.AttrGroupDefs {
		if group.FuncAttrs = ir.AnyBody(group.FuncAttrs); len(group.FuncAttrs) == 0 {
			// The assembler refuses an empty group; this says nothing to LLVM.
			group.FuncAttrs = []llir.FuncAttribute{llir.AttrString("winnow")}
		}
	}
	for _, f := range m.Funcs {
		f.FuncAttrs = ir.AnyBody(f.FuncAttrs)
	}
}

func renameMain(m *llir.Module) {
	for _, f := range m.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			f.SetName(ProgramMain)
		}
	}
}

// builder holds the module-level names.
type builder struct {
	module                  *llir.Module
	selector, fuel, reached *llir.Global
	outOfFuel               *llir.Func
}

func newBuilder(m *ir.Module, opts Options) *builder {
	mod := m.LLVM
	b := &builder{
		module:    mod,
		selector:  mod.NewGlobal(Selector, types.I32),
		fuel:      mod.NewGlobal(Fuel, types.I64),
		outOfFuel: mod.NewFunc(OutOfFuel, types.Void),
	}
	b.selector.Linkage, b.fuel.Linkage = enum.LinkageExternal, enum.LinkageExternal
	table := types.NewArray(uint64(max(opts.Sites, 1)), types.I8)
	if opts.Define {
		b.reached = mod.NewGlobalDef(Reached, constant.NewZeroInitializer(table))
		mod.NewGlobalDef(SiteCount, constant.NewInt(types.I32, int64(opts.Sites))).Immutable = true
	} else {
		b.reached = mod.NewGlobal(Reached, table)
		b.reached.Linkage = enum.LinkageExternal
	}
	return b
}

// substitute replaces operands throughout a function.
func substitute(f *llir.Func, with map[value.Value]value.Value) {
	for _, b := range f.Blocks {
		substituteIn(b, with, nil)
	}
}

// substituteIn replaces operands in a block, but for the values in own. The
// phis that join a site's copies keep their first value, which names the
// original on purpose.
func substituteIn(b *llir.Block, with map[value.Value]value.Value, own []value.Value) {
	replace := func(slot *value.Value) {
		if instead, ok := with[*slot]; ok && !slices.Contains(own, *slot) {
			*slot = instead
		}
	}
	for _, inst := range b.Insts {
		if join, ok := inst.(*llir.InstPhi); ok {
			for _, incoming := range join.Incs[1:] {
				replace(&incoming.X)
			}
			continue
		}
		eachOperand(inst, replace)
	}
	eachOperand(b.Term, replace)
}

func eachOperand(user value.User, do func(slot *value.Value)) {
	for _, slot := range user.Operands() {
		if arg, ok := (*slot).(*llir.Arg); ok {
			slot = &arg.Value
		}
		do(slot)
	}
}

func substituteOperands(user value.User, with map[value.Value]value.Value) {
	eachOperand(user, func(slot *value.Value) {
		if instead, ok := with[*slot]; ok {
			*slot = instead
		}
	})
}
