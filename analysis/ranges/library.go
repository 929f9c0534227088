package ranges

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// characters is what toupper and tolower take and return.
var characters = Interval(libc.Character)

// callResult is what a call of a width returns.
func callResult(call *op.Op, width uint) Interval {
	full, called := fullOrNone(width), call.Library
	if called == nil || width == 0 {
		return full
	}
	known := Interval(called.Returns)
	switch {
	case called.Has(libc.Scans):
		return full.Meet(Interval{-1, int64(max(0, len(call.Args)-1-called.Format))})
	case !called.Returns.Bounded() || full.Meet(known).IsEmpty():
		return full
	}
	return full.Meet(known)
}

// filled is what a call leaves in the memory that it writes, nil for anything:
// memset of bytes that are all zeros or all ones, and memcpy from a constant, as
// clang makes of the initial values of arrays.
func (f *Facts) filled(call *op.Op, width uint) *Interval {
	if call.Library == nil || len(call.Args) < 4 {
		return nil
	}
	switch from := call.Args[2]; call.Library.Name {
	case "memset":
		if from.IsNumber() {
			switch x := from.X & 255; {
			case x == 0:
				return &Interval{0, 0}
			case x == 255 && width > 1:
				return &Interval{-1, -1}
			}
		}
	case "memcpy":
		if g, ok := f.code.PlaceOf(from, nil).Object.(*llir.Global); ok && g.Immutable {
			if out := initial(g, width); !out.IsEmpty() && out != Full(width) {
				return &out
			}
		}
	}
	return nil
}

// replacesAll reports a call of memset or memcpy, as filled knows them, that
// writes a whole array.
func (f *Facts) replacesAll(c *cell, call *op.Op) bool {
	length := call.Args[3]
	at := f.code.PlaceOf(call.Args[1], nil)
	return length.IsNumber() && at.Whole() && at.Object == c.object && length.X >= 0 && uint64(length.X) >= c.bytes
}

// constantMemory is what a load that is of no cell can give.
func (f *Facts) constantMemory(load *op.Op, r *op.Replacement) Interval {
	width := load.Type.Width()
	if width == 0 {
		return Interval{}
	}
	at := f.code.PlaceOf(load.Args[0], r)
	if g, ok := at.Object.(*llir.Global); ok && g.Immutable && at.Aligned(bytesOf(width)) {
		return initial(g, width)
	}
	return Full(width)
}

// initial is what the integers of a global start as: those of its elements where
// it is one or an array of them, else anything.
func initial(g *llir.Global, width uint) Interval {
	element, _, _ := elementOf(g.ContentType)
	if g.Init == nil || widthOf(element) != width {
		return Full(width)
	}
	return contentOf(g.Init, width)
}

func contentOf(c constant.Constant, width uint) Interval {
	switch c := c.(type) {
	case *constant.Int:
		return Exactly(op.ConstantOperand(c).X)
	case *constant.ZeroInitializer:
		return Exactly(0)
	case *constant.CharArray:
		out := Empty
		for _, x := range c.X {
			out = out.Join(Exactly(int64(int8(x))))
		}
		return out
	case *constant.Array:
		out := Empty
		for _, e := range c.Elems {
			out = out.Join(contentOf(e, width))
		}
		return out
	}
	return Full(width)
}

// startOf is what a cell holds where the function starts.
func (f *Facts) startOf(c *cell) Interval {
	if g, ok := c.object.(*llir.Global); ok && f.isMain() {
		return initial(g, c.width)
	}
	return Full(c.width)
}
