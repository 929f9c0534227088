package concrete

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// kind is how a word is read: the width of an integer, or one of these.
type kind uint8

const (
	kindFloat kind = 200 + iota
	kindSingle
	pointer
	opaqueKind
)

func kindOf(t types.Type) kind {
	switch t := t.(type) {
	case *types.IntType:
		if t.BitSize <= 64 {
			return kind(t.BitSize)
		}
	case *types.FloatType:
		if t.Kind == types.FloatKindFloat {
			return kindSingle
		}
		return kindFloat
	case *types.PointerType:
		return pointer
	}
	return opaqueKind
}

// wrap cuts an integer to its width; i1 is 0 or 1, wider ones are signed.
func (k kind) wrap(x int64) int64 {
	switch {
	case k == 1:
		return x & 1
	case k < 64:
		return x << (64 - k) >> (64 - k)
	}
	return x
}

// unsigned reads a word of the width without a sign.
func (k kind) unsigned(x int64) uint64 {
	if k < 64 {
		return uint64(x) & (1<<k - 1)
	}
	return uint64(x)
}

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

type opcode uint8

const (
	skip opcode = iota
	unknown
	callOp
	loadOp
	storeOp
	addressOp
	selectOp
	phiOp
	compareInts
	compareFloats
	binaryInts
	binaryFloats
	convert
	negateFloat
	jump
	branchOp
	switchOp
	returnOp
)

// op is one instruction. what is its operator: an enum of llir, an operation of
// its own kind, or a number that tells unknown ones apart.
type op struct {
	code opcode
	what int
	as   kind // of the result, or of the operands of a comparison
	to   int  // register
	args []ref
	size []int64 // what each index of an address is multiplied by
	plus int64   // and what is added

	slot int // of a load or a store: see Code.slot

	callee  *llir.Func // of a call, where it is known
	library library    // what it does, if it is of the C library and known
	// compares says that the library's function looks for texts.
	compares bool
}

// compile translates an item of the function.
func (c *Code) compile(node any, to int, local []value.Value) op {
	return c.compileIn(node, to, local, c.code.Items[to].Block)
}

func (c *Code) compileIn(node any, to int, local []value.Value, block int) op {
	o := op{to: to, as: opaqueKind}
	if v, ok := node.(value.Value); ok {
		if _, isTerm := node.(llir.Terminator); !isTerm {
			o.as = kindOf(v.Type())
		}
	}
	use := func(values ...value.Value) {
		for _, v := range values {
			o.args = append(o.args, c.ref(v, block, local))
		}
	}
	if c.arithmetic(node, &o, use) {
		return o
	}
	switch i := node.(type) {
	case *llir.InstAlloca:
		o.code = skip
	case *llir.InstLoad:
		o.code = loadOp
		use(i.Src)
		o.slot = c.slot(i.Src)
	case *llir.InstStore:
		o.code = storeOp
		use(i.Dst, i.Src)
		o.slot = c.slot(i.Dst)
	case *llir.InstGetElementPtr:
		o.code = addressOp
		use(i.Src)
		use(i.Indices...)
		o.size, o.plus = strides(i.ElemType, i.Indices)
	case *llir.InstSelect:
		o.code = selectOp
		use(i.Cond, i.ValueTrue, i.ValueFalse)
	case *llir.InstPhi:
		o.code = phiOp
		for _, from := range i.Incs {
			use(from.X)
			o.args = append(o.args, c.place(from.Pred))
		}
	case *llir.InstCall:
		if ir.IsDebug(i) {
			return o
		}
		o.code = callOp
		o.library, o.compares = knownCallee(i)
		use(i.Callee)
		o.callee, _ = i.Callee.(*llir.Func)
		for _, a := range i.Args {
			use(ir.Unwrap(a))
		}
	case *llir.TermBr:
		o.code, o.args = jump, []ref{c.place(i.Target)}
	case *llir.TermCondBr:
		o.code = branchOp
		use(i.Cond)
		o.args = append(o.args, c.place(i.TargetTrue), c.place(i.TargetFalse))
	case *llir.TermSwitch:
		o.code = switchOp
		use(i.X)
		o.args = append(o.args, c.place(i.TargetDefault))
		for _, k := range i.Cases {
			use(k.X)
			o.args = append(o.args, c.place(k.Target))
		}
	case *llir.TermRet:
		o.code = returnOp
		if i.X != nil {
			use(i.X)
		}
	case llir.Terminator: // unreachable, and what C has not
		o.code, o.args = jump, []ref{{kind: word, x: int64(len(c.blocks))}}
	default:
		c.opaque(node, &o, use)
	}
	return o
}

