package constraint

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
)

// function is what the original computes, as terms, and what leads to its blocks.
//
// A local variable of which nobody has the address is known, at each place, by the one
// assignment that reaches it, whose value it has, or by the join of several: its value when
// control last came to that block. What memory holds and what calls return is known by the
// item that read it. Both are the same in a condition and behind it, as long as control does not
// pass the assignment, the join or the item again, and where it does, it comes to the condition
// again before it comes to what that dominates.
type function struct {
	code  *op.Function
	graph *cfg.Graph
	dom   *dominance.Tree
	*terms
	// locals are the variables, by the item that allocates them.
	locals map[int]local
	items  []int // of locals, in order
	// variables are what the source calls them.
	variables map[value.Value]string
	// before are the variables' values at each block's start, values those of items.
	before [][]term
	values []term
	paths  map[int]*path
	// assumed is what the user takes for granted.
	assumed []constraint
	// scratch counts what changed code computes.
	scratch int64
}

type local struct {
	number int
	typ    op.Type
	name   string
}

// path is what holds whenever control is in a block.
type path struct{ facts []constraint }

func newFunction(code *op.Function) *function {
	g := cfg.New(code.Code.Func)
	f := &function{code: code, graph: g, dom: dominance.Dominators(g), terms: newTerms(),
		values: make([]term, len(code.Ops)), before: make([][]term, g.Len()), paths: map[int]*path{}}
	f.findLocals()
	f.follow()
	return f
}

// findLocals takes variables that are numbers or addresses and only read and assigned whole.
func (f *function) findLocals() {
	f.locals = map[int]local{}
	f.variables = ir.Variables(f.code.Code.Func)
	for i := range f.code.Ops {
		o := &f.code.Ops[i]
		if o.Code != op.Alloca || o.Content.Class == op.None || o.Content.Class == op.Bytes || o.Content.Bits > 64 || len(o.Args) > 0 {
			continue
		}
		only := !slices.ContainsFunc(f.code.Code.Users[i], func(user int) bool { return !f.accesses(user, i, o.Content) })
		if only {
			name := ""
			if variable, ok := o.Node.(*llir.InstAlloca); ok {
				name = f.variables[variable]
			}
			f.locals[i] = local{len(f.locals), o.Content, name}
			f.items = append(f.items, i)
		}
	}
}

// accesses tells whether an item does no more with a variable than to read or assign it whole.
func (f *function) accesses(user, variable int, whole op.Type) bool {
	o := &f.code.Ops[user]
	at := func(a op.Operand) bool { return a.Kind == op.Item && a.X == int64(variable) }
	switch o.Code {
	case op.Load:
		return at(o.Args[0]) && o.Type == whole && !isVolatile(o)
	case op.Store:
		return at(o.Args[0]) && !at(o.Args[1]) && o.Type == whole && !isVolatile(o)
	}
	return o.Code == op.Skip
}

func isVolatile(o *op.Op) bool {
	switch i := o.Node.(type) {
	case *llir.InstLoad:
		return i.Volatile || i.Atomic
	case *llir.InstStore:
		return i.Volatile || i.Atomic
	}
	return false
}

// follow gives terms to all items, block by block.
func (f *function) follow() {
	order := f.graph.ReversePostorder()
	after := make([][]term, f.graph.Len())
	place := make([]int, f.graph.Len())
	for k := range place {
		place[k] = len(order) // not reached
	}
	for k, b := range order {
		place[b] = k
	}
	for k, b := range order {
		f.before[b] = f.join(b, after, func(pred int) bool { return place[pred] < k })
		state := slices.Clone(f.before[b])
		for i := f.code.Code.First[b]; i < f.code.Code.First[b+1]; i++ {
			f.values[i] = f.compute(&f.code.Ops[i], state, f.ofItem, int64(i), isItem)
		}
		after[b] = state
	}
}

// join is what the variables are at the start of a block: what all predecessors leave, or a
// value of their own. One that control may come from again has not been followed, and
// leaves what was there before unless the variable is assigned on the way.
func (f *function) join(block int, after [][]term, followed func(pred int) bool) []term {
	state := make([]term, len(f.locals))
	own := func(v local) term {
		return f.leaf(isJoin, term(v.number), int64(block), uint(v.typ.Bits), v.name)
	}
	var assigned map[int]bool
	back, inside := false, true
	for _, p := range f.graph.Preds[block] {
		if !followed(p) {
			back = true
			inside = inside && f.dom.Has(block, p)
		}
	}
	if back {
		assigned = f.assignedInCycles(block)
	}
	for _, item := range f.items {
		v := f.locals[item]
		first, differ := term(-1), false
		for _, p := range f.graph.Preds[block] {
			if !followed(p) {
				continue
			}
			x := after[p][v.number]
			differ = differ || first >= 0 && x != first
			first = x
		}
		if first < 0 || differ || back && (!inside || assigned[item]) {
			first = own(v)
		}
		state[v.number] = first
	}
	return state
}

