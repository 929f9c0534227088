package ranges

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/ir"
)

type opcode uint8

const (
	other opcode = iota // a value of its type, if it has one
	loadOp
	storeOp
	binaryOp
	convertOp
	compareOp
	selectOp
	caseOp // toupper and tolower
)

// op is what the analysis knows of one item.
type op struct {
	code opcode
	// what is an Operator, a Conversion or an enum.IPred.
	what  uint8
	width uint // of the result; 0 for no integer
	// noWrap: the result stays in its type.
	noWrap bool
	cell   int // loaded or stored, -1 for none
	args   []operand
	// known is what a call or a load of a constant can give.
	known Interval
	// clobbers are the cells that get what fill is, besides their own cell; nil
	// fill is anything.
	clobbers []int
	fill     *Interval
	all      bool // fill replaces what was there
}

// operand is a register, or a value that is the same all the time.
type operand struct {
	item     int // -1 for none
	width    uint
	constant Interval // without an item
}

func (f *Facts) compileAll(flow *dataflow.Flow) {
	f.ops = make([]op, len(f.code.Items))
	var exposed []int
	for k := range f.cells {
		if flow.Exposed(f.cells[k].object) {
			exposed = append(exposed, k)
		}
	}
	for i := range f.code.Items {
		node := f.code.Items[i].Node()
		f.ops[i] = f.compile(node, nil)
		if inst, isStore := node.(*llir.InstStore); !isStore || f.ops[i].cell < 0 || widthOf(inst.Src.Type()) == 0 {
			f.findClobbers(i, flow, exposed)
		}
	}
}

func (f *Facts) findClobbers(i int, flow *dataflow.Flow, exposed []int) {
	o := &f.ops[i]
	if flow.Writes(i, func(object value.Value, _ bool) {
		if k, ok := f.cellOf[object]; ok {
			o.clobbers = append(o.clobbers, k)
		}
	}) {
		if len(o.clobbers) == 0 {
			o.clobbers = exposed
			return
		}
		o.clobbers = append(o.clobbers, exposed...)
		slices.Sort(o.clobbers)
		o.clobbers = slices.Compact(o.clobbers)
		return
	}
	if call, ok := f.code.Items[i].Inst.(*llir.InstCall); ok && len(o.clobbers) == 1 {
		c := &f.cells[o.clobbers[0]]
		if o.fill = filled(call, c.width); o.fill != nil {
			o.all = c.replacesAll(call)
		}
	}
}

// compile translates an instruction; local are registers outside of the
// function, which are numbered from its end.
func (f *Facts) compile(node any, local map[value.Value]int) op {
	o := op{cell: -1}
	if v, ok := node.(value.Value); ok {
		o.width = widthOf(v.Type())
		if _, isTerm := node.(llir.Terminator); isTerm {
			o.width = 0
		}
	}
	o.known = fullOrNone(o.width)
	use := func(values ...value.Value) bool {
		for _, v := range values {
			o.args = append(o.args, f.operand(v, local))
			if o.args[len(o.args)-1].width == 0 {
				return false
			}
		}
		return true
	}
	switch i := node.(type) {
	case *llir.InstLoad:
		o.code = loadOp
		o.cell = f.cellAt(i.Src, i.Type())
		if o.cell < 0 {
			o.code, o.known = other, constantMemory(i)
		}
	case *llir.InstStore:
		o.code = storeOp
		use(i.Src)
		o.cell = f.cellAt(i.Dst, i.Src.Type())
		if o.cell < 0 {
			o.code = other
		}
	case *llir.InstICmp:
		if use(i.X, i.Y) {
			o.code, o.what = compareOp, uint8(i.Pred)
		}
	case *llir.InstSelect:
		if o.width > 0 && use(i.Cond, i.ValueTrue, i.ValueFalse) {
			o.code = selectOp
		}
	case *llir.InstCall:
		o.known = callResult(i, o.width)
		if o.width > 0 && isCase(i) && use(i.Args[0]) {
			o.code = caseOp
		}
	case *llir.TermCondBr:
		use(i.Cond)
	case *llir.TermSwitch:
		use(i.X)
	default:
		f.compileOperator(node, &o, use)
	}
	return o
}

