package tce

import (
	"reflect"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// printer writes a function's code as text for opt: without metadata, with
// attributes spelled out, and with the undefined behaviour defined that the pass
// list does not trust never to happen.
type printer struct {
	// trust is the pass list's.
	trust Trust
	// function tells the functions of a module apart in the names of globals.
	function int
	// declares collects the declarations that guards need, by name.
	declares map[string]string
	// header is the module's.
	header *header
}

// strict: undefined behaviour is defined.
func (p *printer) strict() bool { return p.trust < TrustEverything }

// instruction is the text of an instruction, ended by a newline; "" for one
// that is no code. Operands are replaced as told; the instruction itself stays
// as it is.
func (p *printer) instruction(inst llir.Instruction, with map[value.Value]value.Value) string {
	if ir.IsDebug(inst) || p.strict() && isPromise(inst) {
		return ""
	}
	twin := mutant.CopyOf(inst)
	forget(twin, "Metadata")
	if call, ok := twin.(*llir.InstCall); ok {
		p.plainCall(call)
	}
	replaceOperands(twin, with)
	var text strings.Builder
	if p.strict() {
		if p.trust < TrustArithmetic {
			mutant.DropPromises(twin)
		}
		forget(twin, "FastMathFlags")
		twin = p.guard(&text, twin)
	}
	line(&text, twin.LLString())
	if slot, ok := twin.(*llir.InstAlloca); ok && p.strict() {
		p.initialise(&text, slot)
	}
	return text.String()
}

// terminator is the text of a block's end.
func (p *printer) terminator(term llir.Terminator, with map[value.Value]value.Value) string {
	original := reflect.ValueOf(term).Elem()
	twin := reflect.New(original.Type())
	twin.Elem().Set(original)
	t := twin.Interface().(llir.Terminator)
	forget(t, "Metadata")
	if len(with) > 0 {
		replaceOperands(t, with)
	}
	var text strings.Builder
	line(&text, t.LLString())
	return text.String()
}

func line(text *strings.Builder, s string) {
	text.WriteByte('\t')
	text.WriteString(s)
	text.WriteByte('\n')
}

// forget zeroes a field of an instruction or terminator, if it has it.
func forget(inst any, field string) {
	if f := reflect.ValueOf(inst).Elem().FieldByName(field); f.IsValid() {
		f.SetZero()
	}
}

func replaceOperands(user value.User, with map[value.Value]value.Value) {
	if len(with) == 0 {
		return
	}
	for _, slot := range user.Operands() {
		if arg, ok := (*slot).(*llir.Arg); ok {
			slot = &arg.Value
		}
		if instead, ok := with[*slot]; ok {
			*slot = instead
		}
	}
}

// isPromise reports calls that only tell the optimiser what it may assume.
func isPromise(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	f, ok := call.Callee.(*llir.Func)
	if !ok {
		return false
	}
	for _, prefix := range []string{"llvm.assume", "llvm.lifetime.", "llvm.experimental.noalias.scope.decl"} {
		if strings.HasPrefix(f.Name(), prefix) {
			return true
		}
	}
	return false
}

// plainCall spells out a call's attributes, which name groups of the module,
// and leaves out those that a mutant may break. The call is a copy.
func (p *printer) plainCall(call *llir.InstCall) {
	callee, _ := call.Callee.(*llir.Func)
	if call.Tail == enum.TailMustTail {
		call.Tail = enum.TailNone // the clone's parameters may not be the callee's
	}
	call.FuncAttrs = flatten(call.FuncAttrs)
	if callee != nil && p.header.world.isOwn(callee) {
		call.FuncAttrs = safeAttributes(call.FuncAttrs)
	}
	bundles := make([]*llir.OperandBundle, len(call.OperandBundles))
	for i, b := range call.OperandBundles {
		own := *b
		own.Inputs = append([]value.Value(nil), b.Inputs...)
		bundles[i] = &own
	}
	call.OperandBundles = bundles
	if !p.strict() || callee != nil && isIntrinsic(callee) {
		return
	}
	call.ReturnAttrs = passingReturn(call.ReturnAttrs)
	for _, arg := range call.Args {
		if arg, ok := arg.(*llir.Arg); ok {
			arg.Attrs = passing(arg.Attrs)
		}
	}
}

func isIntrinsic(f *llir.Func) bool { return strings.HasPrefix(f.Name(), "llvm.") }

// flatten replaces groups of function attributes by what they hold.
func flatten(attrs []llir.FuncAttribute) []llir.FuncAttribute {
	var out []llir.FuncAttribute
	for _, a := range attrs {
		if group, ok := a.(*llir.AttrGroupDef); ok {
			out = append(out, flatten(group.FuncAttrs)...)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// safeAttributes leaves out what the body of the original earned and that of a
// mutant may not keep, and what stops passes from looking at a function.
func safeAttributes(attrs []llir.FuncAttribute) []llir.FuncAttribute {
	return slices.DeleteFunc(ir.AnyBody(attrs), func(a llir.FuncAttribute) bool {
		return slices.Contains(hiding, a)
	})
}

// hiding are the attributes that tell passes to leave a function as it is, or where to
// copy it to.
var hiding = []llir.FuncAttribute{enum.FuncAttrOptNone, enum.FuncAttrNoInline, enum.FuncAttrAlwaysInline, enum.FuncAttrInlineHint}

// passing keeps the attributes of a parameter that say how it is passed, and
// drops those that promise something about its value.
func passing(attrs []llir.ParamAttribute) []llir.ParamAttribute {
	var out []llir.ParamAttribute
	for _, a := range attrs {
		switch a := a.(type) {
		case enum.ParamAttr:
			if passingAttributes[a] {
				out = append(out, a)
			}
		case llir.Dereferenceable:
		default:
			out = append(out, a)
		}
	}
	return out
}

var passingAttributes = map[enum.ParamAttr]bool{
	enum.ParamAttrImmArg: true, enum.ParamAttrInReg: true, enum.ParamAttrNest: true,
	enum.ParamAttrSignExt: true, enum.ParamAttrSwiftAsync: true, enum.ParamAttrSwiftError: true,
	enum.ParamAttrSwiftSelf: true, enum.ParamAttrZeroExt: true,
}

// passingReturn does the same for a returned value.
func passingReturn(attrs []llir.ReturnAttribute) []llir.ReturnAttribute {
	var out []llir.ReturnAttribute
	for _, a := range attrs {
		if attr, ok := a.(enum.ReturnAttr); ok &&
			(attr == enum.ReturnAttrInReg || attr == enum.ReturnAttrSignExt || attr == enum.ReturnAttrZeroExt) {
			out = append(out, a)
		}
	}
	return out
}
