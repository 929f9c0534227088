package operator

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// logicalMatcher finds && or ||.
func logicalMatcher(name string, isAnd bool) Matcher {
	return Matcher{name, func(p *Place) []*match {
		branch, ok := p.Term.(*llir.TermCondBr)
		if !ok {
			return nil
		}
		s, ok := shortCircuitOf(p, p.Block, branch)
		if !ok {
			return nil
		}
		left, right, written := s.texts(p)
		if written != isAnd {
			return nil
		}
		m := &match{slot: -1, operands: []operand{{value: s.branch.Cond, text: left}, {value: s.right, text: right}}}
		m.custom = func(r rule.Rule) []Proposal { return s.replaced(p, r) }
		return []*match{m}
	}}
}

// callMatcher finds calls.
var callMatcher = Matcher{"CALL", func(p *Place) []*match {
	call, ok := p.Inst.(*llir.InstCall)
	if !ok || !p.mart && (isIntrinsic(call) || p.isCompilerMade(call)) {
		return nil
	}
	return []*match{{slot: -1, custom: func(r rule.Rule) []Proposal {
		if r.Replace.Fragment == "NEWCALLEE" {
			return p.newCallee(call, r.Replace.Args[0].Text, r.Replace.Args[1].Text)
		}
		return p.exchanges(call)
	}}}
}}

// exchanges swaps two arguments of one type each.
func (p *Place) exchanges(call *llir.InstCall) []Proposal {
	var out []Proposal
	if !p.mart {
		for i := range call.Args {
			for k := i + 1; k < len(call.Args); k++ {
				if areAlike(call.Args[i], call.Args[k]) {
					out = append(out, p.exchange(call, i, k))
				}
			}
		}
		return out
	}
	done := map[int]bool{}
	for i, first := range call.Args {
		var group []int
		for k := i; k < len(call.Args) && !done[i]; k++ {
			if call.Args[k].Type().Equal(first.Type()) {
				group = append(group, k)
				done[k] = k > i
			}
		}
		for _, pair := range martPairs(len(group)) {
			out = append(out, p.exchange(call, group[pair[0]], group[pair[1]]))
		}
	}
	return out
}

// martPairs lists the pairs of n things as Mart does, which comes upon most of
// them several times: it goes on behind every start, and from there starts
// again.
func martPairs(n int) [][2]int {
	var out [][2]int
	var choose func(left, start int, chosen []int)
	choose = func(left, start int, chosen []int) {
		if left == 0 {
			if len(chosen) == 2 {
				out = append(out, [2]int{chosen[0], chosen[1]})
			}
			return
		}
		if start+left < n {
			choose(left, start+1, chosen)
		}
		for i := start; i < n-left+1; i++ {
			choose(left-1, i+1, append(slices.Clone(chosen), i))
		}
	}
	if n >= 2 {
		choose(2, 0, nil)
	}
	return out
}

// newCallee calls another function of the module, of the same type.
func (p *Place) newCallee(call *llir.InstCall, from, to string) []Proposal {
	callee, ok := call.Callee.(*llir.Func)
	if !ok || callee.Name() != from {
		return nil
	}
	for _, f := range p.fn.module.Funcs {
		if f.Name() != to || !f.Sig.Equal(callee.Sig) {
			continue
		}
		return []Proposal{{
			Original: p.Face.Of(call), Replacement: p.Face.CallOf(call, to),
			Edit: mutant.Rewrite{Insts: []llir.Instruction{call}, Emit: func(c *mutant.Code) value.Value {
				twin := mutant.CopyOf(call).(*llir.InstCall)
				twin.Callee = f
				return mutant.Add(c, twin)
			}},
		}}
	}
	return nil
}

// switchMatcher finds switches.
var switchMatcher = Matcher{"SWITCH", func(p *Place) []*match {
	term, ok := p.Term.(*llir.TermSwitch)
	if !ok {
		return nil
	}
	return []*match{{slot: -1, custom: func(r rule.Rule) []Proposal {
		if r.Replace.Fragment == "REMOVECASES" {
			return p.removedCases(term)
		}
		return p.shuffledCases(term)
	}}}
}}

// longSwitch is how many cases a switch has at most in which each is exchanged with
// each other one. The 348 of SQLite's parser would make 60,000 mutants.
const longSwitch = 32

