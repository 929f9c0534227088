package constraint

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/mutant"
)

// clause is a conjunction of constraints; a list of them is what may hold: any of them.
type clause []constraint

// anything is what always may hold.
func anything() []clause { return []clause{{}} }

// mostClauses bounds a disjunction: one of more may be anything.
const mostClauses = 32

// change is a mutant's edit of a function, as operations.
type change struct {
	// at and last are the items replaced, from and behind; block is where they are.
	at, last, block int
	code            *op.Replacement
	// result is the item whose result is used behind the change, -1 if none is, and instead
	// what takes its place.
	result  int
	instead op.Operand
	// leaves says that the change is the end of a block.
	leaves bool
}

// changeOf reads a mutant's edit; nil where it is not understood.
func (f *function) changeOf(m *mutant.Mutant) *change {
	code := &mutant.Code{Prefix: "constraint"}
	switch edit := m.Edit.(type) {
	case mutant.Redirect:
		at, ok := f.code.Code.Number(edit.Term)
		if !ok {
			return nil
		}
		term := edit.Emit(code)
		return &change{at: at, last: at + 1, block: f.code.Code.Items[at].Block, code: f.code.Instead(code.Insts, term), result: -1, leaves: true}
	case mutant.Rewrite:
		at, ok := f.code.Code.Number(edit.Insts[0])
		if !ok {
			return nil
		}
		c := &change{at: at, last: at + len(edit.Insts), block: f.code.Code.Items[at].Block, result: -1}
		if edit.Emit == nil {
			c.code = f.code.Instead(nil, nil)
			return c
		}
		result := edit.Emit(code)
		c.code = f.code.Instead(code.Insts, nil)
		if result == nil {
			return c
		}
		if c.result, ok = f.code.Code.Number(edit.Replaced()); !ok {
			return nil
		}
		c.instead = c.code.Operand(result)
		return c
	}
	return nil
}

// necessity is what has to hold at the changed code for the two versions to differ right
// behind it (section 2, "necessity"): the results, what is stored, where control goes, or what
// traps. Code with other effects may always differ.
func (f *function) necessity(c *change) []clause {
	state := f.stateAt(c.at)
	was := f.effects(f.code.Ops[c.at:c.last], slices.Clone(state), f.ofItem, func(k int) (int64, leaf) { return int64(c.at + k), isItem }, nil, nil)
	scratch := make([]term, len(c.code.Ops))
	of := func(a op.Operand) term {
		if a.Kind == op.Scratch {
			return scratch[a.X]
		}
		return f.ofItem(a)
	}
	begin := f.scratch
	f.scratch += int64(len(c.code.Ops))
	is := f.effects(c.code.Ops, slices.Clone(state), of, func(k int) (int64, leaf) { return begin + int64(k) + 1, isScratch }, scratch, was.reads)
	if !was.pure || !is.pure || was.traps(&is) || is.traps(&was) {
		return anything()
	}
	var out []clause
	for v := range state {
		out = append(out, f.differ(was.state[v], is.state[v], 3)...)
	}
	if c.result >= 0 {
		out = append(out, f.differ(f.values[c.result], of(c.instead), 3)...)
	}
	if c.leaves {
		out = append(out, f.leavesElsewhere(was.end, is.end, of)...)
	}
	out = append(out, f.divides(&was, &is)...)
	out = append(out, f.divides(&is, &was)...)
	out = append(out, f.shifts(&is, &was)...)
	if len(out) > mostClauses {
		return anything()
	}
	return out
}

// effects are what code does besides computing.
type effects struct {
	pure  bool
	state []term
	// reads are what is read of memory that may not be there, divisors and distances what may not
	// be defined.
	reads               []read
	divisors, distances []operation
	end                 *op.Op
}

// read is what memory holds at an address.
type read struct {
	at, value term
	typ       op.Type
}

// operation is an operator on a term, with the width.
type operation struct {
	code op.Code
	a, b term
}

