package ub

import (
	"fmt"
	"maps"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// guardedEdge is the way out of a block's branch on which a pointer is not null that is
// dereferenced later.
type guardedEdge struct {
	guarded
	to int // the block that the way leads to
}

// printedGuards is null guard analysis as it is printed (algorithms 1 to 4), by block: where
// two ways meet a pointer that one of them says nothing of keeps what the other says (top),
// and one that they say different things of is unknown from there on (bottom).
func (fn *function) printedGuards() map[int]guardedEdge {
	in := solve(fn.graph, fn.checkedOn, func(before, further map[value.Value]check) (changed bool) {
		for slot, c := range further {
			now, known := before[slot]
			if known && now != c {
				c = check{by: -1}
			}
			if !known || c != now {
				before[slot], changed = c, true
			}
		}
		return changed
	})
	out := map[int]guardedEdge{}
	for _, g := range fn.guardedIn(in) {
		if g.by < 0 || !fn.isPrivate(g.slot) || fn.ops.Ops[g.deref].Code == op.Call {
			continue
		}
		for edge, to := range fn.graph.Succs[g.by] {
			if _, c := fn.checked(g.by, edge); !c.null {
				out[g.by] = guardedEdge{g, to}
			}
		}
	}
	return out
}

// nullGuard (section 4.2): mutants of a guard by OCNG, LCR and UOI. The condition has to be
// the branch's own (figure 5.1): with the pointer null the mutant goes the guarded way.
func (t *thesis) nullGuard(s *stretch) Verdict {
	g, is := t.guards[s.block]
	if !is || !s.isOfGuards() || !t.isLocal(s, g) {
		return Verdict{}
	}
	held := maps.Clone(t.fn.blocks[s.block])
	held[g.slot] = place{null: true, offset: ranges.Exactly(0)}
	m := newMachine(t.fn, s, held)
	m.pinned, m.pinnedTo = g.slot, g.load
	m.original(s.block, s.at, nil)
	m.mutated()
	if m.ended || len(s.ops.Ops) == 0 {
		return Verdict{}
	}
	if to := m.next(&s.ops.Ops[len(s.ops.Ops)-1]); len(to) != 1 || to[0] != g.to {
		return Verdict{}
	}
	return report("NGA", NullDereference, fmt.Sprintf("the guard keeps null from line %d", lineOf(t.fn, g.deref)), s.mutant.Line)
}

// isOfGuards reports that one of the operators made the mutant which null guard analysis
// judges: conditions negated or made true or false, connectives exchanged, and ++ and --
// before a pointer.
func (s *stretch) isOfGuards() bool {
	switch m := s.mutant; m.Replacer {
	case "NOT", "PLEFTINC", "PLEFTDEC":
		return true
	case "OPERAND":
		return m.Matcher == "NOT"
	case "AND", "OR":
		return m.Matcher == "AND" || m.Matcher == "OR"
	case "CONSTVAL":
		return m.Matcher == "COND"
	default:
		return opposite[m.Matcher] == m.Replacer
	}
}

// opposite are the comparisons whose exchange negates a condition.
var opposite = map[string]string{"EQ": "NEQ", "NEQ": "EQ", "PEQ": "PNEQ", "PNEQ": "PEQ"}

// isLocal reports that a change is of the branch or of what it looks at, and not of a
// comparison whose result a variable holds.
func (t *thesis) isLocal(s *stretch, g guardedEdge) bool {
	if s.mutant.Site.Term != nil {
		return true
	}
	for item := t.fn.code.Terminator(s.block); item > s.at; item-- {
		if o := &t.fn.ops.Ops[item]; o.Code == op.Store && item > g.load {
			return false
		}
	}
	return true
}

// checkedOn are the facts of null guard analysis on a way out of a block.
func (fn *function) checkedOn(block int, facts map[value.Value]check, edge int) map[value.Value]check {
	out := maps.Clone(facts)
	for item := fn.code.First[block]; item < fn.code.First[block+1]; item++ {
		fn.forget(item, out)
	}
	if slot, c := fn.checked(block, edge); slot != nil {
		out[slot] = c
	}
	return out
}

// allocatesByName reports a call of what is called like something that allocates, wrappers
// of the program's own among them (figure 3.6 has xmalloc).
func allocatesByName(o *op.Op) bool {
	if o.Callee == nil {
		return false
	}
	name := strings.TrimPrefix(o.Callee.Name(), "x")
	return name == "malloc" || name == "calloc" || name == "realloc"
}

// pointeeSize is the size of what a variable points to; 0 where that is not known.
func pointeeSize(slot value.Value) int64 {
	if a, is := slot.(*llir.InstAlloca); is {
		if p, is := a.ElemType.(*types.PointerType); is {
			return op.SizeOf(p.ElemType)
		}
	}
	return 0
}
