package op

import (
	"slices"
	"sync"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/ir"
)

// Function is a function as operations.
type Function struct {
	Code *defuse.Code
	// Ops are the operations by item.
	Ops []Op

	params map[value.Value]int64
	blocks map[value.Value]int
}

// Module lowers functions, each once, for all analyses. The zero value is ready, and may be
// asked by many at once.
type Module struct {
	mu      sync.Mutex
	lowered map[*llir.Func]*Function
}

// Function is a function with a body, lowered.
func (m *Module) Function(f *llir.Func) *Function {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lowered[f] == nil {
		if m.lowered == nil {
			m.lowered = map[*llir.Func]*Function{}
		}
		m.lowered[f] = Lower(defuse.Of(f))
	}
	return m.lowered[f]
}

// Lower lowers a function that was numbered. The time is linear in operands; callers keep
// the result.
func Lower(code *defuse.Code) *Function {
	f := &Function{Code: code, Ops: make([]Op, len(code.Items)),
		params: make(map[value.Value]int64, len(code.Func.Params)), blocks: make(map[value.Value]int, len(code.Func.Blocks))}
	for i, b := range code.Func.Blocks {
		f.blocks[b] = i
	}
	for i, p := range code.Func.Params {
		f.params[p] = int64(i)
	}
	for i := range code.Items {
		f.Ops[i] = lowering{f: f}.node(code.Items[i].Node())
	}
	return f
}

// Instead lowers code that takes the place of some of the function's: instructions, which
// may use the function's values and the results of those before, then a terminator or nil.
func (f *Function) Instead(insts []llir.Instruction, term llir.Terminator) *Replacement {
	r := &Replacement{Ops: make([]Op, 0, len(insts)+1), f: f, results: make([]value.Value, 0, len(insts))}
	for _, inst := range insts {
		r.Ops = append(r.Ops, lowering{f, r}.node(inst))
		r.add(inst)
	}
	if term != nil {
		r.Ops = append(r.Ops, lowering{f, r}.node(term))
	}
	return r
}

// Replacement is code that takes the place of some of a function's.
type Replacement struct {
	Ops []Op

	f       *Function
	results []value.Value // by instruction; nil for those without
	// places are the results' in results, once there are many.
	places map[value.Value]int
}

// fewResults are looked through one by one.
const fewResults = 32

func (r *Replacement) add(inst llir.Instruction) {
	v, _ := inst.(value.Value)
	r.results = append(r.results, v)
	switch n := len(r.results); {
	case n == fewResults:
		r.places = make(map[value.Value]int, cap(r.results))
		for k, v := range r.results {
			r.places[v] = k
		}
	case n > fewResults:
		r.places[v] = n - 1
	}
}

// place is which of the instructions gave a value, -1 for none of them.
func (r *Replacement) place(v value.Value) int {
	if r.places == nil {
		return slices.Index(r.results, v)
	}
	if k, ok := r.places[v]; ok {
		return k
	}
	return -1
}

// Instructions is how many the replacement has, its terminator left out.
func (r *Replacement) Instructions() int { return len(r.results) }

// Operand is a value as the function's operations use it.
func (f *Function) Operand(v value.Value) Operand { return lowering{f: f}.operand(v) }

// Operand is a value as what comes after the replacement uses it.
func (r *Replacement) Operand(v value.Value) Operand { return lowering{r.f, r}.operand(v) }

// lowering is what an instruction is lowered in: a function, and the code before it in a
// replacement, nil where there is none.
type lowering struct {
	f     *Function
	local *Replacement
}

func (l lowering) operands(values ...value.Value) []Operand {
	out := make([]Operand, len(values))
	for k, v := range values {
		out[k] = l.operand(v)
	}
	return out
}

func (l lowering) targets(blocks ...value.Value) []int {
	out := make([]int, len(blocks))
	for k, b := range blocks {
		n, ok := l.f.blocks[b]
		if !ok {
			n = len(l.f.blocks)
		}
		out[k] = n
	}
	return out
}

