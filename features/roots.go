package features

import (
	"cmp"
	"context"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/internal/parallel"
)

// rootsOf are the functions that a program is entered by: those that are visible from
// outside and that no other function or variable of the module names. Most programs have
// one, which need not be called main here: no feature depends on what a function is called.
func rootsOf(m *llir.Module) map[*llir.Func]bool {
	named := map[value.Value]bool{}
	for _, g := range m.Globals {
		if g.Init != nil {
			nameFunctions(g.Init, nil, named)
		}
	}
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				if user, ok := inst.(value.User); ok {
					for _, slot := range user.Operands() {
						nameFunctions(*slot, f, named)
					}
				}
			}
			for _, slot := range b.Term.Operands() {
				nameFunctions(*slot, f, named)
			}
		}
	}
	out := map[*llir.Func]bool{}
	for _, f := range m.Funcs {
		hidden := f.Linkage == enum.LinkageInternal || f.Linkage == enum.LinkagePrivate
		if len(f.Blocks) > 0 && !hidden && !named[f] {
			out[f] = true
		}
	}
	return out
}

// nameFunctions notes the functions that an operand names, but the one that it is in.
func nameFunctions(v value.Value, in *llir.Func, named map[value.Value]bool) {
	switch v := v.(type) {
	case *llir.Func:
		if v != in {
			named[v] = true
		}
	case *llir.Arg:
		nameFunctions(v.Value, in, named)
	case *constant.Array:
		for _, e := range v.Elems {
			nameFunctions(e, in, named)
		}
	case *constant.Struct:
		for _, e := range v.Fields {
			nameFunctions(e, in, named)
		}
	case *constant.ExprBitCast:
		nameFunctions(v.From, in, named)
	case *constant.ExprPtrToInt:
		nameFunctions(v.From, in, named)
	case *constant.ExprSelect:
		nameFunctions(v.X, in, named)
		nameFunctions(v.Y, in, named)
	}
}

// runsToTheEnd reports a function with the signature of a program: int of nothing, or of
// arguments. What it leaves in memory nobody sees.
func runsToTheEnd(f *llir.Func) bool {
	if !f.Sig.RetType.Equal(types.I32) {
		return false
	}
	texts := types.NewPointer(types.I8Ptr)
	for k, p := range f.Params {
		if k == 0 && !p.Typ.Equal(types.I32) || k > 0 && !p.Typ.Equal(texts) {
			return false
		}
	}
	return len(f.Params) != 1
}

// entry is a function that mutants are tried from, with the inputs of its own that were
// chosen for it.
type entry struct {
	code   *llir.Func
	inputs []uint64
	// reached is on how many of the inputs the original comes to each function with mutants.
	reached map[*function]int
	// alone says that no root comes here: the function is tried by itself.
	alone bool
	// functions are those whose mutants are tried from here.
	functions []*function
	// number is that of the first of those mutants, matrix compares them.
	number int
	matrix *trialMatrix
}

// entriesOf finds from where the mutants of each function are tried: from the root that
// comes to it on most of its inputs, and from its own beginning where none does. No name
// chooses among roots: of equals it is the smaller, and the first of those.
func (p *program) entriesOf() []*entry {
	var roots []*llir.Func
	for _, f := range p.module.LLVM.Funcs {
		if p.roots[f] {
			roots = append(roots, f)
		}
	}
	out, _ := parallel.Map(context.Background(), p.inputs.workers, roots, func(_ context.Context, _ int, f *llir.Func) (*entry, error) {
		return p.enter(f), nil
	})
	for _, f := range p.functions {
		var best *entry
		for _, e := range out {
			if e.reached[f] > 0 && (best == nil || e.before(best, f)) {
				best = e
			}
		}
		if best == nil {
			best = &entry{code: f.code.Func, alone: true}
			out = append(out, best)
		}
		best.functions = append(best.functions, f)
	}
	return slices.DeleteFunc(out, func(e *entry) bool { return len(e.functions) == 0 })
}

func (e *entry) before(other *entry, f *function) bool {
	return cmp.Or(cmp.Compare(e.reached[f]*len(other.inputs), other.reached[f]*len(e.inputs)),
		cmp.Compare(instructions(other.code), instructions(e.code))) > 0
}

func instructions(f *llir.Func) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Insts)
	}
	return n
}

// enter draws the inputs of a root, and sees where they lead.
func (p *program) enter(root *llir.Func) *entry {
	e := &entry{code: root, reached: map[*function]int{}}
	code, t := concrete.Root(root, &p.lowered), &trier{limit: programLimit}
	t.runOriginals(code)
	e.inputs = t.inputs
	for _, f := range p.functions {
		own := code.Callee(f.code.Func)
		if own == nil {
			continue
		}
		for k := range t.inputs {
			if t.originals[k].Visited(own, 0) {
				e.reached[f]++
			}
		}
	}
	return e
}
