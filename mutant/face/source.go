package face

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Written returns the C text of an instruction as the source has it, for
// expressions and, without their semicolon, for assignments, increments and
// initialisers, which the store stands for.
func (r *Renderer) Written(inst llir.Instruction) (Text, bool) {
	e := r.expressionOf(inst)
	if e == nil {
		return Text{}, false
	}
	if e.Kind == csource.Initializer {
		return Text{shorten(r.textOf(e)), Assignment}, true
	}
	return textOf(e), true
}

// expressionOf finds the expression whose value an instruction computes, or
// whose effect it is.
func (r *Renderer) expressionOf(inst llir.Instruction) *csource.Expr {
	e := r.exprOf(inst)
	if e == nil || e.Kind == csource.CompoundAssign && !isEffect(inst) || isStep(e) && !isEffect(inst) {
		return nil // the value of `x += e` as such is not written
	}
	return e
}

// HasSource reports whether the source of an instruction is known, so that an
// instruction without an expression there is the compiler's own.
func (r *Renderer) HasSource(inst any) bool { return r.fileAt(ir.PositionOf(inst)) != nil }

// IsExpression reports whether an instruction has an expression in the source.
func (r *Renderer) IsExpression(inst llir.Instruction) bool {
	if r.first != nil {
		return r.first.IsExpression(inst)
	}
	return r.exprOf(inst) != nil
}

// Operand renders an operand of an instruction: as the source writes it where
// the instruction is a binary operator, a call or a ?: there (a constant may be
// a macro), else as its value. Operand 0 of a call is the function.
func (r *Renderer) Operand(inst llir.Instruction, k int, v value.Value) Text {
	e := r.exprOf(inst)
	if call, ok := inst.(*llir.InstCall); ok && e != nil {
		if !r.HasArguments(call) {
			return r.Of(v)
		}
		k -= hiddenArguments(call)
	}
	if e == nil || !hasOperands(e) || k < 0 || k >= len(e.Operands) {
		return r.Of(v)
	}
	return r.text(e.Operands[k])
}

// hiddenArguments is 1 for a call that passes where to put its result.
func hiddenArguments(call *llir.InstCall) int {
	if len(call.Args) > 0 {
		if arg, ok := call.Args[0].(*llir.Arg); ok {
			for _, a := range arg.Attrs {
				if _, ok := a.(llir.SRet); ok {
					return 1
				}
			}
		}
	}
	return 0
}

// HasArguments reports a call whose arguments are those of the source, as far
// as that is known: a structure may be passed as several, or as none.
func (r *Renderer) HasArguments(call *llir.InstCall) bool {
	e := r.exprOf(call)
	return e == nil || len(call.Args)-hiddenArguments(call) == len(e.Operands)-1
}

// CallWith renders a call with changed arguments, which are those of the IR.
func (r *Renderer) CallWith(call *llir.InstCall, change func(args []Text)) Text {
	args := make([]Text, len(call.Args))
	for k, a := range call.Args {
		args[k] = r.Operand(call, k+1, a)
	}
	change(args)
	return Call(r.Callee(call), args[hiddenArguments(call):]...)
}

// CallOf renders a call of another function.
func (r *Renderer) CallOf(call *llir.InstCall, function string) Text {
	args := make([]Text, len(call.Args))
	for k, a := range call.Args {
		args[k] = r.Operand(call, k+1, a)
	}
	return Call(function, args[hiddenArguments(call):]...)
}

// hasOperands reports expressions whose operands are the instruction's.
func hasOperands(e *csource.Expr) bool {
	return e.Kind == csource.Binary || e.Kind == csource.Call || e.Kind == csource.Conditional
}

func textOf(e *csource.Expr) Text {
	f := e.Unparen().Fragment()
	if f.Precedence == 0 {
		f.Precedence = Primary
	}
	return Text{shorten(f.Text), f.Precedence}
}

// text is textOf; to users, the macro's call where a macro made the expression and nothing but
// parentheses around it.
func (r *Renderer) text(e *csource.Expr) Text {
	if r.first != nil {
		for call := e.Unparen(); call != nil && call.InsideCall(); {
			if call = call.Parent; call == nil || call.Kind != csource.Paren {
				break
			} else if !call.InsideCall() {
				text := Text{shorten(call.Text()), Primary}
				r.made[text.C] = textOf(e).C
				return text
			}
		}
	}
	return textOf(e)
}

// Made is what a macro's call that is a text of this renderer was seen to make; "" for other texts.
func (r *Renderer) Made(call string) string { return r.made[call] }

// textOf is an expression's text as a part: to users, a part of what a macro made is not
// the macro's call.
func (r *Renderer) textOf(e *csource.Expr) string {
	if r.first != nil {
		return e.Fragment().Text
	}
	return e.Text()
}

func isEffect(inst llir.Instruction) bool {
	_, isStore := inst.(*llir.InstStore)
	return isStore || IsBlockCopy(inst)
}

// IsBlockCopy reports the calls that clang makes of an assignment or
// initialisation of a structure or array.
func IsBlockCopy(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*llir.Func)
	return ok && (strings.HasPrefix(f.Name(), "llvm.memcpy.") || strings.HasPrefix(f.Name(), "llvm.memset."))
}

func isStep(e *csource.Expr) bool {
	return e.Kind == csource.PrefixIncrement || e.Kind == csource.PostfixIncrement
}

