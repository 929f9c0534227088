package execute

import (
	"errors"
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// assumptions are what the user takes for granted of a function.
type assumptions struct {
	begin []*assume.Node
	// read are those of what an item reads of an array.
	read map[int][]*assume.Node
	// at are those of lines, by the first item of the line in each block.
	at map[int][]*assume.Node
}

// ErrAssumption is wrapped by errors about assumptions that name what is not there.
var ErrAssumption = errors.New("the assumption cannot be understood")

// Assume takes for granted what concerns the function of a list, of which it returns that. It is
// for before the first run.
func (f *Function) Assume(all []assume.Assumption) (mine []assume.Assumption, err error) {
	code := f.code.Code
	for k := range all {
		a := &all[k]
		if a.Function != "" {
			if a.Function == code.Func.Name() {
				if err := f.assumeAll(a); err != nil {
					return nil, err
				}
				mine = append(mine, *a)
			}
			continue
		}
		here := false
		for b := range f.blocks {
			for i := code.First[b]; i < code.First[b+1]; i++ {
				if at := ir.PositionOf(f.code.Ops[i].Node); !a.At(at.File, at.Line) {
					continue
				}
				if f.assumed.at == nil {
					f.assumed.at = map[int][]*assume.Node{}
				}
				f.assumed.at[i], here = append(f.assumed.at[i], a.Condition), true
				break
			}
		}
		if here {
			state := f.Entry()
			if err := f.canAssume(a.Condition, a, func(name string) (*term.Term, bool) { return f.holding(&state, name) }); err != nil {
				return nil, err
			}
			mine = append(mine, *a)
		}
	}
	return mine, nil
}

// assumeAll takes the conditions of one that is of the whole function: those of its arguments, and those of what it
// reads of arrays.
func (f *Function) assumeAll(a *assume.Assumption) error {
	for _, n := range a.Condition.Conjuncts() {
		array, err := n.Array()
		if err != nil {
			return fmt.Errorf("%q in %s: %w: %w", a.Text, f.code.Code.Func.Name(), ErrAssumption, err)
		}
		if array == "" {
			if err := f.canAssume(n, a, f.beginning); err != nil {
				return err
			}
			f.assumed.begin = append(f.assumed.begin, n)
			continue
		}
		element := f.Pool.Number(0, 64)
		known := false
		for item := range f.code.Ops {
			if e, ok := f.ElementAt(item); ok && e.Array == array {
				known = true
				if f.assumed.read == nil {
					f.assumed.read = map[int][]*assume.Node{}
				}
				f.assumed.read[item] = append(f.assumed.read[item], n)
			}
		}
		if err := f.canAssume(n, a, func(name string) (*term.Term, bool) {
			if name == array+assume.Each {
				return element, known
			}
			return f.beginning(name)
		}); err != nil {
			return err
		}
	}
	return nil
}

// Element is what an item reads of an array.
type Element struct {
	// Array is what the source calls the array, or the pointer that leads to it.
	Array string
	// Unsigned says that its elements are declared without a sign.
	Unsigned bool
}

// ElementAt is what an item reads, if it is an integer of an array (op.Function.ArrayAt).
func (f *Function) ElementAt(item int) (Element, bool) {
	o := &f.code.Ops[item]
	if o.Code != op.Load || o.Type.Class != op.Int || o.Type.Bits > 64 {
		return Element{}, false
	}
	switch v := f.code.ArrayAt(o.Args[0]).(type) {
	case *llir.InstAlloca:
		declared := f.declarations()[v]
		return Element{called(v, declared), declared != nil && ir.IsUnsigned(declared.Type)}, true
	case *llir.Global:
		if declared := ir.GlobalVariable(v); declared != nil {
			return Element{declared.Name, ir.IsUnsigned(declared.Type)}, true
		}
		return Element{Array: v.Name()}, true
	}
	return Element{}, false
}

func (f *Function) canAssume(n *assume.Node, a *assume.Assumption, lookup func(string) (*term.Term, bool)) error {
	if _, err := f.condition(n, lookup); err != nil {
		return fmt.Errorf("%q in %s: %w: %w", a.Text, f.code.Code.Func.Name(), ErrAssumption, err)
	}
	return nil
}

// AssumesOnTheWay says that conditions at lines, or on what is read of arrays, are assumed, which a call cannot be
// held to.
func (f *Function) AssumesOnTheWay() bool { return len(f.assumed.at)+len(f.assumed.read) > 0 }

// atBeginning is what is assumed of the arguments.
func (f *Function) atBeginning() *term.Term {
	return f.assumes(f.assumed.begin, f.beginning)
}

func (f *Function) assumes(all []*assume.Node, lookup func(string) (*term.Term, bool)) *term.Term {
	out := f.Pool.Truth(true)
	for _, n := range all {
		if t, err := f.condition(n, lookup); err == nil { // Assume has looked
			out = f.Pool.And(out, t)
		}
	}
	return out
}

// assume takes for granted what is assumed at an item.
func (r *run) assume(item int) {
	some := r.f.assumed.at[item]
	if len(some) == 0 {
		return
	}
	holds := r.f.assumes(some, func(name string) (*term.Term, bool) { return r.f.holding(&r.state, name) })
	r.state.Assumed = r.p.And(r.state.Assumed, holds)
}

// assumeRead takes for granted what is assumed of what an item has read of an array.
func (r *run) assumeRead(item int) {
	some := r.f.assumed.read[item]
	if len(some) == 0 || r.regs[item] == nil {
		return
	}
	e, _ := r.f.ElementAt(item)
	holds := r.f.assumes(some, func(name string) (*term.Term, bool) {
		if name == e.Array+assume.Each {
			return r.f.widened(r.regs[item], e.Unsigned), true
		}
		return r.f.beginning(name)
	})
	r.state.Assumed = r.p.And(r.state.Assumed, holds)
}

// beginning is an argument, by the name of its parameter, as a number of 64 bits.
func (f *Function) beginning(name string) (*term.Term, bool) {
	for k, p := range f.code.Code.Func.Params {
		if strings.TrimSuffix(p.Name(), ".coerce") == name && op.TypeOf(p.Type()).Class == op.Int {
			return f.widened(f.Param(k), f.Unsigned(name)), true
		}
	}
	return nil, false
}

// holding is a variable that is known in a state, as a number of 64 bits.
func (f *Function) holding(s *State, name string) (*term.Term, bool) {
	for _, v := range f.Scalars() {
		if v.Integer && f.nameOf(v.Number) == name {
			return f.widened(s.Locals[v.Number], v.Unsigned), true
		}
	}
	return nil, false
}

// Unsigned says that a variable is used as a number without a sign.
func (f *Function) Unsigned(name string) bool {
	for _, v := range f.Scalars() {
		if f.nameOf(v.Number) == name {
			return v.Unsigned
		}
	}
	return false
}

func (f *Function) widened(t *term.Term, unsigned bool) *term.Term {
	if unsigned {
		return f.Pool.ZExt(t, 64)
	}
	return f.Pool.SExt(t, 64)
}

// nameOf is what the source calls a variable.
func (f *Function) nameOf(local int) string {
	variable, ok := f.code.Ops[f.locals[local].item].Node.(*llir.InstAlloca)
	if !ok {
		return ""
	}
	return called(variable, f.declarations()[variable])
}

// declarations are those of the source, of the variables that have one.
func (f *Function) declarations() map[*llir.InstAlloca]*metadata.DILocalVariable {
	if f.declared == nil {
		f.declared = map[*llir.InstAlloca]*metadata.DILocalVariable{}
		for _, b := range f.code.Code.Func.Blocks {
			for _, i := range b.Insts {
				if slot, variable, ok := ir.Declared(i); ok {
					if a, ok := slot.(*llir.InstAlloca); ok {
						f.declared[a] = variable
					}
				}
			}
		}
	}
	return f.declared
}

// called is what the source calls a variable, as far as it is known.
func called(variable *llir.InstAlloca, declared *metadata.DILocalVariable) string {
	if declared != nil && declared.Name != "" {
		return declared.Name
	}
	return strings.TrimSuffix(variable.Name(), ".addr")
}

// condition is a condition as a truth.
func (f *Function) condition(n *assume.Node, lookup func(string) (*term.Term, bool)) (*term.Term, error) {
	t, err := f.number(n, lookup)
	if err != nil {
		return nil, err
	}
	return f.Pool.Ne(t, f.Pool.Number(0, 64)), nil
}

// number is a part of a condition as a number of 64 bits.
func (f *Function) number(n *assume.Node, lookup func(string) (*term.Term, bool)) (*term.Term, error) {
	p := f.Pool
	switch {
	case n.Name != "":
		t, ok := lookup(n.Name)
		if !ok {
			if array, each := strings.CutSuffix(n.Name, assume.Each); each {
				return nil, fmt.Errorf("no integer is read there through a variable %s", array)
			}
			return nil, fmt.Errorf("%s is no integer variable that is known there", n.Name)
		}
		return t, nil
	case n.Op == "":
		return p.Number(uint64(n.Number), 64), nil
	}
	args := make([]*term.Term, len(n.Args))
	for k, a := range n.Args {
		var err error
		if args[k], err = f.number(a, lookup); err != nil {
			return nil, err
		}
	}
	if len(args) == 1 {
		return computedOfOne(p, n.Op, args[0]), nil
	}
	return computedOfTwo(p, n.Op, args[0], args[1]), nil
}

func computedOfOne(p *term.Pool, op string, x *term.Term) *term.Term {
	switch op {
	case "-":
		return p.Neg(x)
	case "~":
		return p.Not(x)
	case "!":
		return p.ZExt(p.Eq(x, p.Number(0, 64)), 64)
	}
	return x
}

func computedOfTwo(p *term.Pool, op string, x, y *term.Term) *term.Term {
	zero := p.Number(0, 64)
	truth := func(t *term.Term) *term.Term { return p.ZExt(t, 64) }
	switch op {
	case "||":
		return truth(p.Or(p.Ne(x, zero), p.Ne(y, zero)))
	case "&&":
		return truth(p.And(p.Ne(x, zero), p.Ne(y, zero)))
	case "|":
		return p.Or(x, y)
	case "^":
		return p.Xor(x, y)
	case "&":
		return p.And(x, y)
	case "==":
		return truth(p.Eq(x, y))
	case "!=":
		return truth(p.Ne(x, y))
	case "<":
		return truth(p.Slt(x, y))
	case ">":
		return truth(p.Slt(y, x))
	case "<=":
		return truth(p.Sle(x, y))
	case ">=":
		return truth(p.Sle(y, x))
	case "<<":
		return p.Shl(x, p.And(y, p.Number(63, 64)))
	case ">>":
		return p.AShr(x, p.And(y, p.Number(63, 64)))
	case "+":
		return p.Add(x, y)
	case "-":
		return p.Sub(x, y)
	case "*":
		return p.Mul(x, y)
	case "/":
		return p.Divide(term.SDiv, x, y)
	}
	return p.Divide(term.SRem, x, y)
}

// Allows says that arguments are among those that are assumed.
func (f *Function) Allows(args []int64) bool {
	begin := f.atBeginning()
	return begin.IsTrue() || term.Evaluate(arguments{f, args}).Of(begin) == 1
}

// arguments are a state in which a function is called.
type arguments struct {
	f    *Function
	args []int64
}

func (a arguments) Var(t *term.Term) uint64 {
	for k := range a.args {
		if a.f.Param(k) == t {
			return uint64(a.args[k])
		}
	}
	return 0
}

func (a arguments) App(*term.Term, []uint64) uint64 { return 0 }
