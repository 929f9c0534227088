package tce

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// A large function is compared window by window. A copy of the whole function
// for each of its mutants would cost the square of its size, so a run of its
// blocks, or of pieces of long ones (pieces.go), becomes a function of its own, the window, and the mutants of these
// blocks are mutants of the window.
//
// What the rest of the function can tell of a window is what a window's function
// shows. It may be entered at every block that the rest goes to, with any values
// in variables and registers: these are its parameters. Where control leaves it,
// it calls an unknown function, winnow.exit, with the number of the block that
// comes next and the values of the variables that may be read from there on.
// Variables whose address is used for more than loads and stores are memory that
// others know, given as pointers. Two windows that are equal as functions
// therefore make equal functions when the same rest is put around them, whatever
// that is: no verdict is wrong that would be right on whole functions. But some
// are missed, those that depend on what the rest knows: that a variable is never
// negative, say, or that a loop around the window ends.
type window struct {
	blocks []*llir.Block
	// index numbers all blocks of the function; inside tells those of the window.
	index  map[*llir.Block]int
	inside map[*llir.Block]bool
	// slots are the variables of which only the value counts; loaded and stored
	// say what the window's code, or any of its mutants', does with them.
	slots          map[*llir.InstAlloca]bool
	loaded, stored map[*llir.InstAlloca]bool
	// shared are the registers that are used in another block than their own,
	// home says in which block a register is computed.
	shared map[value.Value]bool
	home   map[value.Value]*llir.Block
	// named are the variables and shared registers that the window's code, or
	// any of its mutants', names.
	named map[value.Value]bool
	// targets are the blocks outside that the window's code, or any of its
	// mutants', goes to.
	targets map[*llir.Block]bool
}

// shape is what windows of one function share.
type shape struct {
	f *llir.Func
	// blocks are the function's, long ones in pieces; first is the first piece of these.
	blocks []*llir.Block
	first  map[*llir.Block]*llir.Block
	// index numbers the blocks.
	index map[*llir.Block]int
	home  map[value.Value]*llir.Block
	// holder is the block of an instruction or terminator.
	holder map[any]*llir.Block
	// slots are the variables of the entry block; the value says whether the
	// original uses the variable for loads and stores of its type only.
	slots  map[*llir.InstAlloca]bool
	order  []*llir.InstAlloca
	shared map[value.Value]bool
	preds  map[*llir.Block][]*llir.Block
}

func shapeOf(f *llir.Func, mutants []mutant.Mutant, most int) *shape {
	s := &shape{f: f, index: map[*llir.Block]int{}, home: map[value.Value]*llir.Block{}, slots: map[*llir.InstAlloca]bool{},
		holder: map[any]*llir.Block{}, shared: map[value.Value]bool{}, preds: map[*llir.Block][]*llir.Block{}}
	s.blocks, s.first = pieces(f, mutants, most)
	for _, inst := range f.Blocks[0].Insts {
		if slot := slotOfEntry(inst); slot != nil {
			s.slots[slot] = true
			s.order = append(s.order, slot)
		}
	}
	for i, b := range s.blocks {
		s.index[b] = i
		s.holder[b.Term] = b
		for _, inst := range b.Insts {
			s.holder[inst] = b
			slot, _ := inst.(*llir.InstAlloca)
			_, variable := s.slots[slot]
			if v, ok := inst.(value.Value); ok && !variable {
				s.home[v] = b
			}
		}
		for _, next := range s.succs(b.Term) {
			s.preds[next] = append(s.preds[next], b)
		}
	}
	for _, b := range s.blocks {
		for _, inst := range b.Insts {
			if !ir.IsDebug(inst) {
				s.use(inst, b, s.slots, s.shared)
			}
		}
		s.use(b.Term, b, s.slots, s.shared)
	}
	return s
}

// slotOfEntry is the memory of a variable that an instruction of the entry block makes; nil for another.
func slotOfEntry(inst llir.Instruction) *llir.InstAlloca {
	slot, ok := inst.(*llir.InstAlloca)
	if !ok || slot.NElems != nil || slot.AddrSpace != 0 {
		return nil
	}
	return slot
}

// succs are the blocks that come after, as they are among the shape's.
func (s *shape) succs(term llir.Terminator) []*llir.Block {
	out := slices.Clone(term.Succs())
	for i, b := range out {
		if first, ok := s.first[b]; ok {
			out[i] = first
		}
	}
	return out
}

// use notes what an instruction or terminator of a block uses: variables for
// more than their value, and registers of other blocks.
func (s *shape) use(user value.User, b *llir.Block, slots map[*llir.InstAlloca]bool, shared map[value.Value]bool) {
	for _, operand := range user.Operands() {
		v := ir.Unwrap(*operand)
		if slot, ok := v.(*llir.InstAlloca); ok && slots[slot] && !isAccess(user, slot) {
			slots[slot] = false
		}
		if home, ok := s.home[v]; ok && home != b {
			shared[v] = true
		}
	}
}

