package concrete

import (
	"slices"

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
	// stream says that it is a stream of the C library: whatever it holds, it is that.
	stream   bool
	granules map[int64]granule // by offset; the others are 0
	first    []uint64          // what the first of them hold, for speed
	scalars  int               // that are not 0
}

// mostInitial bounds the scalars of an initial value; of larger ones nothing is known.
const mostInitial = 4096

// globalOf reads the initial value of what has a name; nothing is known of functions and
// of what another module defines.
func (c *Code) globalOf(v value.Value) *global {
	g, ok := v.(*llir.Global)
	if ok && g.Init == nil && c.within.exact {
		if shared, is := optionVariables[g.Name()]; is {
			out := &global{}
			out.known = c.set(out, 0, shared.x, kind(8*shared.size), uint8(shared.size))
			return out
		}
	}
	if !ok || g.Init == nil {
		return &global{stream: ok && slices.Contains([]string{"stdin", "stdout", "stderr"}, g.Name())}
	}
	out := &global{constant: g.Immutable}
	out.known = c.initial(out, g.Init, 0)
	for at, part := range out.granules {
		if at >= 0 && at < mostInitial {
			if int(at) >= len(out.first) {
				out.first = append(out.first, make([]uint64, int(at)+1-len(out.first))...)
			}
			out.first[at] = part.data
		}
	}
	return out
}

// initial notes the scalars of a constant at an offset; false when it cannot.
func (c *Code) initial(g *global, k constant.Constant, at int64) bool {
	switch k := k.(type) {
	case *constant.CharArray:
		for i, b := range k.X {
			if !c.set(g, at+int64(i), int64(b), 8, 1) {
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
		return c.set(g, at, wordOfBits(a.X, a.Type), kindOf(a.Type), sizeOf(a.Type))
	case op.Symbol:
		return c.set(g, at, c.addressOf(a), pointer, 8)
	case op.Wide:
		return c.set(g, at, c.within.ofWideInt(a.Of.(*constant.Int).X, a.Type), kindWide, 16)
	}
	return false
}

// set notes a scalar; false for one too many, or one that is not known.
func (c *Code) set(g *global, at, x int64, as kind, size uint8) bool {
	if x == 0 {
		return true
	}
	if g.granules == nil {
		g.granules = map[int64]granule{}
	}
	lo, hi := c.within.encode(x, as, size)
	for k := range size { // which need not be aligned
		if k == 8 {
			lo = hi
		}
		off := at + int64(k)
		part := g.granules[off>>3]
		starts := part.starts
		if part.put(uint8(off&7), 1, lo>>(8*(k&7))&0xff); k > 0 {
			part.starts = starts
		}
		g.granules[off>>3] = part
	}
	g.scalars++
	return g.scalars <= mostInitial && as != opaqueKind
}

// bits are some bytes at an offset; what lies behind them may be there, too.
func (g *global) bits(at int64, size uint8) uint64 {
	x, off := g.word(at>>3), uint8(at&7)
	if off == 0 {
		return x
	}
	if x >>= 8 * off; off+size > 8 {
		x |= g.word(at>>3+1) << (64 - 8*off)
	}
	return x
}

func (g *global) word(at int64) uint64 {
	if uint64(at) < uint64(len(g.first)) {
		return g.first[at]
	}
	return g.granules[at].data
}

// initially is what memory holds where nothing was written: initial values, when the path
// begins the program, before which nobody wrote them, or nobody may; and the tables of
// <ctype.h>.
func (p *Path) initially(at int64, as kind, size uint8) (int64, bool) {
	switch {
	case at >= firstTable:
		x := classOf(at)
		if at&1 != 0 {
			x >>= 8
		}
		return as.wrap(x), true
	case at >= firstGlobal:
		if g := p.globalAt(at); g != nil {
			off, hi := at&(1<<symbolBits-1), uint64(0)
			if size > 8 {
				hi = g.bits(off+8, size-8)
			}
			return p.program.decode(g.bits(off, min(8, size)), hi, as, size), true
		}
	case at >= firstLocal && p.program.fresh && p.Transcript == nil && mix(p.seed, uint64(at))%4 > 0:
		return 0, true // fresh memory is mostly 0
	}
	return 0, false
}
