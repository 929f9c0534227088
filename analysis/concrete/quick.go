package concrete

import (
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// quick is an operation as paths run it (straight), in less than a line of a processor's
// cache: operands are read in place, and what an operator is was found out once. What is
// rare has no quick form, and is run by step, which says what each operation means.
type quick struct {
	code quickCode
	// froms say what x and y are.
	fromX, fromY from
	// shift is how many bits of a word a value of the type does not use.
	shift uint8
	as    kind // of what is loaded or stored, of size bytes
	size  uint8
	to    int32 // the register set, or the block that is left
	x, y  int64
	// plus is what an address adds, scale what y is multiplied by; then and otherwise are the
	// items that a branch goes to. slot is the register of a local variable.
	plus, scale     int64
	then, otherwise int32
}

// from says where an operand of a quick operation comes from.
type from uint8

const (
	itself     from = iota // the operand is the word
	ofItem                 // the register of an item of the block
	ofFrame                // the word and the base of the frame's addresses
	ofParam                // a parameter, from 0
	ofFarBlock             // the register of an item of another block
)

type quickCode uint8

const (
	slowly quickCode = iota
	quickSkip
	quickLoadSlot
	quickStoreSlot
	quickLoad
	quickStore
	quickAddress
	quickEqual
	quickDiffers
	quickLess
	quickAtMost
	quickBelow
	quickNotAbove
	quickAdd
	quickSub
	quickMul
	quickSDiv
	quickSRem
	quickAnd
	quickOr
	quickXor
	quickKeep
	quickUnsigned
	quickTruncate
	quickToFloat
	quickAddFloats
	quickSubFloats
	quickMulFloats
	quickDivFloats
	quickJump
	quickBranch
)

// unused is how many bits of a word a kind leaves free.
func (k kind) unused() uint8 {
	if k < 64 {
		return uint8(64 - k)
	}
	return 0
}

// quicken finds the quick forms of the operations of a function.
func (c *Code) quicken() {
	c.quick = make([]quick, len(c.ops))
	for i := range c.ops {
		o, q := &c.ops[i], &c.quick[i]
		q.to, q.as, q.size, q.shift = int32(o.to), o.as, o.size, o.as.unused()
		if !c.quickForm(q, o, c.code.Items[i].Block) {
			*q = quick{}
		}
	}
}

// quickForm is false for an operation that has none.
func (c *Code) quickForm(q *quick, o *operation, block int) bool {
	switch {
	case o.Code == op.Skip || o.Code == op.Alloca:
		q.code = quickSkip
		return true
	case o.Code == op.Load:
		if o.slot >= 0 {
			q.code, q.plus = quickLoadSlot, int64(o.slot)
			return true
		}
		q.code = quickLoad
		return c.operand(&q.x, &q.fromX, o.args[0])
	case o.Code == op.Store:
		if o.slot >= 0 {
			q.code, q.plus = quickStoreSlot, int64(o.slot)
			return c.operand(&q.x, &q.fromX, o.args[1])
		}
		q.code = quickStore
	case o.Code == op.Address:
		return c.quickAddress(q, o)
	case o.Code == op.CompareInts:
		return o.as < kindBytes && c.quickCompare(q, o)
	case o.Code.IsBinaryInt():
		q.code = quickOperators[o.Code]
		if o.as == 1 || o.as >= kindBytes {
			return false
		}
	case o.Code.IsBinaryFloat():
		q.code = quickOperators[o.Code]
		if o.as != kindFloat {
			return false
		}
	case o.Code.IsConversion():
		return c.quickConvert(q, o)
	case o.Code == op.Jump || o.Code == op.Branch:
		return c.quickLeave(q, o, block)
	default:
		return false
	}
	return q.code != slowly && c.operand(&q.x, &q.fromX, o.args[0]) && c.operand(&q.y, &q.fromY, o.args[1])
}

var quickOperators = [...]quickCode{
	op.Add: quickAdd, op.Sub: quickSub, op.Mul: quickMul, op.SDiv: quickSDiv, op.SRem: quickSRem,
	op.And: quickAnd, op.Or: quickOr, op.Xor: quickXor,
	op.FAdd: quickAddFloats, op.FSub: quickSubFloats, op.FMul: quickMulFloats, op.FDiv: quickDivFloats, op.FNeg: slowly,
}

// operand is false for what has to be drawn, or is unknown.
func (c *Code) operand(x *int64, where *from, a ref) bool {
	switch *x = a.x; {
	case a.kind == computed:
		*where = ofItem
	case a.kind == word && a.as == pointer && isLocal(a.x):
		*where = ofFrame
	case a.kind == word:
		*where = itself
	case a.kind == input && a.x >= otherBlock && a.x-otherBlock < int64(len(c.ops)):
		*x, *where = a.x-otherBlock, ofFarBlock
	case a.kind == input && a.x >= 1 && a.x <= int64(len(c.code.Func.Params)):
		*x, *where = a.x-1, ofParam
	default:
		return false
	}
	return true
}

// quickAddress has one index that is not known.
func (c *Code) quickAddress(q *quick, o *operation) bool {
	q.code, q.plus, q.y, q.fromY = quickAddress, o.Offset, 0, itself
	for k, index := range o.args[1:] {
		switch size := o.Scales[k]; {
		case size == 0:
		case index.kind == word && !(index.as == pointer && isLocal(index.x)):
			q.plus += size * index.x
		case q.scale != 0:
			return false
		default:
			q.scale = size
			if !c.operand(&q.y, &q.fromY, index) {
				return false
			}
		}
	}
	return c.operand(&q.x, &q.fromX, o.args[0])
}

func (c *Code) quickCompare(q *quick, o *operation) bool {
	x, y := o.args[0], o.args[1]
	switch o.Pred {
	case enum.IPredEQ:
		q.code = quickEqual
	case enum.IPredNE:
		q.code = quickDiffers
	case enum.IPredSLT:
		q.code = quickLess
	case enum.IPredSLE:
		q.code = quickAtMost
	case enum.IPredSGT:
		q.code, x, y = quickLess, y, x
	case enum.IPredSGE:
		q.code, x, y = quickAtMost, y, x
	case enum.IPredULT:
		q.code = quickBelow
	case enum.IPredULE:
		q.code = quickNotAbove
	case enum.IPredUGT:
		q.code, x, y = quickBelow, y, x
	case enum.IPredUGE:
		q.code, x, y = quickNotAbove, y, x
	default:
		return false
	}
	return c.operand(&q.x, &q.fromX, x) && c.operand(&q.y, &q.fromY, y)
}

func (c *Code) quickConvert(q *quick, o *operation) bool {
	from := o.args[0].as
	if from >= kindBytes || o.as >= kindBytes {
		return false
	}
	switch o.Code {
	case op.SExt, op.FPExt: // signs are extended in every word already
		q.code = quickKeep
		if from == 1 {
			return false
		}
	case op.BitCast:
		q.code = quickKeep
		if from != o.as && (from != pointer || o.as != 64) && (from != 64 || o.as != pointer) {
			return false
		}
	case op.ZExt:
		q.code, q.shift = quickUnsigned, from.unused()
	case op.Trunc:
		q.code = quickTruncate
		if o.as == 1 {
			q.code = quickUnsigned
		}
	case op.SIToFP:
		q.code = quickToFloat
		if o.as != kindFloat {
			return false
		}
	default:
		return false
	}
	return c.operand(&q.x, &q.fromX, o.args[0])
}

// quickLeave is a branch to blocks of the function.
func (c *Code) quickLeave(q *quick, o *operation, block int) bool {
	first := c.code.First
	item := func(target int) (int32, bool) {
		if target >= len(first)-1 {
			return 0, false
		}
		return int32(first[target]), true
	}
	q.to = int32(block)
	if o.Code == op.Jump {
		q.code = quickJump
		var ok bool
		q.then, ok = item(o.Targets[0])
		return ok
	}
	q.code = quickBranch
	var both [2]bool
	q.then, both[0] = item(o.Targets[0])
	q.otherwise, both[1] = item(o.Targets[1])
	return both[0] && both[1] && c.operand(&q.x, &q.fromX, o.args[0])
}
