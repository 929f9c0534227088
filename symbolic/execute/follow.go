package execute

import (
	"errors"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// What is followed of calls: functions of so many operations, and calls in calls so deep.
const (
	mostFollowed    = 120
	deepestFollowed = 3
)

// FollowCalls makes runs follow calls of small functions of the program that have no loops: what they do is no
// event then. It tells more, and takes more time.
func (f *Function) FollowCalls() { f.follows = true }

// follow is a call of a function of the program that is followed into: its terms take the place of an event.
// False says that it is not followed.
func (r *run) follow(o *op.Op, args []*term.Term) (value *term.Term, followed bool, err error) {
	callee := r.f.calleeOf(o, args)
	if callee == nil {
		return nil, false, nil
	}
	start := callee.state("the start of " + callee.within)
	start.Memory, start.Trace, start.Trapped, start.Assumed = r.state.Memory, r.state.Trace, r.state.Trapped, r.state.Assumed
	in := &run{f: callee, p: r.p, args: args[1:]}
	outcomes, err := in.from(0, start)
	if unsupported := (Unsupported{}); errors.As(err, &unsupported) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	before := r.when
	r.when = r.p.Truth(false)
	if o.Type.Class != op.None {
		value = r.p.Number(0, uint8(o.Type.Bits)) // of a call that never returns
	}
	for _, out := range outcomes { // it returns in one, and ends the program in another
		out.When, out.State.Locals = r.p.And(before, out.When), r.state.Locals
		if out.Kind == Ends {
			r.leave(out)
			continue
		}
		r.when, r.state = out.When, out.State
		if out.Value != nil {
			value = out.Value
		}
	}
	return value, true, nil
}

// calleeOf is the function that a call is followed into; nil where it is not. It has no loops, its
// variables are its own, and nothing else can be in its place when the program is linked.
func (f *Function) calleeOf(o *op.Op, args []*term.Term) *Function {
	if !f.follows || o.Callee == nil || len(o.Callee.Blocks) == 0 || len(args)-1 != len(o.Callee.Params) {
		return nil
	}
	for _, b := range o.ByValue {
		if b != 0 {
			return nil
		}
	}
	callee, known := f.callees[o.Callee]
	if !known {
		callee = f.calleeFor(o.Callee)
		if f.callees == nil {
			f.callees = map[*llir.Func]*Function{}
		}
		f.callees[o.Callee] = callee
	}
	if callee == nil {
		return nil
	}
	for k, a := range args[1:] {
		if a.Width != callee.paramWidth(k) {
			return nil
		}
	}
	return callee
}

func (f *Function) calleeFor(g *llir.Func) *Function {
	switch g.Linkage {
	case enum.LinkageNone, enum.LinkageExternal, enum.LinkageInternal, enum.LinkagePrivate:
	default: // another definition may take its place
		return nil
	}
	depth := 0
	for at := f; at != nil; at = at.caller {
		if depth++; at.code.Code.Func == g {
			return nil
		}
	}
	if depth > deepestFollowed || g.Sig.Variadic {
		return nil
	}
	code := op.Lower(defuse.Of(g))
	if len(code.Ops) > mostFollowed {
		return nil
	}
	out := &Function{Pool: f.Pool, code: code, caller: f, follows: true, within: f.within + g.Name() + ":", limit: f.limit, globals: f.globals, readings: f.readings}
	if out.prepare(nil); len(out.Cuts()) > 0 {
		return nil
	}
	for _, l := range out.locals {
		if l.place == inMemory {
			return nil
		}
	}
	for i := range code.Ops {
		if _, known := out.localOf[i]; code.Ops[i].Code == op.Alloca && !known {
			return nil
		}
	}
	return out
}

// variable is the variable whose address a term is, of this function or of one that called it.
func (f *Function) variable(t *term.Term) (of *Function, number int, ok bool) {
	if t.Op != term.Var || t.Width != 64 || t.Name[0] != '&' {
		return nil, 0, false
	}
	for of = f; of != nil; of = of.caller {
		if rest, is := strings.CutPrefix(t.Name[1:], of.within); is {
			if n, err := strconv.Atoi(rest); err == nil {
				return of, n, true
			}
		}
	}
	return nil, 0, false
}
