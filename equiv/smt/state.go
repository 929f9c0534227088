package smt

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// differsIn says in words in which state of a start a mutant differs, of which there is a model.
func (p *function) differsIn(at start, condition *term.Term, model term.State) string {
	const unknown = "whether the program ever %s is not known"
	if at.block == 0 {
		with := CalledWith(p.f, p.code.Code.Func, condition, model)
		if with == "" {
			return "it differs in some call, by what memory holds or what is called returns; " + fmt.Sprintf(unknown, "makes such a call")
		}
		return "it differs in a call with " + with + "; " + fmt.Sprintf(unknown, "makes such a call")
	}
	loop := "a loop"
	if line := ir.PositionOf(p.code.Ops[p.code.Code.Terminator(at.block)].Node).Line; line > 0 {
		loop = fmt.Sprintf("the loop at line %d", line)
	}
	s := spokenOf(condition, model)
	state := p.stateAt(at)
	for _, v := range p.f.Scalars() {
		if v.Integer {
			s.add(p.f.NameOf(v.Number), state.Locals[v.Number])
		}
	}
	if len(s.with) == 0 {
		return "it differs in some round of " + loop + ", by what memory holds or what is called returns; " + fmt.Sprintf(unknown, "comes to such a round")
	}
	return fmt.Sprintf("it differs in a round of %s that begins with %s; ", loop, strings.Join(s.with, ", ")) + fmt.Sprintf(unknown, "comes to such a round")
}

// CalledWith says in words with which arguments a function is called in a model of a condition, as
// far as the condition speaks of them; "" where it speaks of none.
func CalledWith(f *execute.Function, of *llir.Func, condition *term.Term, model term.State) string {
	s := spokenOf(condition, model)
	for k, param := range of.Params {
		name := param.Name()
		if strings.Contains(name, ".coerce") { // a structure in a register
			continue
		}
		switch op.TypeOf(param.Type()).Class {
		case op.Int:
			s.add(name, f.Param(k))
		case op.Pointer:
			s.addPointer(name, f.Param(k))
		}
	}
	return strings.Join(s.with, ", ")
}

// spoken are the values of variables in a model, as far as a condition speaks of them.
type spoken struct {
	vars   map[*term.Term]bool
	values *term.Evaluation
	with   []string
}

func spokenOf(condition *term.Term, model term.State) *spoken {
	s := &spoken{map[*term.Term]bool{}, term.Evaluate(model), nil}
	term.Each(func(t *term.Term) { s.vars[t] = t.Op == term.Var && t.IsBits() && t.Width >= 8 }, condition)
	return s
}

func (s *spoken) add(name string, t *term.Term) {
	of := t
	if t.Op == term.ZExt { // of what is never negative
		of = t.Args[0]
	}
	if name == "" || !s.vars[of] || len(s.with) >= mostFacts {
		return
	}
	s.with = append(s.with, fmt.Sprintf("%s = %d", name, term.Signed(s.values.Of(t), t.Width)))
}

func (s *spoken) addPointer(name string, t *term.Term) {
	if name == "" || !s.vars[t] || len(s.with) >= mostFacts {
		return
	}
	is := "not NULL"
	if s.values.Of(t) == 0 {
		is = "NULL"
	}
	s.with = append(s.with, name+" "+is)
}
