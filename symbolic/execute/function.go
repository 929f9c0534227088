package execute

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/metadata"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Function is a function, and changes of it, made ready for symbolic execution.
type Function struct {
	Pool *term.Pool

	code   *op.Function
	blocks int
	// order has the blocks so that every edge that does not lead to a cut leads on.
	order []int
	cuts  []bool
	// locals are the variables; localOf has their numbers by the item that allocates them.
	locals  []local
	localOf map[int]int
	// carried are the variables that hold the results of items that other blocks use, by item.
	carried map[int]int
	// origins are the variables that addresses are computed from, by item, and by operation
	// of each change; -1 for others.
	origins  []int
	ofChange map[*Change][]int
	limit    int
	// last says that nobody looks into memory when the function has returned.
	last bool
	// globals are the variables outside of functions that are defined here.
	globals map[string]*llir.Global
	// declared are the variables' declarations, once they were wanted.
	declared map[*llir.InstAlloca]*metadata.DILocalVariable
	assumed  assumptions
	// caller is the function that this one is followed from, nil for none, and within begins what its variables
	// are called: the functions that were followed.
	caller *Function
	within string
	// follows says that calls are followed, callees into which functions; nil of those that are not.
	follows bool
	callees map[*llir.Func]*Function
	// readings are the calls that read the standard input, by the trace with them as the last.
	readings map[*term.Term]*reading
}

// local is a variable of the function.
type local struct {
	item  int
	bytes int64
	place place
}

// place is where a variable is kept.
type place uint8

const (
	inMemory place = iota // with all else: its address is given away
	asObject              // as a memory of its own
	asScalar              // as a vector
)

// mostTerms bounds the terms of a function and its mutants.
const mostTerms = 1_500_000

// Prepare makes a function ready, with all changes that it will be run with: what any of
// them does with a variable's address counts.
func Prepare(p *term.Pool, code *op.Function, changes []*Change) (*Function, error) {
	f := &Function{Pool: p, code: code, readings: map[*term.Term]*reading{}, limit: p.Len() + mostTerms,
		last: endsTheProgram(code.Code.Func), globals: globalsOf(code.Code.Func.Parent)}
	f.prepare(changes)
	return f, nil
}

func (f *Function) prepare(changes []*Change) {
	code := f.code
	f.blocks, f.localOf, f.carried, f.ofChange = len(code.Code.Func.Blocks), map[int]int{}, map[int]int{}, map[*Change][]int{}
	for i := range code.Ops {
		o := &code.Ops[i]
		if o.Code != op.Alloca {
			continue
		}
		if o.Bytes <= 0 || code.Code.Items[i].Block != 0 {
			continue // made anew whenever control comes there (allocate)
		}
		f.localOf[i] = len(f.locals)
		kept := asScalar
		if o.Bytes > 8 {
			kept = asObject
		}
		f.locals = append(f.locals, local{item: i, bytes: o.Bytes, place: kept})
	}
	f.placeLocals(changes)
	f.carry(changes)
	f.cut(changes)
}

// carry makes variables of the items that other blocks than their own use, such as the address
// and the sizes of an array of variable length: a region may begin between the two.
func (f *Function) carry(changes []*Change) {
	items := f.code.Code.Items
	use := func(o *op.Op, block int) {
		for _, a := range o.Args {
			if a.Kind != op.Item || items[a.X].Block == block {
				continue
			}
			item := int(a.X)
			_, variable := f.localOf[item]
			_, known := f.carried[item]
			if width, err := widthOf(f.code.Ops[item].Type); variable || known || err != nil || width%8 != 0 {
				continue
			}
			f.carried[item] = len(f.locals)
			f.locals = append(f.locals, local{item: item, bytes: int64(f.code.Ops[item].Type.Bits / 8), place: asScalar})
		}
	}
	for i := range f.code.Ops {
		use(&f.code.Ops[i], items[i].Block)
	}
	for _, c := range changes {
		for k := range c.Code.Ops {
			use(&c.Code.Ops[k], items[c.At].Block)
		}
	}
}