//nolint:funlen // a flat switch over the kinds of instructions
func (l lowering) node(node any) Op {
	o := Op{Node: node}
	if v, ok := node.(value.Value); ok {
		if _, isTerm := node.(llir.Terminator); !isTerm {
			o.Type = TypeOf(v.Type())
		}
	}
	switch i := node.(type) {
	case *llir.InstAlloca:
		o.Code, o.Content = Alloca, TypeOf(i.ElemType)
		if i.NElems == nil {
			o.Bytes = SizeOf(i.ElemType)
		} else {
			o.Args = l.operands(i.NElems)
		}
	case *llir.InstLoad:
		o.Code, o.Args = Load, l.operands(i.Src)
	case *llir.InstStore:
		o.Code, o.Args, o.Type = Store, l.operands(i.Dst, i.Src), TypeOf(i.Src.Type())
	case *llir.InstGetElementPtr:
		l.address(&o, i)
	case *llir.InstSelect:
		o.Code, o.Args = Select, l.operands(i.Cond, i.ValueTrue, i.ValueFalse)
	case *llir.InstPhi:
		o.Code = Phi
		for _, from := range i.Incs {
			o.Args = append(o.Args, l.operand(from.X))
			o.Targets = append(o.Targets, l.targets(from.Pred)...)
		}
	case *llir.InstICmp:
		o.Code, o.Pred, o.Args = CompareInts, i.Pred, l.operands(i.X, i.Y)
	case *llir.InstFCmp:
		o.Code, o.FPred, o.Args = CompareFloats, i.Pred, l.operands(i.X, i.Y)
	case *llir.InstFNeg:
		o.Code, o.Args = FNeg, l.operands(i.X)
	case *llir.InstExtractValue:
		o.Code, o.Args, o.Offset = Extract, l.operands(i.X), offsetOf(i.X.Type(), i.Indices)
	case *llir.InstInsertValue:
		o.Code, o.Args, o.Offset = Insert, l.operands(i.X, i.Elem), offsetOf(i.X.Type(), i.Indices)
	case *llir.InstCall:
		l.call(&o, i)
	case llir.Terminator:
		l.terminator(&o, i)
	default:
		l.operator(&o)
	}
	return o
}

// operator lowers what computes its result from one or two operands.
func (l lowering) operator(o *Op) {
	code, flags := codeOf(o.Node)
	user, ok := o.Node.(value.User)
	if !ok {
		o.Code = Other
		return
	}
	o.Code = code
	for _, v := range user.Operands() {
		if v == nil || *v == nil {
			continue
		}
		if _, isBlock := (*v).(*llir.Block); !isBlock {
			o.Args = append(o.Args, l.operand(*v))
		}
	}
	if o.Type.Class == Bytes && o.Code != BitCast { // vectors
		o.Code = Other
	}
	if slices.Contains(flags, enum.OverflowFlagNSW) {
		o.Flags |= NoSignedWrap
	}
	if slices.Contains(flags, enum.OverflowFlagNUW) {
		o.Flags |= NoUnsignedWrap
	}
}

//nolint:funlen // a flat switch over the operators
func codeOf(node any) (Code, []enum.OverflowFlag) {
	switch i := node.(type) {
	case *llir.InstAdd:
		return Add, i.OverflowFlags
	case *llir.InstSub:
		return Sub, i.OverflowFlags
	case *llir.InstMul:
		return Mul, i.OverflowFlags
	case *llir.InstShl:
		return Shl, i.OverflowFlags
	case *llir.InstSDiv:
		return SDiv, nil
	case *llir.InstUDiv:
		return UDiv, nil
	case *llir.InstSRem:
		return SRem, nil
	case *llir.InstURem:
		return URem, nil
	case *llir.InstAnd:
		return And, nil
	case *llir.InstOr:
		return Or, nil
	case *llir.InstXor:
		return Xor, nil
	case *llir.InstLShr:
		return LShr, nil
	case *llir.InstAShr:
		return AShr, nil
	case *llir.InstFAdd:
		return FAdd, nil
	case *llir.InstFSub:
		return FSub, nil
	case *llir.InstFMul:
		return FMul, nil
	case *llir.InstFDiv:
		return FDiv, nil
	case *llir.InstFRem:
		return FRem, nil
	case *llir.InstSExt:
		return SExt, nil
	case *llir.InstZExt:
		return ZExt, nil
	case *llir.InstTrunc:
		return Trunc, nil
	case *llir.InstSIToFP:
		return SIToFP, nil
	case *llir.InstUIToFP:
		return UIToFP, nil
	case *llir.InstFPToSI:
		return FPToSI, nil
	case *llir.InstFPToUI:
		return FPToUI, nil
	case *llir.InstFPExt:
		return FPExt, nil
	case *llir.InstFPTrunc:
		return FPTrunc, nil
	case *llir.InstBitCast, *llir.InstPtrToInt, *llir.InstIntToPtr:
		return BitCast, nil
	}
	return Other, nil
}

