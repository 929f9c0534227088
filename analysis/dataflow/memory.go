package dataflow

import (
	"cmp"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/ir"
)

// memory is the objects of a function and who touches them.
type memory struct {
	code    *defuse.Code
	objects []value.Value // by number; elsewhere is nil
	number  map[value.Value]int
	exposed []bool // by object
	// accesses are what each item does to memory.
	accesses [][]access
	// direct are the events at an object by its own address; unknown are those
	// at any exposed object.
	direct  [][]event
	unknown []event
}

// elsewhere is the object for all memory that is no slot or global.
const elsewhere = 0

// anywhere stands for every exposed object.
const anywhere = -1

// access is one way in which an item touches memory.
type access struct {
	object        int // or anywhere
	reads, writes bool
	whole         bool
}

func newMemory(code *defuse.Code) *memory {
	m := &memory{code: code, objects: []value.Value{nil}, number: map[value.Value]int{}, exposed: []bool{true}}
	m.accesses = make([][]access, len(code.Items))
	for i := range code.Items {
		m.accesses[i] = m.accessesOf(i)
	}
	for i := range code.Items {
		m.findExposed(i)
	}
	m.direct = make([][]event, len(m.objects))
	for i, accesses := range m.accesses {
		for _, a := range accesses {
			if a.object == anywhere {
				m.unknown = addEvent(m.unknown, i, a)
			} else {
				m.direct[a.object] = addEvent(m.direct[a.object], i, a)
			}
		}
	}
	return m
}

// addEvent appends an access to the events of an object, as one event per item.
func addEvent(events []event, item int, a access) []event {
	if n := len(events); n > 0 && events[n-1].item == item {
		last := &events[n-1]
		last.reads, last.writes = last.reads || a.reads, last.writes || a.writes
		return events
	}
	return append(events, event{item: item, reads: a.reads, writes: a.writes, whole: a.whole})
}

// touches reports whether an item reads or writes memory.
func (m *memory) touches(i int) (reads, writes bool) {
	for _, a := range m.accesses[i] {
		reads, writes = reads || a.reads, writes || a.writes
	}
	return reads, writes
}

// eventsOf returns the events of an object, ascending: those at its own address
// and, if it is exposed, those at unknown addresses.
func (m *memory) eventsOf(object int) []event {
	direct := m.direct[object]
	if !m.exposed[object] || len(direct) == 0 && object != elsewhere {
		return direct
	}
	all := slices.Concat(direct, m.unknown)
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.item, b.item) })
	out := all[:0]
	for _, e := range all {
		if n := len(out); n > 0 && out[n-1].item == e.item {
			last := &out[n-1]
			last.reads, last.writes, last.whole = last.reads || e.reads, last.writes || e.writes, false
			continue
		}
		out = append(out, e)
	}
	return out
}

// objectOf returns the object that an address lies in. exact: it is the
// object's own address. ok is false for memory that never changes.
func (m *memory) objectOf(address value.Value) (object int, exact, ok bool) {
	exact = true
	for {
		switch a := address.(type) {
		case *llir.InstGetElementPtr:
			address, exact = a.Src, false
		case *constant.ExprGetElementPtr:
			address, exact = a.Src, false
		case *llir.InstBitCast:
			address = a.From
		case *constant.ExprBitCast:
			address = a.From
		case *llir.InstAlloca:
			return m.numberOf(a), exact, true
		case *llir.Global:
			if a.Immutable {
				return 0, false, false
			}
			return m.numberOf(a), exact, true
		case *llir.Func, *constant.Null, *constant.Undef:
			return 0, false, false
		default:
			return anywhere, false, true
		}
	}
}

func (m *memory) numberOf(v value.Value) int {
	n, ok := m.number[v]
	if !ok {
		n = len(m.objects)
		m.number[v] = n
		_, isGlobal := v.(*llir.Global)
		m.objects, m.exposed = append(m.objects, v), append(m.exposed, isGlobal)
	}
	return n
}

