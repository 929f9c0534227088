package execute

import (
	"fmt"
	"math/bits"
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
	if o.Callee != nil && strings.HasPrefix(o.Callee.Name(), "llvm.stack") { // what variables are made on, and that they are gone
		if o.Type.Class == op.None {
			return nil, nil
		}
		return r.p.Var("the stack", 64), nil
	}
	if of, ok := scansOf(o); ok {
		return r.scan(o, of)
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
		return r.returned(o, "call "+name, width, args[1:]...), nil
	}
	if o.Library != nil && o.Library.Arguments != "" {
		return r.library(o, name, args, width)
	}
	if value, followed, err := r.follow(o, args); followed || err != nil {
		return value, err
	}
	r.event(r.p.Truth(true), "call", append(append([]*term.Term(nil), args...), r.state.Memory)...)
	r.state.Memory = r.p.App("left", term.Memory, r.state.Trace)
	if width == 0 {
		return nil, nil
	}
	return r.p.App("result", width, r.state.Trace), nil
}

// readers are functions whose result depends on their arguments and on what these point to, and
// that do nothing else.
var readers = map[string]bool{"strlen": true, "strcmp": true, "strncmp": true, "memcmp": true, "strspn": true, "strcspn": true, "atoi": true, "atol": true, "atoll": true}

// library is a call of a function of which it is known what of memory it reads and writes: what
// its arguments point to, variables of the function of their own or the memory of all else.
func (r *run) library(o *op.Op, name string, args []*term.Term, width uint8) (*term.Term, error) {
	var written []int // variables
	reads, writes := false, false
	unknown := false // an address that is read may be any
	shown := append([]*term.Term(nil), args...)
	for k, a := range args[1:] {
		letter := o.Library.Argument(k)
		if letter == '-' || a.Width != 64 {
			continue
		}
		to, err := r.targetOf(a)
		if err != nil {
			return nil, err
		}
		changes := letter == 'w' || letter == 'b'
		if to.local >= 0 {
			shown = append(shown, r.state.Locals[to.local])
			if changes {
				written = append(written, to.local)
			}
			continue
		}
		writes = writes || changes
		if _, constant := textAt(o.Args[k+1]); letter != 'w' && !constant {
			reads = true
			is, _, _ := r.known(a)
			unknown = unknown || !is
		}
	}
	if reads && looksAround(o) {
		shown = append(shown, r.state.Memory)
	}
	if readers[name] && width > 0 {
		if unknown {
			r.trap(r.p.App(name+" traps", 1, shown...))
		}
		return r.returned(o, "call "+name, width, shown[1:]...), nil
	}
	shows := r.p.Event("call", r.state.Trace, shown...)
	r.event(r.p.Truth(true), "call", shown...)
	if writes {
		r.state.Memory = r.p.App("left", term.Memory, r.state.Trace, r.state.Memory)
	}
	for _, n := range written {
		r.state.Locals[n] = r.p.App(fmt.Sprintf("left in %s%d", r.f.within, n), term.Memory, r.state.Trace, r.state.Locals[n])
	}
	if width == 0 {
		return nil, nil
	}
	out := r.returned(o, "result", width, r.state.Trace)
	r.reads(name, shows, args, out)
	return out, nil
}

// returned is the result of a call of the library, within the bounds that are known of it.
func (r *run) returned(o *op.Op, name string, width uint8, of ...*term.Term) *term.Term {
	if o.Library == nil || !o.Library.Returns.Bounded() {
		return r.p.App(name, width, of...)
	}
	between := o.Library.Returns
	bits := uint8(bits.Len64(uint64(between.Hi) - uint64(between.Lo)))
	if bits >= width {
		return r.p.App(name, width, of...)
	}
	return r.p.Add(r.p.ZExt(r.p.App(name, bits, of...), width), r.p.Number(uint64(between.Lo), width))
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

// looksAround says that a call of the library that is given addresses may read what is there:
// not a printf that prints numbers.
func looksAround(o *op.Op) bool {
	l := o.Library
	if l.Format == 0 || l.Format >= len(o.Args) || strings.ContainsAny(l.Arguments, "kb") {
		return true
	}
	format, ok := textAt(o.Args[l.Format])
	return !ok || printsMemory(format)
}

// printsMemory says that a format prints more than its arguments.
func printsMemory(format string) bool {
	letters, ok := lettersOf(format)
	return !ok || strings.Trim(letters, "%diouxXcfFeEgGaAp") != ""
}

// lettersOf are the conversions of a format of printf; false where it ends within one.
func lettersOf(format string) (letters string, ok bool) {
	for k := 0; k < len(format); k++ {
		if format[k] != '%' {
			continue
		}
		for k++; k < len(format) && strings.IndexByte("0123456789.*+- #'hljztL", format[k]) >= 0; k++ {
		}
		if k == len(format) {
			return letters, false
		}
		letters += format[k : k+1]
	}
	return letters, true
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

// symbol is the address of what has a name: an object where it is a variable that is defined here.
func (f *Function) symbol(name string) *term.Term {
	if f.global(name) != nil {
		return f.Pool.Object(name)
	}
	return f.Pool.Var(name, 64)
}

// global is a variable outside of functions, by its name, if it is defined here and cannot
// be another's; nil for none.
func (f *Function) global(name string) *llir.Global { return f.globals[name] }

// globalsOf are those of a module.
func globalsOf(m *llir.Module) map[string]*llir.Global {
	out := map[string]*llir.Global{}
	for _, g := range m.Globals {
		if g.Init != nil {
			out[g.Ident()] = g
		}
	}
	return out
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