// exprOf finds the C expression that an instruction was made from: of those at
// its debug location the outermost that such an instruction can come from.
func (r *Renderer) exprOf(inst llir.Instruction) *csource.Expr {
	if !r.HasSource(inst) {
		return r.joined(inst)
	}
	found := r.found(inst)
	if _, ok := inst.(*llir.InstSelect); ok {
		for _, e := range slices.Backward(found) {
			if choice := choiceOf(e); choice != nil {
				return choice
			}
		}
		return nil
	}
	for _, e := range found {
		if r.fits(inst, e) {
			return e
		}
	}
	return nil
}

// choiceOf finds the ?: that an expression is the condition of: there its
// select stands.
func choiceOf(e *csource.Expr) *csource.Expr {
	for e.Parent != nil {
		if parent := e.Parent; parent.Kind == csource.Conditional && len(parent.Operands) == 3 && parent.Operands[0] == e {
			return parent
		}
		e = e.Parent
	}
	return nil
}

// fits reports whether clang makes such an instruction of such an expression.
func (r *Renderer) fits(inst llir.Instruction, e *csource.Expr) bool {
	switch i := inst.(type) {
	case *llir.InstStore:
		return e.Kind == csource.Assignment || e.Kind == csource.CompoundAssign || e.Kind == csource.Initializer || isStep(e)
	case *llir.InstCall:
		return e.Kind == csource.Call || IsBlockCopy(i) && (e.Kind == csource.Assignment || e.Kind == csource.Initializer)
	case *llir.InstLoad:
		return r.fitsLoad(i, e)
	case *llir.InstGetElementPtr:
		return len(i.Indices) == 1 && e.Kind == csource.Binary && (e.Op == "+" || e.Op == "-")
	case *llir.InstICmp:
		return e.Kind == csource.Binary && e.Op == ComparisonSymbol(i.Pred.String())
	case *llir.InstFCmp:
		return e.Kind == csource.Binary && e.Op == ComparisonSymbol(i.Pred.String())
	case *llir.InstFNeg:
		return e.Kind == csource.Unary && e.Op == "-"
	}
	x, y, ok := Operands(inst)
	if !ok {
		return false
	}
	switch {
	case isComplement(inst, y):
		return e.Kind == csource.Unary && e.Op == complement(inst)
	case isNegation(inst, x):
		return e.Kind == csource.Unary && e.Op == "-"
	}
	symbol := Symbol(inst)
	return e.Kind == csource.Binary && e.Op == symbol || e.Kind == csource.CompoundAssign && e.Op == symbol+"="
}

// fitsLoad also asks for the variable's name or type: all that a macro makes
// has one place.
func (r *Renderer) fitsLoad(load *llir.InstLoad, e *csource.Expr) bool {
	if e.InMacro && r.first == nil && !mayHold(e, load.Type()) {
		return false
	}
	switch src := load.Src.(type) {
	case *llir.InstAlloca:
		if isPhiSlot(src) {
			return e.Kind == csource.Logical || e.Kind == csource.Conditional
		}
		return e.Kind == csource.Identifier && e.Name == r.name(src)
	case *llir.Global:
		// A static variable of a function is called function.variable.
		return e.Kind == csource.Identifier && (e.Name == src.Name() || strings.HasSuffix(src.Name(), "."+e.Name))
	case *llir.InstGetElementPtr:
		if len(src.Indices) > 1 && isConstantIndex(src) && e.Kind == csource.Member {
			return true
		}
		return e.Kind == csource.Index || e.Kind == csource.Unary && e.Op == "*"
	}
	return e.Kind == csource.Unary && e.Op == "*" || e.Kind == csource.Member || e.Kind == csource.Index
}

// mayHold reports whether the value of an expression can be one of an IR type,
// as far as the name of its own type tells.
func mayHold(e *csource.Expr, t types.Type) bool {
	is := namedType(e.TypeName)
	switch t.(type) {
	case *types.PointerType:
		return is.kind == unknownKind
	case *types.ArrayType: // of a[i][j] the a[i]
		return is.kind == unknownKind && !strings.HasPrefix(e.TypeName, "struct ")
	}
	want := signedOf(t)
	if want.kind == unknownKind || is.kind == unknownKind {
		return !strings.ContainsAny(e.TypeName, "*[")
	}
	return is.kind == want.kind && is.bits == want.bits
}

func isConstantIndex(gep *llir.InstGetElementPtr) bool {
	_, ok := gep.Indices[len(gep.Indices)-1].(interface{ IsConstant() })
	return ok
}

// IsPrefix tells whether the ++ or -- that a store carries out is written
// before its operand; known is false where the source does not say.
func (r *Renderer) IsPrefix(store llir.Instruction) (prefix, known bool) {
	e := r.exprOf(store)
	if e == nil || !isStep(e) {
		return false, false
	}
	return e.Kind == csource.PrefixIncrement, true
}

// Context is the text of the outermost expression that an instruction or
// terminator belongs to; "" where the source does not tell.
func (r *Renderer) Context(inst any) string {
	at := ir.PositionOf(inst)
	file := r.fileAt(at)
	if file == nil {
		return ""
	}
	found := slices.Concat(file.At(at.Line, at.Column), file.StartingAt(at.Line, at.Column))
	if len(found) == 0 {
		return ""
	}
	e := found[0]
	for e.Parent != nil {
		e = e.Parent
	}
	return e.Text()
}