// shuffledCases exchanges where two cases lead; of a long switch only neighbours.
// Mart does without that bound, and also exchanges a case with the default.
func (p *Place) shuffledCases(term *llir.TermSwitch) []Proposal {
	labels := p.Face.CaseLabels(term)
	var out []Proposal
	isLong := !p.mart && len(term.Cases) > longSwitch
	for i := range term.Cases {
		for k := i + 1; k < len(term.Cases) && !(isLong && k > i+1); k++ {
			if term.Cases[i].Target == term.Cases[k].Target {
				continue
			}
			x, y := labels[i].Text.C, labels[k].Text.C
			out = append(out, Proposal{
				Original:    face.Text{C: x + " … " + y, Prec: face.Primary},
				Replacement: face.Text{C: y + " … " + x, Prec: face.Primary},
				label:       &labels[i],
				Edit: mutant.Redirect{Term: term, Emit: func(*mutant.Code) llir.Terminator {
					return withTargets(term, func(c []*llir.Case) { c[i].Target, c[k].Target = c[k].Target, c[i].Target })
				}},
			})
		}
	}
	if p.mart {
		out = append(out, p.defaultShuffles(term, labels)...)
	}
	return out
}

func (p *Place) defaultShuffles(term *llir.TermSwitch, labels []face.CaseLabel) []Proposal {
	var out []Proposal
	for k, c := range term.Cases {
		if c.Target == term.TargetDefault {
			continue
		}
		text := labels[k].Text.C
		out = append(out, Proposal{
			Original:    face.Text{C: text + " … default:", Prec: face.Primary},
			Replacement: face.Text{C: "default: … " + text, Prec: face.Primary},
			label:       &labels[k],
			Edit: mutant.Redirect{Term: term, Emit: func(*mutant.Code) llir.Terminator {
				twin := withTargets(term, func([]*llir.Case) {})
				twin.Cases[k].Target, twin.TargetDefault = twin.TargetDefault, twin.Cases[k].Target
				return twin
			}},
		})
	}
	return out
}

// withTargets is a copy of a switch whose cases are changed.
func withTargets(term *llir.TermSwitch, change func([]*llir.Case)) *llir.TermSwitch {
	twin := *term
	twin.Successors = nil
	twin.Cases = make([]*llir.Case, len(term.Cases))
	for i, c := range term.Cases {
		own := *c
		twin.Cases[i] = &own
	}
	change(twin.Cases)
	return &twin
}

// jumpMatcher finds return, break, continue and goto. Without the source the
// IR does not say what follows a jump; Mart takes the next block for it.
var jumpMatcher = Matcher{"RETURN_BREAK_CONTINUE", func(p *Place) []*match {
	m := &match{slot: -1}
	switch term := p.Term.(type) {
	case *llir.TermBr:
		m.custom = func(rule.Rule) []Proposal { return p.deletedJump(term) }
	case *llir.TermRet:
		if !p.mart || term.X == nil {
			return nil
		}
		m.custom = func(rule.Rule) []Proposal { return p.deletedReturn(term) }
	default:
		return nil
	}
	return []*match{m}
}}

// deletedReturn returns what a caller gets from a function that returns
// nothing: 0 from main, else what happens to be in memory.
func (p *Place) deletedReturn(ret *llir.TermRet) []Proposal {
	isMain := p.fn.f.Name() == "main"
	if isMain && isInt(ret.X, 0) {
		return nil
	}
	return []Proposal{{
		Original: returnText(p.Face.Returned(ret, ret.X)), Replacement: face.Text{C: ";", Prec: face.Primary}, irOnly: true,
		Edit: mutant.Redirect{Term: ret, Emit: func(c *mutant.Code) llir.Terminator {
			if isMain {
				return llir.NewRet(constant.NewZeroInitializer(ret.X.Type()))
			}
			slot := mutant.Add(c, llir.NewAlloca(ret.X.Type()))
			return llir.NewRet(mutant.Add(c, llir.NewLoad(ret.X.Type(), slot)))
		}},
	}}
}

// nextBlock is the block that follows in the function's text.
func (p *Place) nextBlock() *llir.Block {
	for k, b := range p.fn.f.Blocks {
		if b == p.Block && k+1 < len(p.fn.f.Blocks) {
			return p.fn.f.Blocks[k+1]
		}
	}
	return nil
}

