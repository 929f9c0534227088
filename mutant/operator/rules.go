package operator

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// Failure is a rule that could not be applied at a place: a bug, which costs
// the mutants of that place and no others.
type Failure struct {
	Rule, Function, Reason string
	Line                   int
}

// asker applies the rules of a set to the places of a block.
type asker struct {
	*collector
	set *rule.Set
}

// ask applies every rule at one place. The rules on whole statements have been
// asked before (statement).
func (a *asker) ask(place *Place, s *Statement) {
	found := make([][]*match, len(a.index.fragments))
	for i, fragment := range a.index.fragments {
		found[i] = a.find(place, fragment)
	}
	seen := map[string][]*match{}
	for i, fragment := range a.index.of {
		if fragment < 0 || len(found[fragment]) == 0 {
			continue
		}
		matches, r := found[fragment], a.set.Rules[i]
		for k, m := range matches {
			proposals := a.guard(place, r, func() []Proposal { return rehearsed(place.put(m, r)) })
			if place.shown != nil {
				seeAs(proposals, func() []Proposal {
					shown, known := seen[r.Match.Fragment]
					if !known {
						shown = findShown(place.shown, r.Match.Fragment)
						seen[r.Match.Fragment] = shown
					}
					if twin := twinOf(matches, k, shown); twin != nil {
						return place.shown.put(twin, r)
					}
					return nil
				})
			}
			for _, proposal := range proposals {
				a.propose(place, s, r, proposal)
			}
		}
	}
}

// ruleIndex has the fragments that a set's rules match, but for those on whole statements, and
// by rule the number of its fragment, -1 for those.
type ruleIndex struct {
	fragments []string
	of        []int
}

func newRuleIndex(set *rule.Set) ruleIndex {
	index := ruleIndex{of: make([]int, len(set.Rules))}
	for i, r := range set.Rules {
		index.of[i] = -1
		if isWhole(r) {
			continue
		}
		k := slices.Index(index.fragments, r.Match.Fragment)
		if k < 0 {
			k = len(index.fragments)
			index.fragments = append(index.fragments, r.Match.Fragment)
		}
		index.of[i] = k
	}
	return index
}

// find asks a matcher. One that fails matches nothing.
func (a *asker) find(place *Place, fragment string) []*match {
	matcher, ok := matchers[fragment]
	if !ok {
		return nil
	}
	var out []*match
	a.guard(place, rule.Rule{Name: fragment}, func() []Proposal {
		out = matcher.Find(place)
		return nil
	})
	return out
}

// guard isolates a rule that fails.
func (a *asker) guard(place *Place, r rule.Rule, do func() []Proposal) (out []Proposal) {
	defer func() {
		if reason := recover(); reason != nil {
			out = nil
			a.failures = append(a.failures, Failure{Rule: r.Name, Function: place.fn.f.Name(), Reason: fmt.Sprint(reason), Line: place.line()})
		}
	}()
	return do()
}

// rehearsed carries proposals out on scratch code, which changes nothing in the
// module, so that one that cannot be is found here.
func rehearsed(proposals []Proposal) []Proposal {
	for _, proposal := range proposals {
		code := &mutant.Code{Prefix: "rehearsal"}
		switch edit := proposal.Edit.(type) {
		case mutant.Redirect:
			edit.Emit(code)
		case mutant.Rewrite:
			if edit.Emit != nil {
				edit.Emit(code)
			}
		}
		for _, inst := range code.Insts {
			if v, ok := inst.(value.Value); ok {
				v.Type()
			}
		}
	}
	return proposals
}

func (p *Place) line() int {
	switch {
	case p.Inst != nil:
		return ir.PositionOf(p.Inst).Line
	case p.Term != nil:
		return ir.PositionOf(p.Term).Line
	}
	return ir.PositionOf(p.Statement.root()).Line
}

func isWhole(r rule.Rule) bool {
	return r.Replace.Fragment == "DELSTMT" || r.Replace.Fragment == "TRAPSTMT"
}

// statement deletes a statement and ends the program in its place, once each,
// whichever rule asks first.
func (a *asker) statement(at *Place, s *Statement) {
	done := map[string]bool{}
	for _, r := range a.set.Rules {
		if !isWhole(r) || done[r.Replace.Fragment] || !a.occurs(at, s, r) {
			continue
		}
		place := at.with(func(p *Place) { p.Statement, p.Term = s, s.Term })
		proposals := a.guard(place, r, func() []Proposal { return rehearsed(place.whole(s, r)) })
		if place.shown != nil {
			seeAs(proposals, func() []Proposal { return place.shown.whole(s, r) })
		}
		for _, proposal := range proposals {
			a.propose(place, s, r, proposal)
		}
		// A rule on jumps says nothing of other statements.
		done[r.Replace.Fragment] = len(proposals) > 0
	}
}

// whole deletes a statement, or ends the program in its place.
func (p *Place) whole(s *Statement, r rule.Rule) []Proposal {
	if r.Replace.Fragment == "TRAPSTMT" {
		return p.trappedStatement(s)
	}
	return p.deleted(s, r)
}

