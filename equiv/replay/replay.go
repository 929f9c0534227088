// Package replay runs calls of a function, or a program on an input, to see whether they tell a
// mutant from the original: what a solver says that two versions do is believed when the
// interpreter (analysis/concrete) has done it.
//
// It looks for them, too. Inputs are those that a program is likely to be given, varied as fuzzers do that
// are guided by coverage. ObjectCalls are calls of a function by its C types (ctype), as debug
// information has them: a situation is its arguments with the objects that they lead to, and those in which it
// comes to new blocks are varied in turn. What tells a mutant is made simple and said in words
// (sentence.go), and as a unit test (unittest.go).
package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Calls are calls of a function that depends on its arguments alone, and what the original makes
// of them.
type Calls struct {
	name  string
	ops   *op.Function
	code  *concrete.Code
	path  concrete.Path
	calls []call
	// allows says which arguments a call may have.
	allows func(args []int64) bool
}

// call is one of the function, with what the original comes to.
type call struct {
	args []int64
	was  end
}

// end is what a call comes to.
type end struct {
	returned, trapped bool
	value             int64
}

// replaySteps bounds a call. One that takes more is not compared.
const replaySteps = 4_000

// CallsOf makes ready a function that depends on its arguments alone: integers, without
// memory outside, floating-point numbers, and calls but of functions that have none of these either. It is nil for
// others. No calls are made but those that are allowed.
func CallsOf(f *llir.Func, code *op.Function, allows func(args []int64) bool) *Calls {
	if _, ok := f.Sig.RetType.(*types.IntType); !ok || f.Sig.Variadic {
		return nil
	}
	for _, p := range f.Params {
		if t, ok := p.Type().(*types.IntType); !ok || t.BitSize > 64 {
			return nil
		}
	}
	module := &op.Module{}
	if !computes(module, code, nil) {
		return nil
	}
	r := &Calls{name: f.Name(), ops: code, code: concrete.Of(f, module), allows: allows}
	for k := range firstCalls {
		r.add(r.drawn(k))
	}
	for k, x := range r.limits() {
		args := r.drawn(k)
		at := k % max(len(args), 1)
		if len(args) > 0 {
			args[at] = op.Wrap(x, uint(f.Params[at].Type().(*types.IntType).BitSize))
			r.add(args)
		}
	}
	return r
}

// deepestCalls bounds calls in calls.
const deepestCalls = 4

// computes says that a function with its callees depends on arguments alone. None calls itself: a change would be of
// each call.
func computes(module *op.Module, code *op.Function, callers []*llir.Func) bool {
	callers = append(callers, code.Code.Func)
	for i := range code.Ops {
		o := &code.Ops[i]
		if o.Type.Class == op.Float || o.Code == op.Other {
			return false
		}
		args := o.Args
		if o.Code == op.Call {
			if o.Callee == nil || len(o.Callee.Blocks) == 0 || o.Callee.Sig.Variadic || slices.Contains(callers, o.Callee) || len(callers) > deepestCalls ||
				!computes(module, module.Function(o.Callee), callers) {
				return false
			}
			args = args[1:]
		}
		if slices.ContainsFunc(args, func(a op.Operand) bool { return a.Kind == op.Symbol }) {
			return false
		}
	}
	return true
}

// mostLimits bounds the numbers that limits gives: each costs a run a mutant.
const mostLimits = 120

// limits are the numbers at which a function's cases begin and end, mostly: its constants and the
// sums of two, and what is next to them, small ones first.
func (r *Calls) limits() []int64 {
	var constants []int64
	for i := range r.ops.Ops {
		for _, a := range r.ops.Ops[i].Args {
			if a.IsNumber() && a.X > -1<<30 && a.X < 1<<30 && !slices.Contains(constants, a.X) {
				constants = append(constants, a.X)
			}
		}
	}
	if len(constants) > 16 {
		constants = constants[:16]
	}
	near := map[int64]bool{}
	for _, x := range constants {
		for _, y := range append(constants, 0) {
			for z := x + y - 1; z <= x+y+1; z++ {
				near[z] = true
			}
		}
	}
	out := slices.SortedFunc(maps.Keys(near), func(a, b int64) int { return cmp.Or(cmp.Compare(max(a, -a), max(b, -b)), cmp.Compare(a, b)) })
	return out[:min(len(out), mostLimits)]
}

// firstCalls is how many calls are tried on every mutant to begin with.
const firstCalls = 40