// assignedInCycles are the variables that are assigned between a block and the block again.
func (f *function) assignedInCycles(block int) map[int]bool {
	reach := func(next [][]int) []bool {
		seen := make([]bool, f.graph.Len())
		todo := []int{block}
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, n := range next[b] {
				if !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
		return seen
	}
	forth, back := reach(f.graph.Succs), reach(f.graph.Preds)
	out := map[int]bool{}
	for item := range f.locals {
		for _, user := range f.code.Code.Users[item] {
			b := f.code.Code.Items[user].Block
			if f.code.Ops[user].Code == op.Store && forth[b] && back[b] {
				out[item] = true
			}
		}
	}
	return out
}

// ofItem is an operand of the function's own code.
func (f *function) ofItem(a op.Operand) term {
	width := uint(a.Type.Bits)
	switch {
	case a.Kind == op.Number && a.Type.Class != op.Bytes && width <= 64:
		return f.number(a.X, width)
	case a.Kind == op.Item:
		return f.values[a.X]
	case a.Kind == op.Param:
		name := ""
		if p := f.code.Code.Func.Params[a.X]; p.Name() != "" {
			name = p.Name()
		}
		return f.leaf(isParam, 0, a.X, width, name)
	}
	return f.unknown(width)
}

// unknown is a value of which nothing is known, not even that it is the same elsewhere.
func (f *function) unknown(width uint) term {
	f.scratch++
	return f.leaf(isScratch, 0, f.scratch, min(width, 255), "")
}

// compute is what an operation computes from a state of the variables, which an assignment
// changes.
func (f *function) compute(o *op.Op, state []term, of func(op.Operand) term, k int64, kind leaf) term {
	width := uint(o.Type.Bits)
	switch {
	case o.Code == op.Load || o.Code == op.Store:
		v, ok := f.localAt(o.Args[0])
		switch {
		case ok && o.Code == op.Load && o.Type == v.typ:
			return state[v.number]
		case ok && o.Code == op.Store && o.Type == v.typ:
			state[v.number] = of(o.Args[1])
		case ok && o.Code == op.Store:
			state[v.number] = f.unknown(uint(v.typ.Bits))
		}
	case o.Code.IsBinaryInt() && o.Type.Width() > 0:
		return f.binary(o.Code, of(o.Args[0]), of(o.Args[1]), width)
	case (o.Code == op.SExt || o.Code == op.ZExt || o.Code == op.Trunc) && o.Type.Width() > 0 && o.Args[0].Type.Width() > 0:
		return f.convert(o.Code, of(o.Args[0]), width)
	case o.Code == op.CompareInts && o.Args[0].Type.Bits <= 64:
		rel, unsigned := relationOf(o.Pred)
		return f.compare(of(o.Args[0]), of(o.Args[1]), rel, unsigned || o.Args[0].Type.Class == op.Pointer)
	case o.Code == op.Address:
		return f.address(o, of)
	case o.Code == op.Select && width <= 64 && o.Type.Class != op.Bytes:
		a, b, c := of(o.Args[0]), of(o.Args[1]), of(o.Args[2])
		if b == c {
			return b
		}
		return f.add(form{code: op.Select, a: a, b: b, c: c, width: uint8(width)})
	}
	return f.leaf(kind, 0, k, min(width, 255), f.nameOf(o))
}

// address is a place from another: by the same steps from the same place it is the same, wherever it is computed.
func (f *function) address(o *op.Op, of func(op.Operand) term) term {
	at := of(o.Args[0])
	step := func(by term, times int64) {
		at = f.add(form{code: op.Address, a: at, b: by, c: f.number(times, 64), width: 64})
	}
	for k, a := range o.Args[1:] {
		step(of(a), o.Scales[k])
	}
	if o.Offset != 0 {
		step(f.number(o.Offset, 64), 1)
	}
	if f.forms[at].code == op.Address && f.names[at] == "" {
		f.names[at] = f.nameOf(o)
	}
	return at
}

// nameOf is what the source calls what an operation gives, as far as one word says it.
func (f *function) nameOf(o *op.Op) string {
	switch {
	case o.Code == op.Call && o.Callee != nil:
		return o.Callee.Name() + "(…)"
	case o.Code == op.Load && o.Args[0].Kind == op.Symbol && o.Args[0].X == 0:
		if named, ok := o.Args[0].Of.(value.Named); ok {
			return named.Name()
		}
	}
	if o.Code == op.Load {
		switch array := f.code.ArrayAt(o.Args[0]).(type) {
		case *llir.InstAlloca:
			if name := f.variables[array]; name != "" {
				return name + "[…]"
			}
		case value.Named:
			return array.Name() + "[…]"
		}
	}
	if line := ir.PositionOf(o.Node).Line; line > 0 {
		return fmt.Sprintf("[a value of line %d]", line)
	}
	return ""
}

func (f *function) localAt(a op.Operand) (local, bool) {
	if a.Kind != op.Item {
		return local{}, false
	}
	v, ok := f.locals[int(a.X)]
	return v, ok
}

func relationOf(p enum.IPred) (rel relation, unsigned bool) {
	switch p {
	case enum.IPredEQ:
		return equal, false
	case enum.IPredNE:
		return less | greater, false
	case enum.IPredSLT, enum.IPredULT:
		rel = less
	case enum.IPredSLE, enum.IPredULE:
		rel = less | equal
	case enum.IPredSGT, enum.IPredUGT:
		rel = greater
	default:
		rel = greater | equal
	}
	return rel, p == enum.IPredULT || p == enum.IPredULE || p == enum.IPredUGT || p == enum.IPredUGE
}

// stateAt are the variables before an item.
func (f *function) stateAt(item int) []term {
	b := f.code.Code.Items[item].Block
	if f.before[b] == nil {
		return make([]term, len(f.locals)) // no edge leads there
	}
	state := slices.Clone(f.before[b])
	for i := f.code.Code.First[b]; i < item; i++ {
		if o := &f.code.Ops[i]; o.Code == op.Store {
			if v, ok := f.localAt(o.Args[0]); ok {
				state[v.number] = f.ofItem(o.Args[1])
			}
		}
	}
	return state
}

// path collects the conditions of the edges that dominate a block.
func (f *function) path(block int) *path {
	if p := f.paths[block]; p != nil {
		return p
	}
	p := &path{}
	f.paths[block] = p
	if block == 0 {
		p.facts = f.assumed
		return p
	}
	if f.dom.Immediate[block] == dominance.None {
		p.facts = []constraint{{rel: never}}
		return p
	}
	p.facts = slices.Clone(f.path(f.dom.Immediate[block]).facts)
	// Control comes from one block alone, other than from behind this one.
	from := -1
	for _, pred := range f.graph.Preds[block] {
		switch {
		case f.dom.Has(block, pred) || f.dom.Immediate[pred] == dominance.None && pred != 0:
		case from >= 0:
			return p
		default:
			from = pred
		}
	}
	if from >= 0 {
		p.facts = append(p.facts, f.taken(from, block)...)
	}
	return p
}

// taken is what holds where control goes from one block to another.
func (f *function) taken(from, to int) (out []constraint) {
	end := f.code.Code.Terminator(from)
	o := &f.code.Ops[end]
	line := ir.PositionOf(o.Node).Line
	switch {
	case o.Code == op.Branch && o.Targets[0] != o.Targets[1]:
		holds := o.Targets[0] == to
		switch clauses := f.truth(f.ofItem(o.Args[0]), holds); len(clauses) {
		case 0:
			out = append(out, constraint{rel: never})
		case 1: // of more, none need hold
			out = append(out, clauses[0]...)
		}
	case o.Code == op.Switch:
		x := f.ofItem(o.Args[0])
		last := len(o.Targets) - 1
		cases := 0
		for k, target := range o.Targets {
			if target == to {
				cases++
				if k < last && cases == 1 && o.Targets[last] != to {
					out = append(out[:0], f.constraint(x, f.ofItem(o.Args[k+1]), equal, false))
				}
			}
		}
		switch {
		case o.Targets[last] == to && cases == 1:
			for k := range last {
				out = append(out, f.constraint(x, f.ofItem(o.Args[k+1]), less|greater, false))
			}
		case cases > 1 || o.Targets[last] == to:
			out = nil
		}
	}
	for k := range out {
		out[k].line = line
	}
	return out
}

func (f *function) textOf(c *constraint) string {
	text := "the condition"
	switch {
	case c.rel == never && c.a == c.b:
	case f.width(c.a) == 1 && f.forms[c.b].leaf == isNumber:
		text = f.text(c.a) + " being " + map[bool]string{true: "true", false: "false"}[c.rel != equal]
	default:
		text = fmt.Sprintf("%s %s %s", f.compared(c.a, c.unsigned), c.rel, f.compared(c.b, c.unsigned))
	}
	if c.assumed {
		text += " (taken for granted)"
	}
	if c.line > 0 {
		text += fmt.Sprintf(" (line %d)", c.line)
	}
	return text
}