// isAccess reports a load or store of just the variable's value.
func isAccess(user value.User, slot *llir.InstAlloca) bool {
	switch i := user.(type) {
	case *llir.InstLoad:
		return !i.Volatile && !i.Atomic && i.ElemType.Equal(slot.ElemType)
	case *llir.InstStore:
		return !i.Volatile && !i.Atomic && i.Src != value.Value(slot) && i.Src.Type().Equal(slot.ElemType)
	}
	return false
}

// cut parts blocks into runs of at most so many instructions,
// or of one block that has more. The cases of a switch count as such: each may be
// an exit, which is in every clone.
func cut(blocks []*llir.Block, most int) [][]*llir.Block {
	var out [][]*llir.Block
	have := 0
	for _, b := range blocks {
		n := len(b.Insts) + max(1, len(b.Term.Succs()))
		if len(out) == 0 || have+n > most {
			out = append(out, nil)
			have = 0
		}
		out[len(out)-1] = append(out[len(out)-1], b)
		have += n
	}
	return out
}

// canBeCut reports whether windows of a function may be looked at. Where a
// function can return twice (setjmp), control also comes to a window from calls
// in other windows.
func canBeCut(f *llir.Func) bool {
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			call, ok := inst.(*llir.InstCall)
			if !ok {
				continue
			}
			attrs := flatten(call.FuncAttrs)
			if callee, ok := call.Callee.(*llir.Func); ok {
				attrs = append(attrs, flatten(callee.FuncAttrs)...)
			}
			if slices.Contains(attrs, llir.FuncAttribute(enum.FuncAttrReturnsTwice)) {
				return false
			}
		}
	}
	return true
}

// newWindow looks at what the blocks and all their mutants do.
func (s *shape) newWindow(blocks []*llir.Block, mutants []*mutant.Mutant) *window {
	w := &window{blocks: blocks, index: s.index, home: s.home, inside: map[*llir.Block]bool{}, targets: map[*llir.Block]bool{},
		slots: map[*llir.InstAlloca]bool{}, loaded: map[*llir.InstAlloca]bool{}, stored: map[*llir.InstAlloca]bool{},
		shared: map[value.Value]bool{}, named: map[value.Value]bool{}}
	for slot, only := range s.slots {
		w.slots[slot] = only
	}
	for v := range s.shared {
		w.shared[v] = true
	}
	for _, b := range blocks {
		w.inside[b] = true
	}
	look := func(user value.User, b *llir.Block) {
		s.use(user, b, w.slots, w.shared)
		for _, operand := range user.Operands() {
			w.named[ir.Unwrap(*operand)] = true
		}
		if v, ok := user.(value.Value); ok {
			w.named[v] = true
		}
		switch i := user.(type) {
		case *llir.InstLoad:
			if slot, ok := i.Src.(*llir.InstAlloca); ok {
				w.loaded[slot] = true
			}
		case *llir.InstStore:
			if slot, ok := i.Dst.(*llir.InstAlloca); ok {
				w.stored[slot] = true
			}
		}
		if term, ok := user.(llir.Terminator); ok {
			for _, next := range s.succs(term) {
				if !w.inside[next] {
					w.targets[next] = true
				}
			}
		}
	}
	for _, b := range blocks {
		for _, inst := range b.Insts {
			if !ir.IsDebug(inst) {
				look(inst, b)
			}
		}
		look(b.Term, b)
	}
	for _, m := range mutants {
		code := &mutant.Code{Prefix: prefix}
		at := s.holder[placeOf(m)]
		switch edit := m.Edit.(type) {
		case mutant.Redirect:
			look(edit.Emit(code), at)
		case mutant.Rewrite:
			if edit.Emit == nil {
				break
			}
			result := edit.Emit(code)
			if slot, ok := result.(*llir.InstAlloca); ok && w.isVariable(slot) {
				w.slots[slot] = false // its address goes where a register went
			}
			if home, ok := s.home[result]; ok && home != at {
				w.shared[result] = true
			}
			w.named[result] = true
		}
		for _, inst := range code.Insts {
			look(inst, at)
		}
	}
	return w
}

// placeOf is the terminator or the first instruction that a mutant replaces.
func placeOf(m *mutant.Mutant) any {
	switch edit := m.Edit.(type) {
	case mutant.Redirect:
		return edit.Term
	case mutant.Rewrite:
		return edit.Insts[0]
	}
	return nil
}