// Param is a parameter.
func (f *Function) Param(k int) *term.Term {
	return f.Pool.Var(fmt.Sprintf("parameter %d", k), f.paramWidth(k))
}

func (f *Function) paramWidth(k int) uint8 {
	w, err := widthOf(op.TypeOf(f.code.Code.Func.Params[k].Type()))
	if err != nil {
		return 64
	}
	return w
}

// base is the address of the variable that an item allocates.
func (f *Function) base(item int) *term.Term {
	return f.Pool.Object(fmt.Sprintf("&%s%d", f.within, f.localOf[item]))
}

// Entry is the state in which the function begins.
func (f *Function) Entry() State {
	s := f.state("begin")
	s.Assumed = f.atBeginning()
	return s
}

// At is any state at a cut in which the scalars that are natural are not negative.
func (f *Function) At(cut int, natural ...int) State {
	s := f.state(fmt.Sprintf("block %d", cut))
	s.Assumed = f.atBeginning() // arguments are what they were
	for _, k := range natural {
		width := s.Locals[k].Width
		s.Locals[k] = f.Pool.ZExt(f.Pool.Var(fmt.Sprintf("natural local %d at block %d", k, cut), width-1), width)
	}
	return s
}

func (f *Function) state(where string) State {
	s := State{Locals: make([]*term.Term, len(f.locals)), Memory: f.Pool.Var("memory at "+where, term.Memory),
		Trace: f.Pool.Var("trace at "+where, term.Trace), Trapped: f.Pool.Truth(false), Assumed: f.Pool.Truth(true)}
	for k := range s.Locals {
		name := fmt.Sprintf("local %d at %s", k, where)
		switch l := f.locals[k]; l.place {
		case asScalar:
			s.Locals[k] = f.Pool.Var(name, uint8(8*l.bytes))
		case asObject:
			s.Locals[k] = f.Pool.Var(name, term.Memory)
		default:
			s.Locals[k] = f.Pool.Truth(false) // nothing is kept here
		}
	}
	return s
}

// Cuts are the blocks at which the function is cut.
func (f *Function) Cuts() []int {
	var out []int
	for b, is := range f.cuts {
		if is {
			out = append(out, b)
		}
	}
	return out
}

// targets are the blocks that control may go to from one, with any change.
func (f *Function) targets(b int, changes []*Change) []int {
	end := f.code.Code.Terminator(b)
	out := append([]int(nil), f.code.Ops[end].Targets...)
	for _, c := range changes {
		if c.Leaves && f.code.Code.Items[c.At].Block == b {
			out = append(out, c.Code.Ops[len(c.Code.Ops)-1].Targets...)
		}
	}
	return out
}

// cut finds the cuts, one on every cycle, and an order of the blocks.
func (f *Function) cut(changes []*Change) {
	f.cuts = make([]bool, f.blocks)
	seen, inside := make([]bool, f.blocks), make([]bool, f.blocks)
	type visit struct {
		block   int
		targets []int
	}
	var stack []visit
	var done []int
	enter := func(b int) {
		seen[b], inside[b] = true, true
		stack = append(stack, visit{b, f.targets(b, changes)})
	}
	enter(0)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.targets) == 0 {
			inside[top.block] = false
			done = append(done, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.targets[0]
		top.targets = top.targets[1:]
		switch {
		case next >= f.blocks:
		case inside[next]:
			f.cuts[next] = true
		case !seen[next]:
			enter(next)
		}
	}
	for k := len(done) - 1; k >= 0; k-- {
		f.order = append(f.order, done[k])
	}
}