// effects follows code. What each operation computes is left in results, if given. What other code read before is what
// memory holds here, too, as long as both are pure.
func (f *function) effects(ops []op.Op, state []term, of func(op.Operand) term, name func(k int) (int64, leaf), results []term, before []read) effects {
	out := effects{pure: true, state: state}
	for k := range ops {
		o := &ops[k]
		isLocal, loads := false, false
		if o.Code == op.Load || o.Code == op.Store {
			_, isLocal = f.localAt(o.Args[0])
		}
		switch {
		case o.Code == op.Store && isLocal, o.Code == op.Skip:
		case o.Writes() || o.Code == op.Other || o.Code == op.Alloca || isVolatile(o):
			out.pure = false
		case o.Code == op.Load && !isLocal:
			loads = true
		case o.Code == op.SDiv || o.Code == op.UDiv || o.Code == op.SRem || o.Code == op.URem:
			out.divisors = append(out.divisors, operation{o.Code, of(o.Args[0]), of(o.Args[1])})
		case isShift(o.Code):
			out.distances = append(out.distances, operation{o.Code, of(o.Args[0]), of(o.Args[1])})
		case o.Code.IsTerminator():
			out.end = o
		}
		number, kind := name(k)
		x := f.compute(o, state, of, number, kind)
		if loads {
			at := of(o.Args[0])
			if same := slices.IndexFunc(before, func(r read) bool { return r.at == at && r.typ == o.Type }); same >= 0 {
				x = before[same].value
			}
			out.reads = append(out.reads, read{at, x, o.Type})
		}
		if len(results) > 0 {
			results[k] = x
		}
	}
	return out
}

// traps reports that code reads where the other does not.
func (e *effects) traps(other *effects) bool {
	return slices.ContainsFunc(e.reads, func(r read) bool {
		return !slices.ContainsFunc(other.reads, func(o read) bool { return o.at == r.at && o.typ.Size() >= r.typ.Size() })
	})
}

// divides is where code divides by zero, or the least number by -1, and other code does not.
func (f *function) divides(e, other *effects) (out []clause) {
	for _, d := range e.divisors {
		if slices.Contains(other.divisors, d) {
			continue
		}
		width := f.width(d.b)
		out = append(out, f.clauseOf(f.constraint(d.b, f.number(0, width), equal, false))...)
		if d.code == op.SDiv || d.code == op.SRem {
			minusOne := f.clauseOf(f.constraint(d.b, f.number(-1, width), equal, false))
			least := f.clauseOf(f.constraint(d.a, f.number(-1<<(min(width, 64)-1), width), equal, false))
			out = append(out, both(minusOne, least)...)
		}
	}
	return out
}

// shifts is where code shifts by more than there are bits, and other code does not.
func (f *function) shifts(e, other *effects) (out []clause) {
	for _, d := range e.distances {
		if width := f.width(d.b); !slices.Contains(other.distances, d) {
			out = append(out, f.clauseOf(f.constraint(d.b, f.number(int64(width), width), greater|equal, true))...)
		}
	}
	return out
}

// leavesElsewhere is where two ends of a block go to different blocks.
func (f *function) leavesElsewhere(was, is *op.Op, of func(op.Operand) term) []clause {
	if was == nil || is == nil || was.Code != op.Branch || is.Code != op.Branch {
		return anything()
	}
	a, b := f.ofItem(was.Args[0]), of(is.Args[0])
	switch {
	case slices.Equal(was.Targets, is.Targets):
		return f.differ(a, b, 3)
	case was.Targets[0] == is.Targets[1] && was.Targets[1] == is.Targets[0]:
		return append(both(f.truth(a, true), f.truth(b, true)), both(f.truth(a, false), f.truth(b, false))...)
	}
	return anything()
}

// clauseOf is the clause of one constraint; none where it cannot hold.
func (f *function) clauseOf(c constraint) []clause {
	switch c.rel {
	case never:
		return nil
	case always:
		return anything()
	}
	return []clause{{c}}
}