// occurs reports whether a rule's pattern matches anything in a statement.
func (a *asker) occurs(at *Place, s *Statement, r rule.Rule) bool {
	if r.Match.Fragment == "STMT" {
		return true
	}
	matches := func(p Place) bool {
		return slices.ContainsFunc(a.find(&p, r.Match.Fragment), func(m *match) bool { return m.fits(r.Match) })
	}
	for _, inst := range s.Insts {
		place := *at
		place.Inst = inst
		if matches(place) {
			return true
		}
	}
	place := *at
	place.Term = s.Term
	return s.Term != nil && matches(place)
}

// deleted deletes a statement, or the jump that it is.
func (p *Place) deleted(s *Statement, r rule.Rule) []Proposal {
	if s.Term != nil {
		if p.mart || len(s.Insts) == 0 {
			return p.deletedTerminator()
		}
		return nil
	}
	if !s.deletable && !(p.mart && s.isClosed) || !p.mart && p.fn.fillsTemporary(s) {
		return nil
	}
	if s.isJumpOnly(r) {
		return nil
	}
	return []Proposal{p.deletion(s)}
}

// isJumpOnly reports a rule on jumps alone.
func (s *Statement) isJumpOnly(r rule.Rule) bool { return r.Match.Fragment == "RETURN_BREAK_CONTINUE" }

func (p *Place) deletedTerminator() []Proposal {
	switch term := p.Term.(type) {
	case *llir.TermBr:
		return p.deletedJump(term)
	case *llir.TermRet:
		if p.mart && term.X != nil {
			return p.deletedReturn(term)
		}
	}
	return nil
}

// trappedStatement ends the program in the place of a statement that the user
// has written.
func (p *Place) trappedStatement(s *Statement) []Proposal {
	if !p.mart {
		if len(s.Insts) == 0 {
			if _, ok := p.Face.JumpOf(s.Term); !ok {
				return nil
			}
		} else if slot := returnedSlot(s.Term); slot != nil && p.fn.results[slot] {
			return nil // where all returns meet
		} else if s.Term != nil && p.isCompilerMade(s.root()) {
			return nil
		} else if s.Term == nil && (!s.hasEffect || p.fn.fillsTemporary(s) && !p.fn.fillsResult(s)) {
			return nil
		}
	}
	return p.trapped(s)
}

// fillsResult reports the statement `return e;` of a function that has several.
func (fn *function) fillsResult(s *Statement) bool {
	return slices.ContainsFunc(s.Insts, func(inst llir.Instruction) bool { return fn.results[stored(inst)] })
}

// propose makes a mutant of a proposal.
func (a *asker) propose(place *Place, s *Statement, r rule.Rule, proposal Proposal) {
	proposal.Matcher, proposal.Replacer = r.Matcher(), r.Replacer()
	if !a.nests(proposal) {
		return
	}
	artefact := place.mart && place.isArtefact(proposal)
	// An exchange of labels has their texts in full, and what lies between is as
	// it was.
	abbreviated := strings.Contains(proposal.Replacement.C, "…") && proposal.Replacer != "SHUFFLECASESDESTS"
	if artefact || proposal.Original.C == proposal.Replacement.C || abbreviated {
		proposal.irOnly = proposal.irOnly || place.mart
	}
	if place.mart && proposal.Original.C == proposal.Replacement.C {
		proposal.Original = inParens(proposal.Original)
	}
	a.add(place, s, r, proposal, artefact)
}

func inParens(t face.Text) face.Text { return face.Text{C: "(" + t.C + ")", Prec: face.Primary} }

// isArtefact reports a change of code that the compiler made.
func (p *Place) isArtefact(proposal Proposal) bool {
	edit, ok := proposal.Edit.(mutant.Rewrite)
	if !ok {
		return !ir.PositionOf(proposal.Edit.(mutant.Redirect).Term).Known()
	}
	touched := proposal.touched
	if touched == nil {
		touched = edit.Insts
	}
	for _, inst := range touched {
		if !p.isCompilersOwn(inst) {
			return false
		}
	}
	return true
}

// isCompilersOwn reports an instruction that no expression of C stands for: a
// spill, a conversion, an implicit != 0, a slot of the compiler's.
func (p *Place) isCompilersOwn(inst llir.Instruction) bool {
	if p.fn.hasDebug && !ir.PositionOf(inst).Known() || p.isCompilerMade(inst) {
		return true
	}
	switch i := inst.(type) {
	case *llir.InstICmp:
		return isTruthTest(i)
	case *llir.InstFCmp:
		return isTruthTest(i)
	case *llir.InstLoad:
		return p.fn.isTemporary(i.Src)
	case *llir.InstStore:
		return p.fn.isTemporary(i.Dst) && !p.fn.results[i.Dst]
	}
	_, isCast := ir.ConvertedBy(inst)
	return isCast
}

// nests reports whether the run of a proposal lies inside of every other run
// of the block, around it, or beside it: the meta-mutant has no others.
func (a *asker) nests(proposal Proposal) bool {
	edit, ok := proposal.Edit.(mutant.Rewrite)
	if !ok || len(edit.Insts) < 2 {
		return true
	}
	from := slices.Index(a.block.Insts, edit.Insts[0])
	to := from + len(edit.Insts)
	for _, other := range a.runs {
		overlaps := from < other[1] && other[0] < to
		inside := other[0] <= from && to <= other[1] || from <= other[0] && other[1] <= to
		if overlaps && !inside {
			return false
		}
	}
	a.runs = append(a.runs, [2]int{from, to})
	return true
}