func (f *Facts) compileOperator(node any, o *op, use func(...value.Value) bool) {
	if o.width == 0 {
		return
	}
	if what, flags, ok := operatorOf(node); ok {
		operands := node.(value.User).Operands()
		if use(*operands[0], *operands[1]) {
			o.code, o.what, o.noWrap = binaryOp, uint8(what), slices.Contains(flags, enum.OverflowFlagNSW)
		}
		return
	}
	if what, ok := conversionOf(node); ok {
		if use(*node.(value.User).Operands()[0]) {
			o.code, o.what = convertOp, uint8(what)
		}
	}
}

func operatorOf(node any) (what Operator, flags []enum.OverflowFlag, ok bool) {
	switch i := node.(type) {
	case *llir.InstAdd:
		return Add, i.OverflowFlags, true
	case *llir.InstSub:
		return Sub, i.OverflowFlags, true
	case *llir.InstMul:
		return Mul, i.OverflowFlags, true
	case *llir.InstShl:
		return Shl, i.OverflowFlags, true
	case *llir.InstSDiv:
		return SDiv, nil, true
	case *llir.InstUDiv:
		return UDiv, nil, true
	case *llir.InstSRem:
		return SRem, nil, true
	case *llir.InstURem:
		return URem, nil, true
	case *llir.InstAnd:
		return And, nil, true
	case *llir.InstOr:
		return Or, nil, true
	case *llir.InstXor:
		return Xor, nil, true
	case *llir.InstLShr:
		return LShr, nil, true
	case *llir.InstAShr:
		return AShr, nil, true
	}
	return 0, nil, false
}

func conversionOf(node any) (Conversion, bool) {
	switch node.(type) {
	case *llir.InstSExt:
		return SExt, true
	case *llir.InstZExt:
		return ZExt, true
	case *llir.InstTrunc:
		return Trunc, true
	}
	return 0, false
}

func (f *Facts) operand(v value.Value, local map[value.Value]int) operand {
	v = ir.Unwrap(v)
	o := operand{item: -1, width: widthOf(v.Type())}
	if o.width == 0 {
		return o
	}
	if k, ok := local[v]; ok {
		o.item = k
		return o
	}
	if i, ok := f.code.Number(v); ok {
		o.item = i
		return o
	}
	o.constant = Full(o.width)
	switch c := v.(type) {
	case *constant.Int:
		o.constant = Exactly(numberOf(c, o.width))
	case *llir.Param:
		if f.isMain() && v == value.Value(f.code.Func.Params[0]) {
			o.constant.Lo = 0 // argc
		}
	}
	return o
}

func (f *Facts) isMain() bool { return f.code.Func.Name() == "main" }

func numberOf(c *constant.Int, width uint) int64 {
	x := c.X.Int64()
	if !c.X.IsInt64() {
		x = int64(c.X.Uint64())
	}
	if width == 1 {
		return x & 1
	}
	return signed(uint64(x), width)
}

// cellAt is the cell that a value of a type is loaded from or stored to, -1 where
// the address or the type is another one.
func (f *Facts) cellAt(address value.Value, t types.Type) int {
	object, path := rootOf(address)
	k, ok := f.cellOf[object]
	if !ok || widthOf(t) != f.cells[k].width || !f.cells[k].array && path != direct || path == cast {
		return -1
	}
	return k
}

// path is how an address is computed from its object's.
type path uint8

const (
	direct  path = iota
	element      // by getelementptr
	cast         // by a change of type, too
)

func rootOf(address value.Value) (object value.Value, p path) {
	for {
		switch a := address.(type) {
		case *llir.InstGetElementPtr:
			address, p = a.Src, max(p, element)
		case *constant.ExprGetElementPtr:
			address, p = a.Src, max(p, element)
		case *llir.InstBitCast:
			address, p = a.From, cast
		case *constant.ExprBitCast:
			address, p = a.From, cast
		case *llir.InstAlloca, *llir.Global:
			return address, p
		default:
			return nil, p
		}
	}
}

func fullOrNone(width uint) Interval {
	if width == 0 {
		return Interval{}
	}
	return Full(width)
}
