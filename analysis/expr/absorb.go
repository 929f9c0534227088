package expr

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/ir"
)

// absorb counts an item to another one where the syntax tree has one node for
// both.
func (b *builder) absorb(i int) {
	node := b.code.Items[i].Node()
	if from, ok := ir.ConvertedBy(node); ok {
		b.absorbInto(i, from)
		return
	}
	if from, ok := tested(node); ok && b.isImplicit(i, from) {
		b.absorbInto(i, from)
		return
	}
	switch inst := node.(type) {
	case *llir.InstGetElementPtr:
		if isDecay(inst) && !b.isAccessed(i) {
			b.absorbInto(i, inst.Src)
		}
	case *llir.InstLoad:
		if at, ok := b.here(i, inst.Src); ok && len(b.code.Users[at]) == 1 {
			if _, isAddress := b.code.Items[at].Inst.(*llir.InstGetElementPtr); isAddress {
				b.into[i] = at
			}
		}
	case *llir.InstStore:
		if IsJoinSlot(inst.Dst) {
			b.absorbInto(i, inst.Src)
			return
		}
		b.absorbUpdate(i, inst)
	case *llir.TermRet:
		if inst.X == nil {
			return
		}
		load, ok := inst.X.(*llir.InstLoad)
		if at, here := b.here(i, inst.X); ok && here && b.isReturnSlot(load.Src) {
			b.into[at] = i
		}
	}
}

// absorbInto counts an item to the one that computes v, if that is in the same
// block.
func (b *builder) absorbInto(i int, v value.Value) {
	if at, ok := b.here(i, v); ok {
		b.into[i] = at
	}
}

// here returns the item that computes v, if it is in the block of item i and
// no stack slot.
func (b *builder) here(i int, v value.Value) (int, bool) {
	at, ok := b.code.Number(v)
	if !ok || isMarker(b.code.Items[at]) || b.code.Items[at].Block != b.code.Items[i].Block {
		return 0, false
	}
	return at, true
}

// isAccessed reports an address that is loaded from or stored to directly.
func (b *builder) isAccessed(i int) bool {
	v := b.code.Items[i].Value()
	for _, user := range b.code.Users[i] {
		switch inst := b.code.Items[user].Inst.(type) {
		case *llir.InstLoad:
			return true
		case *llir.InstStore:
			if inst.Dst == v {
				return true
			}
		}
	}
	return false
}

// isImplicit reports a test against zero that C makes of a value: it stands
// where its operand does, or where the ! or the && or || does whose operand it
// is. A written test stands at its operator.
func (b *builder) isImplicit(i int, operand value.Value) bool {
	at, ok := b.here(i, operand)
	where := b.position(i)
	if !ok || !where.Known() {
		return false
	}
	if where == b.position(at) {
		return true
	}
	if len(b.code.Users[i]) != 1 {
		return false
	}
	user := b.code.Users[i][0]
	switch inst := b.code.Items[user].Inst.(type) {
	case *llir.InstXor:
		return kindOf(inst) == Not && where == b.position(user)
	case *llir.InstStore:
		return IsJoinSlot(inst.Dst) && b.decidesAt(inst.Dst, where)
	}
	return false
}

// decidesAt reports a short circuit with the given slot whose operator stands
// at a place: that is where its first operand branches.
func (b *builder) decidesAt(slot value.Value, where ir.Position) bool {
	number, ok := b.code.Number(slot)
	if !ok {
		return false
	}
	for _, user := range b.code.Users[number] {
		end := b.code.Terminator(b.code.Items[user].Block)
		if _, branches := b.code.Items[end].Term.(*llir.TermCondBr); branches && b.position(end) == where {
			return true
		}
	}
	return false
}

func (b *builder) position(i int) ir.Position { return ir.PositionOf(b.code.Items[i].Node()) }

// absorbUpdate recognises x++ and x += e: an operation on what was loaded from
// an address, stored back there.
func (b *builder) absorbUpdate(i int, store *llir.InstStore) {
	operation, ok := b.here(i, b.unconverted(store.Src))
	if !ok {
		return
	}
	var left, right value.Value
	switch inst := b.code.Items[operation].Inst.(type) {
	case *llir.InstGetElementPtr:
		if len(inst.Indices) != 1 {
			return
		}
		left, right = inst.Src, inst.Indices[0]
	default:
		kind := kindOf(inst)
		if operands := b.code.Operands[operation]; len(operands) == 2 && kind >= Add && kind <= Shr {
			left, right = operands[0], operands[1]
		} else {
			return
		}
	}
	load, ok := b.unconverted(left).(*llir.InstLoad)
	if !ok || load.Src != store.Dst {
		return
	}
	loaded, ok := b.here(i, load)
	if !ok {
		return
	}
	where := b.position(i)
	switch {
	case where.Known():
		ok = b.position(loaded) == where && b.position(operation) == where
	default:
		ok = isUnit(right)
	}
	if ok && b.into[loaded] == loaded {
		b.into[loaded], b.into[i] = operation, operation
	}
}

// unconverted looks through casts.
func (b *builder) unconverted(v value.Value) value.Value {
	for {
		from, ok := ir.ConvertedBy(v)
		if !ok {
			return v
		}
		v = from
	}
}

// isReturnSlot reports the slot in which clang keeps the result of a function
// with several returns: all that is read of it is returned at once.
func (b *builder) isReturnSlot(v value.Value) bool {
	slot, ok := b.code.Number(v)
	if !ok {
		return false
	}
	if _, ok := v.(*llir.InstAlloca); !ok {
		return false
	}
	if known, ok := b.returnSlots[slot]; ok {
		return known
	}
	b.returnSlots[slot] = b.onlyReturned(slot)
	return b.returnSlots[slot]
}

func (b *builder) onlyReturned(slot int) bool {
	loads := 0
	for _, user := range b.code.Users[slot] {
		switch inst := b.code.Items[user].Inst.(type) {
		case *llir.InstStore:
			if inst.Dst != b.code.Items[slot].Value() {
				return false
			}
		case *llir.InstLoad:
			loads++
			if users := b.code.Users[user]; len(users) != 1 || !b.returns(users[0]) {
				return false
			}
		default:
			return false
		}
	}
	// `int r; …; return r;` has the same form, but r is declared.
	_, declared := b.declared[b.code.Items[slot].Value()]
	return loads > 0 && !declared
}

func (b *builder) returns(i int) bool {
	_, ok := b.code.Items[i].Term.(*llir.TermRet)
	return ok
}

// isMarker reports items that are no code: stack slots, debug and lifetime
// markers.
func isMarker(item defuse.Item) bool {
	switch inst := item.Inst.(type) {
	case *llir.InstAlloca:
		return true
	case *llir.InstCall:
		f, ok := inst.Callee.(*llir.Func)
		return ok && markers[f.Name()] || ir.IsDebug(inst)
	}
	return false
}

var markers = map[string]bool{
	"llvm.stacksave": true, "llvm.stackrestore": true,
	"llvm.lifetime.start.p0i8": true, "llvm.lifetime.end.p0i8": true,
}