// placeLocals finds out where variables are kept: what is done with the addresses that
// are computed from each decides.
func (f *Function) placeLocals(changes []*Change) {
	type user struct {
		ops  []op.Op
		kind op.Kind
	}
	users := []user{{f.code.Ops, op.Item}}
	for _, c := range changes {
		users = append(users, user{c.Code.Ops, op.Scratch})
	}
	// of is the variable that an address is computed from, by user and operation.
	of := make([][]int, len(users))
	for k, u := range users {
		of[k] = make([]int, len(u.ops))
		for i := range u.ops {
			of[k][i] = -1
			if n, ok := f.localOf[i]; ok && k == 0 {
				of[k][i] = n
			}
		}
	}
	find := func(k int, a op.Operand) int {
		switch {
		case a.Kind == op.Item:
			return of[0][a.X]
		case a.Kind == op.Scratch && k > 0:
			return of[k][a.X]
		}
		return -1
	}
	for k, u := range users {
		for i := range u.ops {
			o := &u.ops[i]
			for n, a := range o.Args {
				v := find(k, a)
				if v < 0 {
					continue
				}
				f.use(v, o, n, a)
				if n == 0 && passesOn(o) {
					of[k][i] = v
				}
			}
		}
	}
	f.origins = of[0]
	for n, c := range changes {
		f.ofChange[c] = of[n+1]
		if c.ResultOf < 0 {
			continue
		}
		was, is := of[0][c.ResultOf], find(n+1, c.Result)
		if is >= 0 && was != is { // the result's users did not count for it
			f.locals[is].place = inMemory
		}
	}
}

// passesOn reports what computes an address from another.
func passesOn(o *op.Op) bool {
	return o.Code == op.Address || o.Code == op.BitCast && o.Type.Class == op.Pointer
}

// use notes one use of an address that is computed from a variable's.
func (f *Function) use(v int, o *op.Op, n int, a op.Operand) {
	l := &f.locals[v]
	atStart := a.Kind == op.Item && int(a.X) == l.item
	switch {
	case n == 0 && (o.Code == op.Load || o.Code == op.Store):
		if l.place == asScalar && (!atStart || o.Type.Size() != l.bytes || l.bytes > 8) {
			l.place = asObject
		}
	case n == 0 && passesOn(o), o.Code == op.Skip:
		if l.place == asScalar && o.Code != op.Skip {
			l.place = asObject
		}
	case o.Code == op.Call && copied(o) > 0 && (n == 1 || n == 2):
		if l.place == asScalar {
			l.place = asObject
		}
	case scansInto(o, n):
		of, _ := scansOf(o)
		c := of[n-1-o.Library.Format]
		if l.place == asScalar && (!atStart || c.text || int64(c.bytes) != l.bytes) {
			l.place = asObject
		}
	case pointsOnly(o, n):
		if l.place == asScalar {
			l.place = asObject
		}
	case o.Code == op.Call && isMarker(o):
		if l.place == asScalar {
			l.place = asObject
		}
	default:
		l.place = inMemory
	}
}

// scansInto says that an argument of a call is where scanf puts what it reads.
func scansInto(o *op.Op, n int) bool {
	_, ok := scansOf(o)
	return ok && n > o.Library.Format
}

// pointsOnly says that a call of the library reads or writes what an argument points to, as far as
// the variable reaches that it points into, and keeps nothing of it.
func pointsOnly(o *op.Op, n int) bool {
	if o.Code != op.Call || n == 0 || o.Library == nil || o.Library.Arguments == "" || o.Library.Has(libc.Scans) || isMarker(o) || copied(o) > 0 {
		return false
	}
	if f := o.Library.Format; f > 0 { // %n writes to an argument
		if f >= len(o.Args) {
			return false
		}
		format, known := textAt(o.Args[f])
		if letters, ok := lettersOf(format); !known || !ok || strings.Contains(letters, "n") {
			return false
		}
	}
	return o.Library.Argument(n-1) != 'k'
}

// NameOf is what the source calls a variable, by its number in State.Locals, with a cast to a
// type with a sign where it has none.
func (f *Function) NameOf(local int) string {
	name := f.nameOf(local)
	if name == "" {
		return "a size"
	}
	for _, v := range f.Scalars() {
		if v.Number == local && v.Unsigned {
			return map[uint8]string{8: "(signed char)", 16: "(short)", 32: "(int)", 64: "(long)"}[v.Width] + name
		}
	}
	return name
}