// arithmetic translates operators and conversions.
func (c *Code) arithmetic(node any, o *op, use func(...value.Value)) bool {
	switch i := node.(type) {
	case *llir.InstICmp:
		o.code, o.what, o.as = compareInts, int(i.Pred), kindOf(i.X.Type())
		use(i.X, i.Y)
	case *llir.InstFCmp:
		o.code, o.what = compareFloats, int(i.Pred)
		use(i.X, i.Y)
	case *llir.InstFNeg:
		o.code = negateFloat
		use(i.X)
	default:
		if what, float, ok := binary(node); ok {
			operands := node.(value.User).Operands()
			o.code, o.what = binaryInts, what
			if float {
				o.code = binaryFloats
			}
			use(*operands[0], *operands[1])
			if o.as == opaqueKind { // vectors
				o.code = unknown
			}
			return true
		}
		if what, ok := conversion(node); ok {
			o.code, o.what = convert, what
			use(*node.(value.User).Operands()[0])
			return true
		}
		return false
	}
	return true
}

// opaque is an unknown function of the operands, one for each kind of
// instruction.
func (c *Code) opaque(node any, o *op, use func(...value.Value)) {
	o.code = unknown
	if u, ok := node.(value.User); ok {
		for _, v := range u.Operands() {
			if v != nil && *v != nil {
				if _, isBlock := (*v).(*llir.Block); !isBlock {
					use(*v)
				}
			}
		}
	}
}

func (c *Code) place(target value.Value) ref {
	b, ok := c.blocks[target]
	if !ok {
		b = int64(len(c.blocks))
	}
	return ref{kind: word, x: b}
}

// slot is the item of the local variable at an address, if it is a scalar; or -1. Paths
// keep what it holds in the register of that item, since nothing else is there: most
// loads and stores of code that is not optimised are of such variables.
func (c *Code) slot(at value.Value) int {
	a, ok := at.(*llir.InstAlloca)
	if !ok || a.NElems != nil || kindOf(a.ElemType) == opaqueKind {
		return -1
	}
	n, ok := c.code.Number(a)
	if !ok {
		return -1
	}
	return n
}

// ref finds a value: in the scratch code, in the block, or outside.
func (c *Code) ref(v value.Value, block int, local []value.Value) ref {
	v = ir.Unwrap(v)
	as := kindOf(v.Type())
	for i, l := range local {
		if l == v {
			return ref{computed, as, int64(c.base + i)}
		}
	}
	if x, ok := constantWord(v); ok {
		return ref{word, as, x}
	}
	if n, ok := c.code.Number(v); ok {
		if _, slot := v.(*llir.InstAlloca); slot {
			return ref{word, pointer, firstLocal + int64(n)<<localBits}
		}
		if c.code.Items[n].Block == block {
			if local == nil {
				return ref{computed, as, int64(n)}
			}
			return ref{register, as, int64(n)} // which the scratch code may take the place of
		}
		return ref{input, as, int64(n) + otherBlock}
	}
	if _, ok := v.(*llir.Param); ok {
		return ref{input, as, c.params[v]}
	}
	return ref{word, pointer, c.address(v)}
}

// address is that of a global, of a function, or of a place in a global.
func (c *Code) address(v value.Value) int64 {
	switch e := v.(type) {
	case *constant.ExprBitCast:
		return c.address(e.From)
	case *constant.ExprGetElementPtr:
		indices := make([]value.Value, len(e.Indices))
		for k, index := range e.Indices {
			indices[k] = index
			if in, ok := index.(*constant.Index); ok {
				indices[k] = in.Constant
			}
		}
		sizes, at := strides(e.ElemType, indices)
		at += c.address(e.Src)
		for k, size := range sizes {
			n, _ := constantWord(indices[k])
			at += size * n
		}
		return at
	}
	return firstGlobal + c.symbol(v)<<symbolBits
}

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
	n, ok := p.symbols[v]
	if !ok {
		k := len(p.symbols)
		n = int64(k) + firstSymbol
		p.symbols[v], p.globals = n, append(p.globals, nil)
		g := c.globalOf(v) // which may name others
		p.globals[k] = g
		if f, ok := v.(*llir.Func); ok && len(f.Blocks) > 0 && !f.Sig.Variadic {
			p.functions[firstGlobal+n<<symbolBits] = f
		}
	}
	return n
}

// firstSymbol is behind the parameters of any function, which are numbered from 1.
const firstSymbol = 257

// truth of an ordering: less, equal or greater.
func holds(pred enum.IPred, less, below, equal bool) bool {
	switch pred {
	case enum.IPredEQ:
		return equal
	case enum.IPredNE:
		return !equal
	case enum.IPredSLT:
		return less
	case enum.IPredSLE:
		return less || equal
	case enum.IPredSGT:
		return !less && !equal
	case enum.IPredSGE:
		return !less
	case enum.IPredULT:
		return below
	case enum.IPredULE:
		return below || equal
	case enum.IPredUGT:
		return !below && !equal
	}
	return !below
}
