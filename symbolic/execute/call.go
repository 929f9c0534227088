package execute

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// pure are the functions whose result depends on the arguments alone and that do nothing
// else, not even to errno.
var pure = map[string]bool{
	"abs": true, "labs": true, "llabs": true, "fabs": true, "fabsf": true, "floor": true, "floorf": true, "ceil": true, "ceilf": true,
	"trunc": true, "truncf": true, "isalnum": true, "isalpha": true, "isdigit": true, "islower": true, "isupper": true, "isspace": true,
	"ispunct": true, "isxdigit": true, "tolower": true, "toupper": true, "__ctype_b_loc": true, "__ctype_tolower_loc": true, "__ctype_toupper_loc": true,
}

// pureIntrinsics are those of LLVM.
var pureIntrinsics = []string{"fmuladd", "fma", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "round", "copysign",
	"abs", "smax", "smin", "umax", "umin", "bswap", "ctpop", "bitreverse", "fshl", "fshr"}

// twice are functions that may return twice, or to somewhere else.
var twice = map[string]bool{"setjmp": true, "_setjmp": true, "sigsetjmp": true, "__sigsetjmp": true, "vfork": true, "getcontext": true, "longjmp": true, "siglongjmp": true}

// isMarker reports calls that do nothing: the lifetimes of variables.
func isMarker(o *op.Op) bool {
	return o.Callee != nil && strings.HasPrefix(o.Callee.Name(), "llvm.lifetime.")
}

// mostCopied is how many bytes a copy of memory may have to be one of terms.
const mostCopied = 512

// copied is how many bytes an intrinsic sets or copies; 0 for other calls, and where that
// is not known or much.
func copied(o *op.Op) int64 {
	if o.Callee == nil || len(o.Args) < 5 || o.Args[3].Kind != op.Number || o.Args[4].X != 0 {
		return 0
	}
	name := o.Callee.Name()
	if !strings.HasPrefix(name, "llvm.memcpy.") && !strings.HasPrefix(name, "llvm.memmove.") && !strings.HasPrefix(name, "llvm.memset.") {
		return 0
	}
	if n := o.Args[3].X; n > 0 && n <= mostCopied {
		return n
	}
	return 0
}

func (r *run) call(o *op.Op) (*term.Term, error) {
	if isMarker(o) {
		return nil, nil
	}
	if o.Callee == nil && (o.Args[0].Kind == op.Unknown || o.Args[0].Kind == op.Wide) {
		return nil, Unsupported{"it holds inline assembly"}
	}
	if n := copied(o); n > 0 {
		return nil, r.copy(o, n)
	}
	args, err := r.operands(o.Args)
	if err != nil {
		return nil, err
	}
	name := args[0].Name
	if o.Callee != nil {
		name = o.Callee.Name()
	}
	if twice[name] {
		return nil, Unsupported{"it calls " + name + ", which may return twice or elsewhere"}
	}
	width := uint8(0)
	if o.Type.Class != op.None {
		if width, err = widthOf(o.Type); err != nil {
			return nil, err
		}
	}
	if isAbsolute(o, name) && len(args) >= 2 && args[1].Width == width {
		return r.p.Ite(r.p.Slt(args[1], r.p.Number(0, width)), r.p.Neg(args[1]), args[1]), nil
	}
	if isPure(o, name) && width > 0 {
		return r.p.App("call "+name, width, args[1:]...), nil
	}
	shown := args
	if readsMemory(o) {
		shown = append(append([]*term.Term(nil), args...), r.state.Memory)
	}
	r.event(r.p.Truth(true), "call", shown...)
	if writesMemory(o) {
		r.state.Memory = r.p.App("left", term.Memory, r.state.Trace)
	}
	if width == 0 {
		return nil, nil
	}
	return r.p.App("result", width, r.state.Trace), nil
}

// isAbsolute reports abs and its like, which are computed.
func isAbsolute(o *op.Op, name string) bool {
	return strings.HasPrefix(name, "llvm.abs.") || (name == "abs" || name == "labs" || name == "llabs") && isPure(o, name)
}

func isPure(o *op.Op, name string) bool {
	if rest, ok := strings.CutPrefix(name, "llvm."); ok {
		stem, _, _ := strings.Cut(rest, ".")
		for _, p := range pureIntrinsics {
			if stem == p {
				return true
			}
		}
		return false
	}
	return pure[name] && o.Callee != nil && len(o.Callee.Blocks) == 0
}

// writesMemory says that a call may write memory that the program looks into.
func writesMemory(o *op.Op) bool {
	return o.Library == nil || o.Library.Arguments == "" || strings.ContainsAny(o.Library.Arguments, "wb")
}

// readsMemory says that what a call does may depend on memory.
func readsMemory(o *op.Op) bool {
	if writesMemory(o) {
		return true
	}
	l := o.Library
	if l.Format > 0 && l.Format < len(o.Args) && !strings.ContainsAny(strings.TrimSuffix(l.Arguments, "r"), "rk") {
		format, ok := textAt(o.Args[l.Format])
		return !ok || printsMemory(format)
	}
	return strings.ContainsAny(l.Arguments, "rk")
}

// printsMemory says that a format prints more than its arguments.
func printsMemory(format string) bool {
	for k := 0; k < len(format); k++ {
		if format[k] != '%' {
			continue
		}
		for k++; k < len(format) && strings.IndexByte("0123456789.*+- #'hljztL", format[k]) >= 0; k++ {
		}
		if k == len(format) || strings.IndexByte("%diouxXcfFeEgGaAp", format[k]) < 0 {
			return true
		}
	}
	return false
}

// textAt is the text that a constant address points to.
func textAt(a op.Operand) (string, bool) {
	g, ok := a.Of.(*llir.Global)
	if !ok || a.Kind != op.Symbol || a.X != 0 || !g.Immutable {
		return "", false
	}
	text, ok := g.Init.(*constant.CharArray)
	if !ok {
		return "", false
	}
	return string(text.X), true
}

// global is a variable outside of functions, by its name, if it is defined here and cannot
// be another's.
func (f *Function) global(name string) *llir.Global {
	for _, g := range f.code.Code.Func.Parent.Globals {
		if g.Ident() == name && g.Init != nil {
			return g
		}
	}
	return nil
}

// copy sets or copies a number of bytes that is known.
func (r *run) copy(o *op.Op, n int64) error {
	args, err := r.operands(o.Args)
	if err != nil {
		return err
	}
	to, from := args[1], args[2]
	set := strings.HasPrefix(o.Callee.Name(), "llvm.memset.")
	var values []*term.Term
	for k := int64(0); k < n; k += 8 {
		bytes := uint8(min(8, n-k))
		v := from
		if set {
			for range bytes - 1 {
				v = r.p.Concat(v, from)
			}
		} else if v, err = r.read(r.p.Add(from, r.p.Number(uint64(k), 64)), bytes); err != nil {
			return err
		}
		values = append(values, v)
	}
	for k, v := range values {
		if err := r.write(r.p.Add(to, r.p.Number(uint64(8*k), 64)), v); err != nil {
			return err
		}
	}
	return nil
}
