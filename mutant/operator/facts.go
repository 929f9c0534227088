package operator

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// moduleFacts holds what operators ask about the whole module.
type moduleFacts struct {
	// hasDebug: the module has debug information.
	hasDebug bool
	// promises: the compiler marked signed arithmetic with nsw, so that
	// arithmetic without it is unsigned.
	promises bool
	module   *llir.Module
	// trap is the function that ends the program, as abort does.
	trap *llir.Func
}

// trapFunction is the intrinsic of an invalid instruction.
const trapFunction = "llvm.trap"

// DeclareTrap makes the function known to a module that ends the program: what declares a module's
// functions elsewhere must find it. NewGenerator does it where nobody did; where others read the modules of
// a program while their mutants are made, it is done before.
func DeclareTrap(m *ir.Module) *llir.Func {
	for _, f := range m.LLVM.Funcs {
		if f.Name() == trapFunction {
			return f
		}
	}
	return m.LLVM.NewFunc(trapFunction, types.Void)
}

func factsOfModule(m *ir.Module) moduleFacts {
	facts := moduleFacts{module: m.LLVM, hasDebug: m.LLVM.NamedMetadataDefs["llvm.dbg.cu"] != nil}
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				facts.promises = facts.promises || promisesNoOverflow(inst)
			}
		}
	}
	return facts
}

// function holds the facts on one function that operators ask for.
type function struct {
	moduleFacts
	f           *llir.Func
	variables   map[value.Value]string
	users       usedOutside
	flow        *flow
	increments  map[*llir.InstStore]*step
	incrementOf map[llir.Instruction]*step // by sum
	stepLoads   map[llir.Instruction]bool
	// results are the stack slots that keep the returned value.
	results map[value.Value]bool
}

func factsOf(f *llir.Func, m moduleFacts, render *face.Renderer) *function {
	fn := &function{moduleFacts: m, f: f, variables: ir.Variables(f), users: usersOf(f), flow: flowOf(f),
		increments: map[*llir.InstStore]*step{}, incrementOf: map[llir.Instruction]*step{}, stepLoads: map[llir.Instruction]bool{}, results: map[value.Value]bool{}}
	for _, b := range f.Blocks {
		for _, s := range stepsOf(b, fn.users) {
			if prefix, known := render.IsPrefix(s.store); known {
				s.prefix = prefix // the IR does not tell where nobody uses the value
			}
			fn.increments[s.store], fn.incrementOf[s.sum], fn.stepLoads[s.load] = s, s, true
		}
		if slot := returnedSlot(b.Term); slot != nil && fn.isCompilersSlot(slot, "retval") {
			fn.results[slot] = true
		}
	}
	return fn
}

func returnedSlot(term llir.Terminator) *llir.InstAlloca {
	if ret, ok := term.(*llir.TermRet); ok {
		if load, ok := ret.X.(*llir.InstLoad); ok {
			slot, _ := load.Src.(*llir.InstAlloca)
			return slot
		}
	}
	return nil
}

// isCompilersSlot reports a stack slot that is no variable of the user's: one
// without a declaration or, in a module without debug information, one with
// the name that clang gives it.
func (fn *function) isCompilersSlot(slot *llir.InstAlloca, name string) bool {
	_, declared := fn.variables[slot]
	return !declared && (fn.hasDebug || strings.HasPrefix(slot.Name(), name))
}

// isTemporary reports a pointer into a stack slot that the compiler made:
// results of && and ?:, the return slot, structures passed in registers.
func (fn *function) isTemporary(pointer value.Value) bool {
	switch p := pointer.(type) {
	case *llir.InstAlloca:
		return isPhiSlot(p) || fn.results[p] || fn.isCompilersSlot(p, "saved_stack")
	case *llir.InstGetElementPtr:
		return fn.isTemporary(p.Src)
	case *llir.InstBitCast:
		return fn.isTemporary(p.From)
	}
	return false
}

func isPhiSlot(slot *llir.InstAlloca) bool { return strings.HasPrefix(slot.Name(), "phi.slot.") }

// isCompilerMade reports an operation that the C source does not have: with
// the source at hand, one without an expression; else one of those that clang
// makes for bit-fields, va_arg, p - i and p - q, which it names.
func (p *Place) isCompilerMade(inst llir.Instruction) bool {
	if face.IsPointerDifference(inst) || p.fn.isArrayLength(inst) {
		return true
	}
	if p.Face.HasSource(inst) && !p.Face.IsExpression(inst) {
		return true
	}
	named, ok := inst.(value.Named)
	if !ok {
		return false
	}
	if _, isLoad := inst.(*llir.InstLoad); isLoad && strings.Contains(p.Face.Of(named).C, "__builtin_va_arg") {
		return true // a macro of the parser's
	}
	for _, prefix := range []string{"bf.", "idx.neg", "fits_in_", "gp_offset", "fp_offset", "overflow_arg_area", "reg_save_area", "vaarg."} {
		if strings.HasPrefix(named.Name(), prefix) {
			return true
		}
	}
	return usesNamed(inst, "gp_offset") || usesNamed(inst, "fp_offset")
}

// isArrayLength reports the multiplications that clang makes for arrays of
// variable length: of lengths, marked nuw as nothing in C is, and of indices
// with lengths, which it keeps in variables of its own.
func (fn *function) isArrayLength(inst llir.Instruction) bool {
	mul, ok := inst.(*llir.InstMul)
	if !ok {
		return false
	}
	if slices.Contains(mul.OverflowFlags, enum.OverflowFlagNUW) {
		return true
	}
	for _, length := range []value.Value{mul.X, mul.Y} {
		for _, user := range fn.users[length] {
			if store, ok := user.(*llir.InstStore); ok && strings.HasPrefix(fn.variables[store.Dst], "__vla_expr") {
				return true
			}
		}
	}
	return false
}

func usesNamed(inst llir.Instruction, name string) bool {
	for _, slot := range operandsOf(inst) {
		if named, ok := (*slot).(value.Named); ok && strings.HasPrefix(named.Name(), name) {
			return true
		}
	}
	return false
}

func operandsOf(inst any) []*value.Value {
	if user, ok := inst.(value.User); ok {
		return user.Operands()
	}
	return nil
}

// usedOutside answers whether a value is used by an instruction that is not in
// a run.
type usedOutside map[value.Value][]any

func usersOf(f *llir.Func) usedOutside {
	users := usedOutside{}
	note := func(user any) {
		for _, slot := range operandsOf(user) {
			v := ir.Unwrap(*slot)
			users[v] = append(users[v], user)
		}
	}
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			note(inst)
		}
		note(b.Term)
	}
	return users
}

func (u usedOutside) outside(v value.Value, run []llir.Instruction) bool {
	for _, user := range u[v] {
		inside := false
		for _, inst := range run {
			if user == any(inst) {
				inside = true
				break
			}
		}
		if !inside {
			return true
		}
	}
	return false
}
