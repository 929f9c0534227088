package tce

import (
	"fmt"
	"maps"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// newWindowTemplate prints a window as a function (see window), or fails for one
// that cannot be moved to another module by its text.
func newWindowTemplate(s *shape, w *window, p *printer) (*template, error) {
	t := &template{printer: p, f: s.f, entry: s.blocks[0], succs: s.succs, window: w, at: map[any]int{}, in: map[any]*llir.Block{}, users: map[value.Value][]any{}}
	params, prologue := w.parameters(s)
	t.before, t.after, t.kind = signature(s.f, p.strict(), params...)
	t.lines = append(t.lines, "winnow.enter:\n"+prologue)
	t.fill(w.blocks)
	t.lines = append(t.lines, w.exits(s))
	p.declares[exitFunction] = "declare void " + exitFunction + "(i32, ...)"
	return t, t.finish()
}

// code is the text of an instruction or terminator of a block. In a window,
// registers of other blocks are read from memory first, under names that start
// with tag, and registers that other blocks use are written to memory.
func (t *template) code(user value.User, b *llir.Block, with map[value.Value]value.Value, tag string) string {
	var before, after strings.Builder
	if t.window != nil {
		if slot, ok := user.(*llir.InstAlloca); ok && t.window.isVariable(slot) {
			return "" // a parameter, or memory that the prologue makes
		}
		for i, operand := range user.Operands() {
			if v := ir.Unwrap(*operand); t.window.isElsewhere(v, b) {
				with = maps.Clone(with)
				if with == nil {
					with = map[value.Value]value.Value{}
				}
				with[v] = t.fetch(&before, v, fmt.Sprintf("%s.%d", tag, i))
			}
		}
		if v, ok := user.(value.Value); ok && t.window.shared[v] {
			t.keep(&after, v, v)
		}
	}
	if inst, ok := user.(llir.Instruction); ok {
		return before.String() + t.instruction(inst, with) + after.String()
	}
	return before.String() + t.terminator(user.(llir.Terminator), with)
}

// fetch reads a register of another block from its memory.
func (t *template) fetch(text *strings.Builder, v value.Value, name string) value.Value {
	load := llir.NewParam("winnow.use."+name, v.Type())
	line(text, fmt.Sprintf("%s = load %s, %s* %s", load.Ident(), v.Type(), v.Type(), slotOf(v)))
	return load
}

// keep writes a value to the memory of a register that other blocks use.
func (t *template) keep(text *strings.Builder, register, v value.Value) {
	line(text, fmt.Sprintf("store %s, %s* %s", v, register.Type(), slotOf(register)))
}

// isVariable reports a variable of the function, which is not the window's own.
func (w *window) isVariable(slot *llir.InstAlloca) bool {
	_, ok := w.slots[slot]
	return ok
}

// isElsewhere reports a register that another block computes.
func (w *window) isElsewhere(v value.Value, b *llir.Block) bool {
	home, ok := w.home[v]
	return ok && home != b
}
