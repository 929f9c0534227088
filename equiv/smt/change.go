package smt

import (
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// ChangeOf is a mutant's edit of a function; nil where it is not understood.
func ChangeOf(f *op.Function, m *mutant.Mutant) *execute.Change {
	code := &mutant.Code{Prefix: "smt"}
	switch edit := m.Edit.(type) {
	case mutant.Redirect:
		at, ok := f.Code.Number(edit.Term)
		if !ok {
			return nil
		}
		term := edit.Emit(code)
		return &execute.Change{At: at, Last: at + 1, Code: f.Instead(code.Insts, term), ResultOf: -1, Leaves: true}
	case mutant.Rewrite:
		at, ok := f.Code.Number(edit.Insts[0])
		if !ok {
			return nil
		}
		out := &execute.Change{At: at, Last: at + len(edit.Insts), ResultOf: -1}
		if edit.Emit == nil {
			out.Code = f.Instead(nil, nil)
			return out
		}
		result := edit.Emit(code)
		out.Code = f.Instead(code.Insts, nil)
		if result == nil {
			return out
		}
		n, ok := f.Code.Number(edit.Replaced())
		if !ok {
			return nil
		}
		out.Result, out.Value, out.ResultOf = out.Code.Operand(result), result, n
		return out
	}
	return nil
}
