// Package twin puts programs that hold one mutant each side by side in one
// executable: the slow twin of the meta-mutant, to which tests hold it.
//
// A mutant is applied to a module by itself (schemata.Apply), and the module
// made ready for the runtime without a site (schemata.Build without mutants).
// A Gathering then takes the module's functions and variables, under names of
// their own, so that no two programs share a variable; which program runs is
// decided before its main, by the selector. Otherwise a thousand mutants would
// be a thousand executables to link.
package twin

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Gathering is a module that holds several programs. Its zero value is empty.
type Gathering struct {
	module   *llir.Module
	declared map[string]bool
	mains    map[int32]*llir.Func
}

// Add takes over a program made of one module, which is of no use afterwards.
// All programs come from the same source: they share the names of types and of
// groups of attributes.
func (g *Gathering) Add(selector int32, m *ir.Module) error {
	own := m.LLVM
	if g.module == nil {
		g.module = &llir.Module{DataLayout: own.DataLayout, TargetTriple: own.TargetTriple,
			TypeDefs: own.TypeDefs, AttrGroupDefs: own.AttrGroupDefs}
		g.declared, g.mains = map[string]bool{}, map[int32]*llir.Func{}
	}
	if g.mains[selector] != nil {
		return fmt.Errorf("two programs have the selector %d", selector)
	}
	prefix := fmt.Sprintf("twin%d.", selector)
	g.takeVariables(own, prefix)
	if g.mains[selector] = g.takeFunctions(own, prefix); g.mains[selector] == nil {
		return fmt.Errorf("%s has no function main that schemata.Build has seen", m.Name)
	}
	return nil
}

func (g *Gathering) takeVariables(own *llir.Module, prefix string) {
	for _, v := range own.Globals {
		v.Metadata = nil
		if v.Init != nil {
			v.SetName(prefix + v.Name())
			v.Linkage = enum.LinkageInternal
		}
		if v.Name() != schemata.Reached && g.isNew(v.Name()) {
			g.module.Globals = append(g.module.Globals, v)
		}
	}
}

func (g *Gathering) takeFunctions(own *llir.Module, prefix string) (main *llir.Func) {
	for _, f := range own.Funcs {
		f.Metadata = nil
		if len(f.Blocks) > 0 {
			if f.Name() == schemata.ProgramMain {
				main = f
			}
			f.SetName(prefix + f.Name())
			f.Linkage = enum.LinkageInternal
			dropMetadata(f)
		} else if strings.HasPrefix(f.Name(), "llvm.dbg.") {
			continue
		}
		if g.isNew(f.Name()) {
			g.module.Funcs = append(g.module.Funcs, f)
		}
	}
	return main
}

// isNew is whether the name is not in the module yet: declarations are once.
func (g *Gathering) isNew(name string) bool {
	known := g.declared[name]
	g.declared[name] = true
	return !known
}

func dropMetadata(f *llir.Func) {
	for _, b := range f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, ir.IsDebug)
		for _, inst := range b.Insts {
			forget(inst)
		}
		forget(b.Term)
	}
}

func forget(inst any) {
	if field := reflect.ValueOf(inst).Elem().FieldByName("Metadata"); field.IsValid() {
		field.SetZero()
	}
}

// String is the text of the executable's module, as the runtime expects it of a
// meta-mutant: the selector chooses the program; an unknown one runs the program with the
// lowest. There is one site, which nothing reaches. A Gathering is
// printed once, when it has all its programs.
func (g *Gathering) String() string {
	g.module.NewGlobalDef(schemata.Reached, constant.NewZeroInitializer(types.NewArray(1, types.I8)))
	g.module.NewGlobalDef(schemata.SiteCount, constant.NewInt(types.I32, 1)).Immutable = true
	count, arguments := llir.NewParam("argc", types.I32), llir.NewParam("argv", types.NewPointer(types.I8Ptr))
	main := g.module.NewFunc(schemata.ProgramMain, types.I32, count, arguments)
	entry := main.NewBlock("entry")
	var cases []*llir.Case
	var first *llir.Block
	for _, selector := range slices.Sorted(maps.Keys(g.mains)) {
		chosen := g.mains[selector]
		b := main.NewBlock(fmt.Sprintf("twin%d", selector))
		call := llir.NewCall(chosen)
		for i, p := range main.Params[:min(len(chosen.Params), 2)] {
			call.Args = append(call.Args, p)
			if want := chosen.Params[i].Type(); !want.Equal(p.Type()) {
				call.Args[i] = b.NewBitCast(p, want)
			}
		}
		b.Insts = append(b.Insts, call)
		if chosen.Sig.RetType.Equal(types.I32) {
			b.NewRet(call)
		} else {
			b.NewRet(constant.NewInt(types.I32, 0))
		}
		cases = append(cases, llir.NewCase(constant.NewInt(types.I32, int64(selector)), b))
		if first == nil {
			first = b
		}
	}
	entry.NewSwitch(entry.NewLoad(types.I32, g.selector()), first, cases...)
	return g.module.String()
}

// selector is the runtime's variable, which every program declares.
func (g *Gathering) selector() *llir.Global {
	for _, v := range g.module.Globals {
		if v.Name() == schemata.Selector {
			return v
		}
	}
	v := g.module.NewGlobal(schemata.Selector, types.I32)
	v.Linkage = enum.LinkageExternal
	return v
}
