package face

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Jump is a return, break, continue or goto statement, and what the program
// would do next if it were not there.
type Jump struct {
	Text Text
	next span
}

// span is a stretch of the source.
type span struct {
	file     string
	from, to csource.Position // to is exclusive
}

// Precedes reports whether code at a position belongs to what comes next.
func (j Jump) Precedes(at ir.Position) bool { return j.next.contains(at) }

func (s span) contains(at ir.Position) bool {
	return at.Known() && at.File == s.file && !before(at.Line, at.Column, s.from) && before(at.Line, at.Column, s.to)
}

// has is contains by an instruction.
func (s span) has(inst any) bool { return s.contains(ir.PositionOf(inst)) }

func before(line, column int, p csource.Position) bool {
	return line < p.Line || line == p.Line && column < p.Column
}

// JumpOf finds the statement that a terminator carries out. It is false for
// other terminators, for a return whose value has side effects, which would go
// with it, and where nothing follows.
func (r *Renderer) JumpOf(term llir.Terminator) (Jump, bool) {
	if r.first != nil {
		return r.first.JumpOf(term) // a jump is all that a macro makes, or none is found
	}
	s := r.statementOf(term)
	if s == nil || !r.begins(term, s) {
		return Jump{}, false
	}
	switch s.Kind {
	case csource.Return, csource.Break, csource.Continue, csource.Goto:
	default:
		return Jump{}, false
	}
	for _, e := range s.Exprs {
		if hasSideEffect(e) {
			return Jump{}, false
		}
	}
	from, to, ok := following(s)
	return Jump{Text{s.Text(), Primary}, span{ir.PositionOf(term).File, from, to}}, ok
}

func hasSideEffect(e *csource.Expr) bool {
	found := false
	e.Walk(func(e *csource.Expr) bool {
		switch e.Kind {
		case csource.Call, csource.Assignment, csource.CompoundAssign, csource.PrefixIncrement,
			csource.PostfixIncrement, csource.StatementExpr, csource.UnknownExpr:
			found = true
		}
		return !found
	})
	return found
}

// following is the code that runs after a statement that does not jump: its
// next sibling, or what the statements around it do at their end.
func following(s *csource.Stmt) (from, to csource.Position, ok bool) {
	for parent := s.Parent; parent != nil; s, parent = parent, parent.Parent {
		switch parent.Kind {
		case csource.Block:
			if next := sibling(parent, s); next != nil {
				return next.Start, next.End, true
			}
		case csource.While, csource.Do:
			if c := parent.Condition; c != nil {
				return c.Start, c.End, true
			}
			return from, to, false
		case csource.For:
			if step := stepOf(parent, s); step != nil {
				return step.Start, step.End, true
			}
			return from, to, false
		}
	}
	return from, to, false // the end of the function
}

func sibling(block, s *csource.Stmt) *csource.Stmt {
	for i, child := range block.Children {
		if child == s && i+1 < len(block.Children) {
			return block.Children[i+1]
		}
	}
	return nil
}

// stepOf is the third expression of a for: the last one of its header if it
// is not the condition and comes after it.
func stepOf(loop, body *csource.Stmt) *csource.Expr {
	if loop.Condition == nil || len(loop.Exprs) == 0 {
		return nil
	}
	last := loop.Exprs[len(loop.Exprs)-1]
	if last == loop.Condition || last.Start.Offset < loop.Condition.End.Offset || last.Start.Offset >= body.Start.Offset {
		return nil
	}
	return last
}