// drawn are arguments: small ones, in many relations to each other.
func (r *Calls) drawn(k int) []int64 {
	out := make([]int64, len(r.ops.Code.Func.Params))
	for i, p := range r.ops.Code.Func.Params {
		x := int64((k*(2*i+7)+k*k*(i+1)/3)%11) - 3
		switch k % 8 {
		case 7:
			x *= 1 + int64(k*(i+3))
		case 5:
			x += 4 // all above 0
		case 3:
			x -= 8 // all below
		}
		out[i] = op.Wrap(x, uint(p.Type().(*types.IntType).BitSize))
	}
	return out
}

func (r *Calls) add(args []int64) {
	if !r.allows(args) {
		return
	}
	was := r.run(nil, args)
	if was.returned || was.trapped {
		r.calls = append(r.calls, call{args, was})
	}
}

func (r *Calls) run(c *concrete.Change, args []int64) end {
	r.code.AlongArguments(&r.path, args, c, replaySteps)
	out := end{returned: r.path.Returned, trapped: r.path.Trapped}
	if r.path.Guessed {
		return end{}
	}
	if out.returned {
		out.value = r.path.Value()
	}
	return out
}

// Telling is a call that tells a mutant from the original, as a sentence; "" for none. Near the
// limits of its type is an argument that cannot be had smaller: what differs is mostly what runs
// over, which C leaves undefined for numbers with a sign.
type Telling struct {
	Call string
	Near bool
}

// Tell is a call that tells a mutant from the original. The arguments of a model, if there is
// one, are tried last, and on all mutants to come.
func (r *Calls) Tell(change *execute.Change, model []int64) Telling {
	c := r.change(change)
	if c == nil {
		return Telling{}
	}
	if model != nil {
		r.add(model)
	}
	for k := range r.calls {
		if _, told := r.differs(c, r.calls[k]); told {
			best := r.simpler(c, r.calls[k])
			return Telling{r.told(c, best), r.nearLimits(best.args)}
		}
	}
	return Telling{}
}

func (r *Calls) nearLimits(args []int64) bool {
	for k, x := range args {
		if width := r.ops.Code.Func.Params[k].Type().(*types.IntType).BitSize; width >= 32 && (x>>(width-2) != 0 && x>>(width-2) != -1) {
			return true
		}
	}
	return false
}

// differs is what a mutant comes to, and whether that tells it.
func (r *Calls) differs(c *concrete.Change, one call) (end, bool) {
	is := r.run(c, one.args)
	return is, (is.returned || is.trapped) && is != one.was
}

// simpler is a call that tells a mutant with arguments closer to 0, since people read it: each
// argument in turn as small as bisection finds it, the others staying.
func (r *Calls) simpler(c *concrete.Change, best call) call {
	tells := func(at int, x int64) bool {
		one := call{args: slices.Clone(best.args)}
		if one.args[at] = x; !r.allows(one.args) {
			return false
		}
		one.was = r.run(nil, one.args)
		if !one.was.returned && !one.was.trapped {
			return false
		}
		if _, told := r.differs(c, one); !told {
			return false
		}
		best = one
		return true
	}
	for at := range best.args {
		near, far := int64(0), best.args[at]
		if far == 0 || tells(at, 0) {
			continue
		}
		for {
			middle := near/2 + far/2 + (near%2+far%2)/2
			if middle == near || middle == far {
				break
			}
			if tells(at, middle) {
				far = middle
			} else {
				near = middle
			}
		}
	}
	return best
}

// told says what a call comes to, of the original and of a mutant.
func (r *Calls) told(c *concrete.Change, one call) string {
	is := r.run(c, one.args)
	if is.returned && one.was.returned {
		return fmt.Sprintf("%s(%s) returns %d, the mutant %d", r.name, r.arguments(one.args), one.was.value, is.value)
	}
	return fmt.Sprintf("%s(%s) %s, the mutant %s", r.name, r.arguments(one.args), one.was, is)
}

func (r *Calls) change(c *execute.Change) *concrete.Change {
	for i := range c.Code.Ops {
		if c.Code.Ops[i].Code == op.Call {
			return nil
		}
		for _, a := range c.Code.Ops[i].Args {
			if a.Kind == op.Symbol {
				return nil
			}
		}
	}
	scratch, ok := r.code.Scratch(c.Code, c.Value, r.ops.Code.Items[c.At].Block)
	if !ok {
		return nil
	}
	return &concrete.Change{In: r.code, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
}

func (r *Calls) arguments(args []int64) string {
	out := make([]string, len(args))
	for k, x := range args {
		out[k] = fmt.Sprint(x)
		if name := r.ops.Code.Func.Params[k].Name(); name != "" {
			out[k] = strings.TrimSuffix(name, ".coerce") + " = " + out[k]
		}
	}
	return strings.Join(out, ", ")
}

func (e end) String() string {
	if e.trapped {
		return "crashes"
	}
	return fmt.Sprintf("returns %d", e.value)
}