// trapped ends the program in the place of a statement.
func (p *Place) trapped(s *Statement) []Proposal {
	abort := face.Text{C: "abort();", Prec: face.Primary}
	if len(s.Insts) == 0 {
		return []Proposal{{
			Original: p.jumpText(), Replacement: abort, irOnly: p.mart,
			Edit: mutant.Redirect{Term: s.Term, Emit: func(c *mutant.Code) llir.Terminator {
				mutant.Add(c, llir.NewCall(p.fn.trap))
				return llir.NewUnreachable()
			}},
		}}
	}
	root := s.root()
	block, first := p.beginning(s)
	original := p.statementText(root)
	if v, ok := root.(value.Value); ok && s.Term != nil && !v.Type().Equal(types.Void) {
		original = p.Face.Of(v)
		abort = face.Text{C: fmt.Sprintf("(abort(), %s)", original.In(face.Assignment)), Prec: face.Primary}
	}
	if store, ok := root.(*llir.InstStore); ok && p.fn.results[store.Dst] && !p.mart {
		original = returnText(p.Face.Returned(store, store.Src))
		abort = face.Text{C: "abort()", Prec: face.Primary}
	}
	if ret, ok := s.Term.(*llir.TermRet); ok {
		original = returnText(p.Face.Returned(ret, ret.X))
		abort = face.Text{C: "abort()", Prec: face.Primary}
	}
	return []Proposal{{
		Original: original, Replacement: abort, at: root, touched: s.Insts, block: block,
		Edit: mutant.Rewrite{Insts: []llir.Instruction{first}, Emit: func(c *mutant.Code) value.Value {
			mutant.Add(c, llir.NewCall(p.fn.trap))
			v, _ := mutant.Add(c, mutant.CopyOf(first)).(value.Value)
			return v
		}},
	}}
}

// beginning is the first instruction that belongs to what a statement says in C, and
// its block. A structure that a function returns and another takes goes through
// memory, which parts the calls in the IR, and && || or ?: part them by blocks; the
// trap comes before all of it. To Mart each is a statement.
func (p *Place) beginning(s *Statement) (*llir.Block, llir.Instruction) {
	first := s.Insts[0]
	if p.mart {
		return p.Block, first
	}
	if block, earlier := p.earlier(s); earlier != nil {
		return block, earlier
	}
	within, insts := p.Face.Within(s.root()), p.Block.Insts
	for k := slices.Index(insts, first) - 1; k >= 0; k-- {
		if isMarker(insts[k]) {
			continue
		}
		if !within(insts[k]) {
			break
		}
		first = insts[k]
	}
	return p.Block, first
}

// earlier finds where the code of a statement begins in an earlier block, nil where
// that code has no effect before its last block.
func (p *Place) earlier(s *Statement) (*llir.Block, llir.Instruction) {
	within := p.Face.Spread(s.root())
	if within == nil {
		return nil, nil
	}
	var block *llir.Block
	var first llir.Instruction
	effect, blocks := false, p.fn.f.Blocks
	for k := slices.Index(blocks, p.Block) - 1; k >= 0; k-- {
		b := blocks[k]
		begins := slices.IndexFunc(b.Insts, func(inst llir.Instruction) bool { return !isMarker(inst) && within(inst) })
		if begins < 0 {
			if within(b.Term) {
				continue // the 1 of c ? 1 : 2
			}
			break
		}
		block, first = b, b.Insts[begins]
		for _, inst := range b.Insts[begins:] {
			target := stored(inst)
			effect = effect || hasEffect(inst) && within(inst) && (target == nil || !p.fn.isTemporary(target))
		}
	}
	if !effect {
		return nil, nil
	}
	return block, first
}

// jumpText is what a statement without instructions says.
func (p *Place) jumpText() face.Text {
	if found, ok := p.Face.JumpOf(p.Term); ok {
		return found.Text
	}
	switch term := p.Term.(type) {
	case *llir.TermRet:
		if term.X == nil {
			return face.Text{C: "return;", Prec: face.Primary}
		}
		t := returnText(p.Face.Returned(term, term.X))
		return face.Text{C: t.C + ";", Prec: face.Primary}
	}
	return face.Text{C: "goto …;", Prec: face.Primary}
}