// address lowers an address computation: what is known goes to Offset.
func (l lowering) address(o *Op, i *llir.InstGetElementPtr) {
	o.Code, o.Args = Address, l.operands(i.Src)
	o.Offset = walk(i.ElemType, i.Indices, func(index value.Value, scale int64) {
		o.Args, o.Scales = append(o.Args, l.operand(index)), append(o.Scales, scale)
	})
}

// walk goes along the indices of an address computation: it returns what those add that
// are known, and calls other with the others and what they are multiplied by.
func walk(t types.Type, indices []value.Value, other func(value.Value, int64)) (offset int64) {
	for k, index := range indices {
		x, known := numberOf(ir.Unwrap(unindexed(index)))
		scale := int64(addressBits / 8)
		switch inner := t.(type) {
		case *types.StructType:
			if field, at, ok := member(inner, x); k > 0 && known && ok {
				t, offset = field, offset+at
				continue
			}
			scale = SizeOf(t)
		case *types.ArrayType:
			if scale = SizeOf(t); k > 0 {
				t, scale = inner.ElemType, SizeOf(inner.ElemType)
			}
		default:
			if k == 0 {
				scale = SizeOf(t)
			}
		}
		if known {
			offset += scale * x
		} else {
			other(index, scale)
		}
	}
	return offset
}

func (l lowering) call(o *Op, i *llir.InstCall) {
	if ir.IsDebug(i) {
		return
	}
	o.Code, o.Library, o.Args = Call, libc.Called(i), l.operands(i.Callee)
	o.Callee, _ = i.Callee.(*llir.Func)
	for k, a := range i.Args {
		o.Args = append(o.Args, l.operand(a))
		arg, ok := a.(*llir.Arg)
		if !ok {
			continue
		}
		for _, attr := range arg.Attrs {
			if by, ok := attr.(llir.Byval); ok && by.Typ != nil {
				if o.ByValue == nil {
					o.ByValue = make([]int64, len(i.Args))
				}
				o.ByValue[k] = SizeOf(by.Typ)
			}
		}
	}
}

func (l lowering) terminator(o *Op, term llir.Terminator) {
	switch i := term.(type) {
	case *llir.TermBr:
		o.Code, o.Targets = Jump, l.targets(i.Target)
	case *llir.TermCondBr:
		o.Code, o.Args, o.Targets = Branch, l.operands(i.Cond), l.targets(i.TargetTrue, i.TargetFalse)
	case *llir.TermSwitch:
		o.Code, o.Args = Switch, l.operands(i.X)
		for _, k := range i.Cases {
			o.Args, o.Targets = append(o.Args, l.operand(k.X)), append(o.Targets, l.targets(k.Target)...)
		}
		o.Targets = append(o.Targets, l.targets(i.TargetDefault)...)
	case *llir.TermIndirectBr:
		o.Code, o.Args, o.Targets = IndirectTo, l.operands(i.Addr), l.targets(i.ValidTargets...)
	case *llir.TermRet:
		o.Code = Return
		if i.X != nil {
			o.Args = l.operands(i.X)
		}
	default:
		o.Code = Unreachable
	}
}

// offsetOf is where a member of a value lies that is selected by constant indices.
func offsetOf(t types.Type, indices []uint64) (offset int64) {
	for _, k := range indices {
		inner, at, ok := member(t, int64(k))
		if !ok {
			return offset
		}
		t, offset = inner, offset+at
	}
	return offset
}
