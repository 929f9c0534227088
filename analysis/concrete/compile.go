package concrete

import (
	"math"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// kind is how a word is read: the width of an integer, or one of these.
type kind uint8

const (
	kindFloat kind = 200 + iota
	kindSingle
	pointer
	kindBytes  // up to 8 bytes of a structure or a vector
	kindWide   // a wider integer or structure of up to 16: see program.widen
	opaqueKind // nothing is known of what it holds
)

func kindOf(t op.Type) kind {
	switch t.Class {
	case op.Int:
		if t.Bits <= 64 {
			return kind(t.Bits)
		}
		if t.Bits <= 128 {
			return kindWide
		}
	case op.Float:
		switch t.Bits {
		case 16:
			return opaqueKind
		case 32:
			return kindSingle
		}
		return kindFloat
	case op.Pointer:
		return pointer
	case op.Bytes:
		switch n := t.Size(); {
		case n > 0 && n <= 8:
			return kindBytes
		case n > 8 && n <= 16:
			return kindWide
		}
	}
	return opaqueKind
}

// sizeOf is how many bytes a value takes, as far as a word can hold it.
func sizeOf(t op.Type) uint8 { return uint8(min(16, t.Size())) }

// wrap cuts an integer to its width; i1 is 0 or 1, wider ones are signed.
func (k kind) wrap(x int64) int64 { return op.Wrap(x, uint(k)) }

// unsigned reads a word of the width without a sign.
func (k kind) unsigned(x int64) uint64 { return op.Unsigned(x, uint(k)) }

// refKind says where an operand comes from.
type refKind uint8

const (
	none     refKind = iota
	register         // regs[x], or drawn where the path did not compute it
	computed         // regs[x] of an item of the block that comes before
	word             // x itself
	input            // drawn for key x
)

type ref struct {
	kind refKind
	as   kind
	x    int64
}

// operation is an operation of a function as it is run: what it does, and where its
// operands are.
type operation struct {
	*op.Op
	as   kind // of the result, of what is stored, or of the operands of a comparison
	size uint8
	to   int // register
	args []ref
	slot int // of a load or a store: see Code.slot
	// library is what a call does, if it is of the C library and known.
	library library
}

// link finds the operands of an operation whose result is in register to; replaces says
// that it is of code that takes the place of some of the block's.
func (c *Code) link(o *op.Op, to, block int, replaces bool) operation {
	out := operation{Op: o, as: kindOf(o.Type), size: sizeOf(o.Type), to: to, slot: -1}
	if len(o.Args) > 0 {
		out.args = make([]ref, len(o.Args))
		for k, a := range o.Args {
			out.args[k] = c.ref(a, block, replaces)
		}
	}
	switch o.Code {
	case op.Load, op.Store:
		out.slot = c.slot(o.Args[0])
	case op.CompareInts:
		out.as = out.args[0].as
	case op.Call:
		switch {
		case o.Library != nil:
			out.library = libraryFunctions[o.Library.Name]
		case o.Callee != nil:
			out.library = stackIntrinsics[o.Callee.Name()]
		}
	}
	return out
}

// slot is the item of the local variable at an address, if it is a scalar; or -1. Paths
// keep what it holds in the register of that item, since nothing else is there: most
// loads and stores of code that is not optimised are of such variables.
func (c *Code) slot(at op.Operand) int {
	if at.Kind != op.Item || !isScalar(&c.lowered.Ops[at.X]) {
		return -1
	}
	return int(at.X)
}

// isScalar reports the allocation of a number or an address of up to eight bytes, or of a
// long double.
func isScalar(o *op.Op) bool {
	return o.Code == op.Alloca && o.Bytes > 0 && kindOf(o.Content) < kindBytes
}

// ref finds a value: in the code that takes the place of some of the block's, in the
// block, or outside.
func (c *Code) ref(a op.Operand, block int, replaces bool) ref {
	as := kindOf(a.Type)
	switch a.Kind {
	case op.Scratch:
		return ref{computed, as, int64(c.base) + a.X}
	case op.Number:
		return ref{word, as, wordOfBits(a.X, a.Type)}
	case op.Param:
		return ref{input, as, a.X + 1}
	case op.Item:
		switch {
		case c.lowered.Ops[a.X].Code == op.Alloca:
			return ref{word, pointer, firstLocal + a.X<<localBits}
		case c.code.Items[a.X].Block != block:
			return ref{input, as, a.X + otherBlock}
		case replaces: // what may be replaced
			return ref{register, as, a.X}
		}
		return ref{computed, as, a.X}
	case op.Symbol:
		return ref{word, as, c.addressOf(a)}
	case op.Wide:
		return ref{word, as, c.within.ofWideInt(a.Of.(*constant.Int).X, a.Type)}
	}
	return ref{word, pointer, c.address(a.Of)}
}

// wordOfBits is the word of a constant of which these are the bits.
func wordOfBits(x int64, t op.Type) int64 {
	if t.Class == op.Float && t.Bits == 32 {
		return floatWord(float64(math.Float32frombits(uint32(x))))
	}
	return x
}

// addressOf is that of a place in what has a name outside of functions.
func (c *Code) addressOf(a op.Operand) int64 { return c.address(a.Of) + a.X }

// address is that of a global or a function.
func (c *Code) address(v value.Value) int64 { return firstGlobal + c.symbol(v)<<symbolBits }

const (
	// otherBlock and what follows are the keys of other blocks' items.
	otherBlock = 1 << 32
	// Local variables are in memory from firstLocal on, what was allocated from firstHeap
	// on, what has a name outside of the function from firstGlobal on, and the tables of
	// the C library from firstTable on. What is drawn lies below all.
	firstLocal  = 1 << 56
	firstHeap   = 1 << 57
	firstGlobal = 1 << 58
	firstTable  = 1 << 59
	// Each local variable has so many bits of addresses, the frames of calls so many,
	// and each global variable.
	localBits  = 28
	frameBits  = 48
	symbolBits = 32
)

func isLocal(at int64) bool { return at >= firstLocal && at < firstHeap }

// symbol numbers what has a name outside of functions by its first use in a program,
// behind the parameters of its root, so that no number depends on other functions.
func (c *Code) symbol(v value.Value) int64 {
	p := c.within
	v = p.linked(v)
	n, ok := p.symbols[v]
	if !ok {
		k := len(p.symbols)
		n = int64(k) + firstSymbol
		p.symbols[v], p.globals = n, append(p.globals, nil)
		g := c.globalOf(v) // which may name others
		p.globals[k] = g
		if named, ok := v.(*llir.Global); ok && named.Init == nil && (g.stream || g.known) {
			if p.variables == nil {
				p.variables = map[string]int64{}
			}
			p.variables[named.Name()] = firstGlobal + n<<symbolBits
		}
		if f, ok := v.(*llir.Func); ok && len(f.Blocks) > 0 && (p.exact || !f.Sig.Variadic) {
			p.functions[firstGlobal+n<<symbolBits] = f
		}
	}
	return n
}

// firstSymbol is behind the parameters of any function, which are numbered from 1.
const firstSymbol = 257