// both is where each of two disjunctions holds.
func both(a, b []clause) (out []clause) {
	if len(a)*len(b) > mostClauses {
		return a // weaker
	}
	for _, x := range a {
		for _, y := range b {
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}

// truth is where a truth holds, or does not.
func (f *function) truth(x term, holds bool) []clause {
	form := f.forms[x]
	switch {
	case form.width != 1 || form.leaf != 0:
	case form.code == op.And && holds, form.code == op.Or && !holds:
		return both(f.truth(form.a, holds), f.truth(form.b, holds))
	case form.code == op.And, form.code == op.Or:
		return slices.Concat(f.truth(form.a, holds), f.truth(form.b, holds))
	case form.code == op.Xor:
		if k, isNumber := f.constant(form.b); isNumber {
			return f.truth(form.a, holds == (k == 0))
		}
	case form.code == op.Select:
		return slices.Concat(both(f.truth(form.a, true), f.truth(form.b, holds)), both(f.truth(form.a, false), f.truth(form.c, holds)))
	}
	rel := equal
	if holds {
		rel = less | greater
	}
	return f.clauseOf(f.constraint(x, f.number(0, 1), rel, false))
}

// neutral are the numbers with which an operator gives its first operand.
var neutral = map[op.Code]int64{op.Add: 0, op.Sub: 0, op.Or: 0, op.Xor: 0, op.Shl: 0, op.LShr: 0, op.AShr: 0,
	op.Mul: 1, op.SDiv: 1, op.UDiv: 1, op.And: -1}

// differ is where two terms are different numbers: the templates of the operators. What is
// said is weaker than that where it is easier to say.
func (f *function) differ(x, y term, depth int) []clause {
	if x == y {
		return nil
	}
	a, b := f.forms[x], f.forms[y]
	width := f.width(x)
	switch {
	case width != f.width(y):
		return anything()
	case a.leaf == isNumber && b.leaf == isNumber:
		return anything()
	case a.code == op.CompareInts && b.code == op.CompareInts && a.a == b.a && a.b == b.b && (a.unsigned == b.unsigned || hasNoSign(a.rel) || hasNoSign(b.rel)):
		// The symmetric difference of the relations.
		return f.clauseOf(f.constraint(a.a, a.b, a.rel^b.rel, a.unsigned || b.unsigned))
	case width == 1 && depth > 0:
		return slices.Concat(both(f.truth(x, true), f.truth(y, false)), both(f.truth(x, false), f.truth(y, true)))
	case a.leaf == 0 && a.code == op.Select && depth > 0:
		return slices.Concat(both(f.truth(a.a, true), f.differ(a.b, y, depth-1)), both(f.truth(a.a, false), f.differ(a.c, y, depth-1)))
	case b.leaf == 0 && b.code == op.Select && depth > 0:
		return f.differ(y, x, depth)
	case a.leaf != 0 || b.leaf != 0 || a.code != b.code:
	case a.code.IsConversion() && f.width(a.a) == f.width(b.a):
		return f.differ(a.a, b.a, depth-1)
	case a.code.IsBinaryInt() && a.a == b.a:
		return f.differ(a.b, b.b, depth-1)
	case a.code.IsBinaryInt() && a.b == b.b:
		return f.differ(a.a, b.a, depth-1)
	}
	// x and x with something: not where that is neutral.
	for _, pair := range [][2]term{{x, y}, {y, x}} {
		whole, part := f.forms[pair[0]], pair[1]
		n, known := neutral[whole.code]
		if whole.leaf != 0 || !known {
			continue
		}
		other := term(-1)
		switch {
		case whole.a == part:
			other = whole.b
		case whole.b == part && commutes[whole.code]:
			other = whole.a
		}
		if other >= 0 {
			return f.clauseOf(f.constraint(other, f.number(n, f.width(other)), less|greater, false))
		}
	}
	// A sum and a difference: not where what is added is zero.
	if a.leaf == 0 && b.leaf == 0 && (a.code == op.Add && b.code == op.Sub || a.code == op.Sub && b.code == op.Add) {
		sum, difference := a, b
		if a.code == op.Sub {
			sum, difference = b, a
		}
		if sum.a == difference.a && sum.b == difference.b || sum.b == difference.a && sum.a == difference.b {
			return f.clauseOf(f.constraint(difference.b, f.number(0, width), less|greater, false))
		}
	}
	if width > 64 || width == 0 {
		return anything()
	}
	return f.clauseOf(f.constraint(x, y, less|greater, false))
}

func hasNoSign(r relation) bool { return r == equal || r == less|greater }
