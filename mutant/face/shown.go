package face

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// There are two renderers of a function. That of New makes the texts of which mutants have
// their ids. Of all that a macro makes it takes the first expression that fits an
// instruction, since debug information has one place for it; it writes a type of 128 bits
// and inline assembly as no C compiler reads them. The ids of recorded mutants hang on all
// that. Shown makes what users see: it knows which token an instruction was made of, and
// what it does not know is rebuilt from the IR.

// Shown returns the renderer of what users see of a function. The origins say of which
// tokens its code was made (package origin).
func (r *Renderer) Shown(f *llir.Func, origins map[any]csource.Token) *Renderer {
	shown := New(f, r.source)
	shown.first, shown.origins, shown.made = r, origins, map[string]string{}
	return shown
}

// IsShown reports whether Shown may render anything of a function otherwise.
func (r *Renderer) IsShown(f *llir.Func) bool {
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			if r.isShown(inst) {
				return true
			}
		}
		if r.isShown(b.Term) {
			return true
		}
	}
	return false
}

func (r *Renderer) isShown(inst any) bool {
	at := ir.PositionOf(inst)
	if file := r.fileAt(at); file != nil && (file.InMacro(at.Line, at.Column) || file.HasMacroOperand(at.Line, at.Column)) || isAssembly(inst) {
		return true
	}
	v, ok := inst.(value.Value)
	return ok && isWide(v.Type())
}

// Assembly is the text of the statement of inline assembly that a call carries out, without
// its semicolon, as the source has it.
func (r *Renderer) Assembly(inst llir.Instruction) (Text, bool) {
	if r.first == nil || !isAssembly(inst) {
		return Text{}, false
	}
	s := r.statementOf(inst)
	if s == nil || s.Kind != csource.Asm {
		return Text{}, false
	}
	return Text{strings.TrimSpace(strings.TrimSuffix(s.Text(), ";")), Primary}, true
}

// isWide reports integers that have no name in standard C.
func isWide(t types.Type) bool {
	i, ok := t.(*types.IntType)
	return ok && i.BitSize > 64
}

func isAssembly(inst any) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	_, ok = call.Callee.(*llir.InlineAsm)
	return ok
}

// inMacro reports code of a macro that the place of its call does not tell from the rest.
func (r *Renderer) inMacro(inst any) bool {
	if r.first == nil {
		return false
	}
	at := ir.PositionOf(inst)
	file := r.fileAt(at)
	return file != nil && file.InMacro(at.Line, at.Column)
}

// Origin is the token that code was made of, where its place does not tell; known is false
// where nothing does.
func (r *Renderer) Origin(inst any) (token csource.Token, known bool) {
	if !r.inMacro(inst) {
		return 0, true
	}
	token = r.origins[inst]
	return token, token > 0
}

// found are the expressions that have the place of an instruction, outermost first.
func (r *Renderer) found(inst any) []*csource.Expr {
	return placed(r, inst, (*csource.File).AtToken, (*csource.File).At)
}

// statementOf is the statement around the place of an instruction, or nil.
func (r *Renderer) statementOf(inst any) *csource.Stmt {
	return placed(r, inst, (*csource.File).StatementAtToken, (*csource.File).StatementAt)
}

// placed looks for what has the place of an instruction, by its token where a macro made
// it; the zero value where its file is not known.
func placed[T any](r *Renderer, inst any, byToken func(*csource.File, csource.Token) T, byPlace func(_ *csource.File, line, column int) T) (none T) {
	at := ir.PositionOf(inst)
	file := r.fileAt(at)
	switch {
	case file == nil:
		return none
	case r.inMacro(inst):
		return byToken(file, r.origins[inst])
	}
	return byPlace(file, at.Line, at.Column)
}
