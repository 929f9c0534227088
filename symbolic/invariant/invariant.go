// Package invariant finds what holds of a function's variables whenever control comes to the
// head of a loop: that a counter is not negative, that an index is at most a length.
//
// Candidates are guessed, from the constants that a variable is set to or compared with, those of
// what is assumed, and from pairs of variables, and those that are wrong are dropped until the rest
// holds by induction: from the entry of the function, and from every loop head at which all that are
// left hold, control comes to the next loop heads with all of them holding (Flanagan and
// Leino, "Houdini, an Annotation Assistant for ESC/Java", FME 2001). What is left is the
// largest set of candidates that is inductive; each is proved, none is observed.
//
// Only runs count in which no counter runs over its type (execute.Function.Counted), which C
// does not define: without that hardly any counter could be said to be positive.
package invariant

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Fact is what holds of a variable A, numbers having signs: it is at least X, at most X, or
// at most variable B.
type Fact struct {
	A    int
	Kind Kind
	X    int64
	B    int
}

// Kind is the kind of a fact.
type Kind uint8

// The kinds.
const (
	AtLeast Kind = iota
	AtMost
	AtMostVariable
)

// Term is the fact in a state, as a truth.
func (f Fact) Term(p *term.Pool, s *execute.State) *term.Term {
	a := s.Locals[f.A]
	switch f.Kind {
	case AtLeast:
		return p.Sle(p.Number(uint64(f.X), a.Width), a)
	case AtMost:
		return p.Sle(a, p.Number(uint64(f.X), a.Width))
	}
	return p.Sle(a, s.Locals[f.B])
}

// Text is the fact in C.
func (f Fact) Text(name func(local int) string) string {
	switch f.Kind {
	case AtLeast:
		return fmt.Sprintf("%s >= %d", name(f.A), f.X)
	case AtMost:
		return fmt.Sprintf("%s <= %d", name(f.A), f.X)
	}
	return name(f.A) + " <= " + name(f.B)
}

// Facts are those at each cut, by block.
type Facts map[int][]Fact

// Natural are the variables that are not negative at a cut.
func (f Facts) Natural(cut int) []int {
	var out []int
	seen := map[int]bool{}
	for _, one := range f[cut] {
		if one.Kind == AtLeast && one.X >= 0 && !seen[one.A] {
			seen[one.A] = true
			out = append(out, one.A)
		}
	}
	return out
}

// Hold is that all facts of a cut hold in a state.
func (f Facts) Hold(p *term.Pool, cut int, s *execute.State) *term.Term {
	out := p.Truth(true)
	for _, one := range f[cut] {
		out = p.And(out, one.Term(p, s))
	}
	return out
}

// The limits: what is not proved within them is no fact.
const (
	conflicts  = 2_000 // of one question
	mostPaired = 10    // variables that are compared with each other
	mostAsked  = 600
	// mostConstants are tried of a variable's own, and of those that are assumed.
	mostConstants = 6
)

// Find finds the facts of a function, with changes in view: its cuts are those of
// execute.Prepare with them. It does not change what the function does: facts are of the
// original, and hold as far as what is assumed of it.
func Find(ctx context.Context, code *op.Function, changes []*execute.Change, assumed []assume.Assumption) (Facts, error) {
	pool := term.NewPool()
	f, err := execute.Prepare(pool, code, changes)
	if err != nil {
		return nil, err
	}
	given, err := f.Assume(assumed)
	if err != nil {
		return nil, err
	}
	var limits []int64
	for k := range given {
		limits = append(limits, given[k].Condition.Numbers()...)
	}
	s := &search{f: f, p: pool, decider: decide.Chain(decide.NewBits(pool, decide.Limits{Conflicts: conflicts})), facts: Facts{}}
	live := f.Live(nil)
	for _, cut := range f.Cuts() {
		s.facts[cut] = candidates(f.Scalars(), live[cut], limits)
	}
	for again := true; again; {
		if again, err = s.pass(ctx); err != nil {
			return nil, err
		}
	}
	for cut, facts := range s.facts {
		s.facts[cut] = strongest(facts)
	}
	return s.facts, nil
}

