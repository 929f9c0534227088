package tce

import (
	"regexp"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// This file says what the stage cannot see through. Equal texts mean equal
// behaviour only where passes know all that code does; a function, or a mutant, of
// which that is not so is Unknown, with the reason. There are two kinds: what a
// clone lacks although the original has it (labels whose addresses others hold, two
// names for one object), which counts for all pass lists; and what passes take
// liberties with (assembly, setjmp, questions to the compiler), which counts where
// nothing is taken on trust.

// world is what a program's functions depend on outside their own text.
type world struct {
	// defined are the functions that the program itself defines, in any module.
	defined map[string]bool
	// aliases are the names that the program gives to what has another one, in any
	// module: aliases, functions that are chosen as it starts (ifunc), and whatever
	// assembly outside of functions mentions.
	aliases map[string]bool
	// variables are the names of its global variables: none of them is a function's.
	variables map[string]bool
	// rounds says that the program may change how floating-point numbers are
	// computed, or ask how they were.
	rounds bool
}

func worldOf(p equiv.Program) *world {
	w := &world{defined: map[string]bool{}, aliases: map[string]bool{}, variables: map[string]bool{}}
	for _, m := range p.Modules {
		for _, f := range m.LLVM.Funcs {
			if len(f.Blocks) > 0 {
				w.defined[f.Name()] = true
			}
			w.rounds = w.rounds || floatingEnvironment.MatchString(f.Name())
		}
		for _, g := range m.LLVM.Globals {
			w.variables[g.Name()] = true
		}
		for _, a := range m.LLVM.Aliases {
			w.aliases[a.Name()] = true
		}
		for _, i := range m.LLVM.IFuncs {
			w.aliases[i.Name()] = true
		}
		for _, text := range m.LLVM.ModuleAsms {
			for _, word := range symbol.FindAllString(text, -1) {
				w.aliases[word] = true
			}
		}
	}
	return w
}

// isOwn reports a function that the program itself defines.
func (w *world) isOwn(f *llir.Func) bool { return len(f.Blocks) > 0 || w.defined[f.Name()] }

var (
	// floatingEnvironment are the functions of <fenv.h>, and what sets the control
	// register of SSE.
	floatingEnvironment = regexp.MustCompile(`^fe(setround|setenv|getenv|holdexcept|updateenv|clearexcept|raiseexcept|testexcept|getexceptflag|setexceptflag|enableexcept|disableexcept)$|^llvm\.x86\.sse\.(ldmxcsr|stmxcsr)$|^llvm\.set\.rounding$`)
	symbol              = regexp.MustCompile(`[A-Za-z_$.][A-Za-z0-9_$.]*`)
)

// Reasons why a function or a mutant is Unknown.
const (
	hiddenLabels      = "it jumps to addresses of labels"
	hiddenAlias       = "it names %s, which may be another name for an object"
	hiddenAssembly    = "it holds inline assembly"
	hiddenTwice       = "it calls %s, which may return twice"
	hiddenIntrinsic   = "it asks the compiler (%s)"
	hiddenLibrary     = "the program has its own %s"
	hiddenUndefined   = "it uses a value that is undefined"
	hiddenUnreachable = "it goes on where it says that it never comes"
	hiddenVector      = "it divides or indexes vectors in ways that may be undefined"
	hiddenMetadata    = "it reads metadata"
	hiddenRounding    = "it computes with floating-point numbers in a program that changes or asks how"
)

// hidden says why a name cannot be seen through; "" where it can.
func (w *world) hidden(name string, strict bool) string {
	name = strings.Trim(strings.TrimPrefix(name, "@"), `"`)
	intrinsic, isIntrinsic := strings.CutPrefix(name, "llvm.")
	stem, _, _ := strings.Cut(intrinsic, ".")
	switch {
	case w.aliases[name], strings.HasPrefix(name, `\01`):
		return reason(hiddenAlias, name)
	case isIntrinsic && libraryIntrinsics[stem] && w.libraryOf(stem) != "":
		return reason(hiddenLibrary, w.libraryOf(stem))
	case !strict:
	case strings.HasPrefix(name, "__start_"), strings.HasPrefix(name, "__stop_"):
		return reason(hiddenAlias, name)
	case isIntrinsic && !plainIntrinsics[stem] && !libraryIntrinsics[stem]:
		return reason(hiddenIntrinsic, name)
	case returnsTwice[name] && !w.variables[name]:
		return reason(hiddenTwice, name)
	}
	return ""
}

func reason(text, name string) string { return strings.Replace(text, "%s", name, 1) }

// libraryOf is the function that an intrinsic becomes a call of, where it is the
// program's own; "" where it is the library's.
func (w *world) libraryOf(stem string) string {
	for _, suffix := range []string{"", "f", "l"} {
		if w.defined[stem+suffix] {
			return stem + suffix
		}
	}
	return ""
}

// plainIntrinsics are those of which passes know what the machine does, whatever
// else is optimised. Not among them are questions about the code itself (the size
// of an object, whether something is constant, where the frame lies), those that
// may be computed in several ways (fmuladd, powi), and all of one processor.
var plainIntrinsics = setOf(`va_start va_end va_copy stacksave stackrestore lifetime assume expect
	sideeffect trap debugtrap ubsantrap prefetch ctlz cttz ctpop bswap bitreverse fshl fshr
	smax smin umax umin sadd uadd ssub usub smul umul`)

// libraryIntrinsics are those that become calls of a library function, which passes
// know as well.
var libraryIntrinsics = setOf(`memcpy memmove memset fabs floor ceil trunc rint nearbyint round roundeven
	copysign fmin fmax minnum maxnum sqrt fma pow exp exp2 log log2 log10 sin cos lround llround lrint llrint`)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// returnsTwice are the functions that may return more than once, whatever the
// header says that declares them.
var returnsTwice = setOf("setjmp _setjmp __setjmp sigsetjmp __sigsetjmp setjmp_syscall savectx getcontext vfork")

// opaqueError says that a function or a mutant cannot be seen through.
type opaqueError struct{ why string }

func (e *opaqueError) Error() string { return e.why }

// opaque says why a function cannot be seen through, its names apart; "" where it
// can.
func (w *world) opaque(f *llir.Func, strict bool) string {
	reached := reachedFrom(f.Blocks[0], llir.Terminator.Succs)
	for _, b := range f.Blocks {
		if _, ok := b.Term.(*llir.TermIndirectBr); ok {
			return hiddenLabels
		}
		if !reached[b] {
			continue // clang makes such blocks behind a return
		}
		for _, inst := range b.Insts {
			if why := w.blind(inst, strict); why != "" {
				return why
			}
		}
		if !strict {
			continue
		}
		if why := opaqueEnd(b.Term, lastIn(b.Insts)); why != "" {
			return why
		}
	}
	return ""
}

// reachedFrom are the blocks that control can come to from one of them.
func reachedFrom(entry *llir.Block, succs func(llir.Terminator) []*llir.Block) map[*llir.Block]bool {
	out := map[*llir.Block]bool{}
	for open := []*llir.Block{entry}; len(open) > 0; {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		if !out[b] {
			out[b] = true
			open = append(open, succs(b.Term)...)
		}
	}
	return out
}

// opaqueEnd says why the end of a block, behind its last instruction, cannot be
// seen through: what the machine does where code says that it never comes is
// whatever code lies behind.
func opaqueEnd(term llir.Terminator, last llir.Instruction) string {
	if _, ok := term.(*llir.TermUnreachable); ok && !neverReturns(last) {
		return hiddenUnreachable
	}
	return usesUndefined(term)
}

// opaqueEnd says the same of an end that a mutant makes.
func (t *template) opaqueEnd(term llir.Terminator, last llir.Instruction) string {
	if !t.strict() {
		return ""
	}
	if t.reached == nil {
		t.reached = reachedFrom(t.entry, t.succs)
	}
	for _, b := range t.succs(term) {
		if !t.reached[b] {
			return hiddenUnreachable
		}
	}
	return opaqueEnd(term, last)
}

// opaqueChange says why a mutant's code cannot be seen through.
func (t *template) opaqueChange(edit mutant.Rewrite, at *llir.Block, code []llir.Instruction) string {
	for _, inst := range code {
		if why := t.header.world.blind(inst, t.strict()); why != "" {
			return why
		}
	}
	last := lastIn(at.Insts)
	if last != nil && slices.Contains(edit.Insts, last) {
		return t.opaqueEnd(at.Term, lastIn(code))
	}
	return ""
}

// lastIn is the last instruction that is code; nil where there is none.
func lastIn(insts []llir.Instruction) llir.Instruction {
	for _, inst := range slices.Backward(insts) {
		if !ir.IsDebug(inst) {
			return inst
		}
	}
	return nil
}

// neverReturns reports a call after which nothing comes.
func neverReturns(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	callee, ok := call.Callee.(*llir.Func)
	return ok && callee.Name() == "llvm.trap" || hasAttribute(call, enum.FuncAttrNoReturn)
}

// hasAttribute reports an attribute of a call, or of the function that it calls.
func hasAttribute(call *llir.InstCall, attr enum.FuncAttr) bool {
	attrs := flatten(call.FuncAttrs)
	if callee, ok := call.Callee.(*llir.Func); ok {
		attrs = append(attrs, flatten(callee.FuncAttrs)...)
	}
	return slices.Contains(attrs, llir.FuncAttribute(attr))
}

// blind says why an instruction cannot be seen through; "" where it can.
func (w *world) blind(inst llir.Instruction, strict bool) string {
	switch {
	case ir.IsDebug(inst):
		return ""
	case readsMetadata(inst):
		return hiddenMetadata
	case !strict:
		return ""
	}
	switch i := inst.(type) {
	case *llir.InstCall:
		if _, ok := i.Callee.(*llir.InlineAsm); ok {
			return hiddenAssembly
		}
		callee, ok := i.Callee.(*llir.Func)
		if ok && returnsTwice[callee.Name()] || hasAttribute(i, enum.FuncAttrReturnsTwice) {
			return reason(hiddenTwice, i.Callee.Ident())
		}
	case *llir.InstUDiv, *llir.InstSDiv, *llir.InstURem, *llir.InstSRem:
		if _, ok := i.(value.Value).Type().(*types.VectorType); ok {
			return hiddenVector
		}
	case *llir.InstExtractElement:
		if !isIndexOf(i.Index, i.X.Type()) {
			return hiddenVector
		}
	case *llir.InstInsertElement:
		if !isIndexOf(i.Index, i.X.Type()) {
			return hiddenVector
		}
	}
	user := inst.(value.User)
	if w.rounds && computesReals(user) {
		return hiddenRounding
	}
	return usesUndefined(user)
}

// readsMetadata reports calls whose arguments name metadata, which the clones
// do not carry.
func readsMetadata(inst llir.Instruction) bool {
	call, ok := inst.(*llir.InstCall)
	if !ok {
		return false
	}
	for _, arg := range call.Args {
		if _, ok := ir.Unwrap(arg).(*metadata.Value); ok {
			return true
		}
	}
	return false
}

// isIndexOf reports a number that is the index of an element of a vector.
func isIndexOf(index value.Value, vector types.Type) bool {
	k, ok := index.(*constant.Int)
	t, isVector := vector.(*types.VectorType)
	return ok && isVector && k.X.Sign() >= 0 && k.X.IsUint64() && k.X.Uint64() < t.Len
}

// computesReals reports an instruction that does more with floating-point numbers
// than to move them.
func computesReals(user value.User) bool {
	switch i := user.(type) {
	case *llir.InstStore, *llir.InstSelect, *llir.InstBitCast, *llir.InstInsertValue, *llir.InstInsertElement:
		return false
	case *llir.InstCall:
		callee, ok := i.Callee.(*llir.Func)
		if !ok || !isIntrinsic(callee) {
			return false
		}
	}
	isReal := func(t types.Type) bool {
		if v, ok := t.(*types.VectorType); ok {
			t = v.ElemType
		}
		_, ok := t.(*types.FloatType)
		return ok
	}
	if v, ok := user.(value.Value); ok && isReal(v.Type()) {
		_, isLoad := user.(*llir.InstLoad)
		return !isLoad
	}
	return slices.ContainsFunc(user.Operands(), func(slot *value.Value) bool { return isReal((*slot).Type()) })
}

// usesUndefined reports operands that are undefined, but for the aggregates and
// vectors that further instructions fill in.
func usesUndefined(user value.User) string {
	for k, slot := range user.Operands() {
		switch user.(type) {
		case *llir.InstInsertValue, *llir.InstInsertElement:
			if k == 0 {
				continue
			}
		case *llir.InstShuffleVector:
			continue
		}
		if isUndefined(ir.Unwrap(*slot)) {
			return hiddenUndefined
		}
	}
	return ""
}

func isUndefined(v value.Value) bool {
	switch c := v.(type) {
	case *constant.Undef, *constant.Poison:
		return true
	case *constant.Struct:
		return slices.ContainsFunc(c.Fields, func(f constant.Constant) bool { return isUndefined(f) })
	case *constant.Array:
		return slices.ContainsFunc(c.Elems, func(e constant.Constant) bool { return isUndefined(e) })
	case *constant.Vector:
		return slices.ContainsFunc(c.Elems, func(e constant.Constant) bool { return isUndefined(e) })
	}
	return false
}