// live returns, for each block outside the window, the variables that may be
// read from its start on, before they are written. The window's own code may
// read all that any of its mutants reads.
func (s *shape) live(w *window) []map[*llir.InstAlloca]bool {
	in := make([]map[*llir.InstAlloca]bool, len(s.blocks))
	killed := make([]map[*llir.InstAlloca]bool, len(s.blocks))
	var work []int
	for i, b := range s.blocks {
		in[i], killed[i] = map[*llir.InstAlloca]bool{}, map[*llir.InstAlloca]bool{}
		work = append(work, i)
		if w.inside[b] {
			for slot := range w.loaded {
				in[i][slot] = true
			}
			continue
		}
		for _, inst := range b.Insts {
			switch inst := inst.(type) {
			case *llir.InstLoad:
				if slot, ok := inst.Src.(*llir.InstAlloca); ok && w.stored[slot] && !killed[i][slot] {
					in[i][slot] = true
				}
			case *llir.InstStore:
				if slot, ok := inst.Dst.(*llir.InstAlloca); ok {
					killed[i][slot] = true
				}
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, before := range s.preds[s.blocks[i]] {
			k, grown := s.index[before], false
			for slot := range in[i] {
				// What is not written in the window needs no number of its own.
				if w.stored[slot] && !in[k][slot] && (w.inside[before] || !killed[k][slot]) {
					in[k][slot] = true
					grown = true
				}
			}
			if grown {
				work = append(work, k)
			}
		}
	}
	return in
}

// exitFunction stands for all that comes after a window.
const exitFunction = "@winnow.exit"

// slotOf names the memory of a register that crosses blocks.
func slotOf(v value.Value) string {
	return llir.NewParam("winnow.slot."+v.(value.Named).Name(), types.I32).Ident()
}

// parameters are the window's: where it is entered, and what it is entered with.
// prologue is the code that puts values where the window's code looks for them.
func (w *window) parameters(s *shape) (params []*llir.Param, prologue string) {
	var text strings.Builder
	params = append(params, llir.NewParam("winnow.from", types.I32))
	for _, slot := range s.order {
		if !w.named[slot] {
			continue
		}
		if !w.slots[slot] {
			params = append(params, llir.NewParam(slot.Name(), slot.Type()))
			continue
		}
		value := llir.NewParam("winnow.in."+slot.Name(), slot.ElemType)
		params = append(params, value)
		line(&text, fmt.Sprintf("%s = alloca %s", slot.Ident(), slot.ElemType))
		line(&text, llir.NewStore(value, slot).LLString())
	}
	for _, v := range w.sharedInOrder(s) {
		value := llir.NewParam("winnow.in."+v.(value.Named).Name(), v.Type())
		params = append(params, value)
		line(&text, fmt.Sprintf("%s = alloca %s", slotOf(v), v.Type()))
		line(&text, fmt.Sprintf("store %s, %s* %s", value, v.Type(), slotOf(v)))
	}
	var entries []*llir.Block
	for i, b := range w.blocks {
		outside := slices.ContainsFunc(s.preds[b], func(p *llir.Block) bool { return !w.inside[p] })
		if outside || w.index[b] == 0 || i == 0 && len(s.preds[b]) == 0 {
			entries = append(entries, b)
		}
	}
	if len(entries) == 0 {
		entries = w.blocks[:1]
	}
	fmt.Fprintf(&text, "\tswitch i32 %%winnow.from, label %s [", entries[0].Ident())
	for _, b := range entries[1:] {
		fmt.Fprintf(&text, " i32 %d, label %s", w.index[b], b.Ident())
	}
	text.WriteString(" ]\n")
	return params, text.String()
}

// sharedInOrder lists the registers that cross blocks and that the window names,
// in the function's order.
func (w *window) sharedInOrder(s *shape) []value.Value {
	var out []value.Value
	for _, b := range s.blocks {
		for _, inst := range b.Insts {
			if v, ok := inst.(value.Value); ok && w.shared[v] && w.named[v] {
				out = append(out, v)
			}
		}
	}
	return out
}

// exits are the blocks that stand for those outside: each tells the unknown
// function which one it is, and all that may be read from there on.
func (w *window) exits(s *shape) string {
	live := s.live(w)
	shared := w.sharedInOrder(s)
	var text strings.Builder
	for i, b := range s.blocks {
		if !w.targets[b] {
			continue
		}
		fmt.Fprintf(&text, "%s:\n", strings.TrimPrefix(b.Ident(), "%"))
		call := fmt.Sprintf("call void (i32, ...) %s(i32 %d", exitFunction, i)
		show := func(t types.Type, from string, n int) {
			name := fmt.Sprintf("%%winnow.out.%d.%d", i, n)
			line(&text, fmt.Sprintf("%s = load %s, %s* %s", name, t, t, from))
			call += fmt.Sprintf(", %s %s", t, name)
		}
		for n, slot := range s.order {
			if w.slots[slot] && w.stored[slot] && live[i][slot] {
				show(slot.ElemType, slot.Ident(), n)
			}
		}
		for n, v := range shared {
			if w.inside[w.home[v]] {
				show(v.Type(), slotOf(v), len(s.order)+n)
			}
		}
		line(&text, call+")")
		line(&text, "unreachable")
	}
	return text.String()
}