// candidates are the facts that may hold at a cut. The limits of what is assumed are tried of every
// variable, since those that are set to one that has a limit have it, too.
func candidates(scalars []execute.Scalar, live []bool, limits []int64) []Fact {
	var out []Fact
	for _, v := range scalars {
		if !live[v.Number] || v.Width < 8 {
			continue
		}
		for _, x := range near(slices.Concat(v.Constants[:min(len(v.Constants), mostConstants)], limits[:min(len(limits), mostConstants)]), v.Width) {
			out = append(out, Fact{A: v.Number, Kind: AtLeast, X: x}, Fact{A: v.Number, Kind: AtMost, X: x})
		}
	}
	if len(scalars) > mostPaired {
		return out
	}
	for _, a := range scalars {
		for _, b := range scalars {
			if a.Number != b.Number && a.Width == b.Width && live[a.Number] && live[b.Number] {
				out = append(out, Fact{A: a.Number, Kind: AtMostVariable, B: b.Number})
			}
		}
	}
	return out
}

// near are 0, 1 and some constants with those beside them, as far as a width has them.
func near(constants []int64, width uint8) []int64 {
	out := []int64{0, 1, -1}
	half := int64(term.Mask(width) >> 1)
	seen := map[int64]bool{0: true, 1: true, -1: true}
	for _, c := range constants {
		for _, x := range []int64{c - 1, c, c + 1} {
			if x >= -half && x < half && !seen[x] {
				seen[x] = true
				out = append(out, x)
			}
		}
	}
	return out
}

// strongest leaves out bounds that another implies.
func strongest(facts []Fact) []Fact {
	var out []Fact
	for i, one := range facts {
		implied := false
		for k, other := range facts {
			implied = implied || k != i && one.Kind != AtMostVariable && other.Kind == one.Kind && other.A == one.A &&
				(one.Kind == AtLeast && other.X > one.X || one.Kind == AtMost && other.X < one.X)
		}
		if !implied {
			out = append(out, one)
		}
	}
	return out
}

// search drops candidates.
type search struct {
	f       *execute.Function
	p       *term.Pool
	decider decide.Decider
	facts   Facts
	asked   int
}

// pass asks once about all ways from one cut to the next; again is true where it dropped
// something.
func (s *search) pass(ctx context.Context) (again bool, err error) {
	cuts := s.f.Cuts()
	starts := cuts
	if len(cuts) == 0 || cuts[0] != 0 {
		starts = append([]int{0}, cuts...)
	}
	for _, start := range starts {
		state, cut := s.f.At(start), true
		if start == 0 {
			state, cut = s.f.Entry(), false
		}
		outcomes, counted, err := s.f.Counted(start, state)
		if err != nil {
			return false, err
		}
		for i := range outcomes {
			o := &outcomes[i]
			if o.Kind != execute.Cuts {
				continue
			}
			way := s.p.And(s.p.And(counted, o.State.Assumed), s.p.And(o.When, s.p.Not(o.State.Trapped)))
			for {
				assumed := way
				if cut {
					assumed = s.p.And(way, s.facts.Hold(s.p, start, &state))
				}
				dropped, err := s.drop(ctx, assumed, o)
				if err != nil {
					return false, err
				}
				if !dropped {
					break
				}
				again = true
			}
		}
	}
	return again, nil
}

// drop drops the facts of a cut that do not hold on a way to it, or some of them; dropped is
// false where all hold.
func (s *search) drop(ctx context.Context, way *term.Term, o *execute.Outcome) (dropped bool, err error) {
	facts := s.facts[o.Block]
	wrong := s.p.Truth(false)
	not := make([]*term.Term, len(facts))
	for k, one := range facts {
		not[k] = s.p.Not(one.Term(s.p, &o.State))
		wrong = s.p.Or(wrong, not[k])
	}
	if wrong.IsFalse() {
		return false, nil
	}
	r, err := s.ask(ctx, s.p.And(way, wrong))
	if err != nil || r.Answer == decide.No {
		return false, err
	}
	keep := facts[:0:0]
	var e *term.Evaluation
	if r.Answer == decide.Yes {
		e = term.Evaluate(r.Model)
	}
	for k, one := range facts {
		holds := false
		if e != nil {
			holds = e.Of(not[k]) == 0
		} else { // too much at once
			r, err := s.ask(ctx, s.p.And(way, not[k]))
			if err != nil {
				return false, err
			}
			holds = r.Answer == decide.No
		}
		if holds {
			keep = append(keep, one)
		}
	}
	if len(keep) == len(facts) && e != nil {
		keep = nil // a model that breaks nothing: trust none of it
	}
	dropped = len(keep) < len(facts)
	s.facts[o.Block] = keep
	return dropped, nil
}

// ask asks as long as there is room for questions.
func (s *search) ask(ctx context.Context, condition *term.Term) (decide.Result, error) {
	if s.asked++; s.asked > mostAsked && !condition.IsFalse() {
		return decide.Result{Answer: decide.Unknown}, nil
	}
	return s.decider.Decide(ctx, condition)
}