// accessesOf returns how an item touches memory.
func (m *memory) accessesOf(i int) []access {
	switch inst := m.code.Items[i].Inst.(type) {
	case *llir.InstLoad:
		return m.access(nil, inst.Src, access{reads: true})
	case *llir.InstStore:
		return m.access(nil, inst.Dst, access{writes: true, whole: m.replaces(inst)})
	case *llir.InstAtomicRMW:
		return m.access(nil, inst.Dst, access{reads: true, writes: true})
	case *llir.InstCmpXchg:
		return m.access(nil, inst.Ptr, access{reads: true, writes: true})
	case *llir.InstVAArg:
		return m.access(nil, inst.ArgList, access{reads: true, writes: true})
	case *llir.InstCall:
		return m.call(inst)
	}
	return nil
}

func (m *memory) access(to []access, address value.Value, a access) []access {
	object, exact, ok := m.objectOf(address)
	if !ok {
		return to
	}
	a.object, a.whole = object, a.whole && exact
	return append(to, a)
}

// replaces reports a store of a variable's whole content.
func (m *memory) replaces(store *llir.InstStore) bool {
	var content types.Type
	switch v := store.Dst.(type) {
	case *llir.InstAlloca:
		if v.NElems != nil {
			return false
		}
		content = v.ElemType
	case *llir.Global:
		content = v.ContentType
	default:
		return false
	}
	return content.Equal(store.Src.Type())
}

// call returns what a call touches.
func (m *memory) call(call *llir.InstCall) []access {
	e := effectOf(call)
	var out []access
	if !e.onlyArguments && (e.reads || e.writes) {
		out = append(out, access{object: anywhere, reads: e.reads, writes: e.writes})
	}
	for k, arg := range call.Args {
		arg, byValue := unwrap(arg)
		if !types.IsPointer(arg.Type()) {
			continue
		}
		a := e.argument(k)
		if byValue {
			a = access{reads: true}
		}
		if a.reads || a.writes {
			out = m.access(out, arg, a)
		}
	}
	return out
}

// unwrap takes the attributes off a call argument; byValue: the callee gets a
// copy of what it points to.
func unwrap(arg value.Value) (v value.Value, byValue bool) {
	if wrapped, ok := arg.(*llir.Arg); ok {
		for _, attr := range wrapped.Attrs {
			if _, ok := attr.(llir.Byval); ok {
				byValue = true
			}
		}
	}
	return ir.Unwrap(arg), byValue
}

// findExposed marks the objects whose address an item passes on.
func (m *memory) findExposed(i int) {
	expose := func(v value.Value) {
		if !types.IsPointer(v.Type()) {
			return
		}
		if object, _, ok := m.objectOf(v); ok && object != anywhere {
			m.exposed[object] = true
		}
	}
	item := m.code.Items[i]
	switch inst := item.Inst.(type) {
	case *llir.InstLoad, *llir.InstGetElementPtr, *llir.InstBitCast, *llir.InstICmp, *llir.InstVAArg:
		return // uses the address, or is looked through
	case *llir.InstStore:
		expose(inst.Src)
		return
	case *llir.InstCall:
		e, used := effectOf(inst), len(m.code.Users[i]) > 0
		for k, arg := range inst.Args {
			if arg, byValue := unwrap(arg); !byValue && e.keeps(inst, k, used) {
				expose(arg)
			}
		}
		return
	}
	for _, v := range m.code.Operands[i] {
		expose(v)
	}
}

// attributesOf collects the function attributes of a call and its callee.
func attributesOf(call *llir.InstCall) map[enum.FuncAttr]bool {
	found := map[enum.FuncAttr]bool{}
	add := func(attributes []llir.FuncAttribute) {
		for _, a := range attributes {
			switch a := a.(type) {
			case enum.FuncAttr:
				found[a] = true
			case *llir.AttrGroupDef:
				for _, inner := range a.FuncAttrs {
					if inner, ok := inner.(enum.FuncAttr); ok {
						found[inner] = true
					}
				}
			}
		}
	}
	add(call.FuncAttrs)
	if f, ok := call.Callee.(*llir.Func); ok {
		add(f.FuncAttrs)
	}
	return found
}
