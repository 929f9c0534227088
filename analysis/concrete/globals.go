package concrete

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// global is what memory holds of a variable with a name outside of functions before
// anything is written to it.
type global struct {
	// known says that its initial value is; constant that nothing writes it.
	known, constant bool
	cells           map[int64]int64 // by offset; the others are 0
}

// mostInitial bounds the scalars of an initial value; of larger ones nothing is known.
const mostInitial = 4096

// globalOf reads the initial value of what has a name; nothing is known of functions and
// of what another module defines.
func (c *Code) globalOf(v value.Value) *global {
	g, ok := v.(*llir.Global)
	if !ok || g.Init == nil {
		return &global{}
	}
	out := &global{constant: g.Immutable}
	out.known = c.initial(out, g.Init, 0)
	return out
}

// initial notes the scalars of a constant at an offset; false when it cannot.
func (c *Code) initial(g *global, k constant.Constant, at int64) bool {
	switch k := k.(type) {
	case *constant.CharArray:
		for i, b := range k.X {
			if !g.set(at+int64(i), int64(int8(b))) {
				return false
			}
		}
		return true
	case *constant.Array:
		if len(k.Elems) == 0 {
			return true
		}
		size := op.SizeOf(k.Elems[0].Type())
		for i, e := range k.Elems {
			if !c.initial(g, e, at+int64(i)*size) {
				return false
			}
		}
		return true
	case *constant.Struct:
		t, ok := k.Type().(*types.StructType)
		if !ok || len(t.Fields) != len(k.Fields) {
			return false
		}
		offsets := op.Members(t)
		for i, e := range k.Fields {
			if !c.initial(g, e, at+offsets[i]) {
				return false
			}
		}
		return true
	}
	switch a := op.ConstantOperand(k); a.Kind {
	case op.Number:
		return g.set(at, wordOfBits(a.X, a.Type))
	case op.Symbol:
		return g.set(at, c.addressOf(a))
	}
	return false
}

func (g *global) set(at, x int64) bool {
	if x == 0 {
		return true
	}
	if g.cells == nil {
		g.cells = map[int64]int64{}
	}
	g.cells[at] = x
	return len(g.cells) <= mostInitial
}

// initially is what memory holds where nothing was written: initial values, when the path
// is of main, before which nobody wrote them, or nobody may; and the tables of <ctype.h>.
func (p *Path) initially(at int64, as kind) (int64, bool) {
	switch {
	case at >= firstTable:
		return as.wrap(classOf(at)), true
	case at >= firstGlobal:
		if g := p.globalAt(at); g != nil {
			return as.wrap(g.cells[at&(1<<symbolBits-1)]), true
		}
	case at >= firstLocal && p.fromMain && mix(p.seed, uint64(at))%4 > 0:
		return 0, true // fresh memory is mostly 0
	}
	return 0, false
}
