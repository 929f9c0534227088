package operator

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// A mutant's id hangs on its C text, and what users see may be another text (package face,
// Renderer.Shown). In functions where it may be, each rule is asked twice, with the face of
// ids and with that of users. What the first proposes is made; what the second proposes in
// its place, if it does the same to the code, is what is shown. Where it does not, no text
// of C is known to do what the mutant does.

// with is a copy of a place, and of the one that is shown, that is changed.
func (p *Place) with(change func(*Place)) *Place {
	own := *p
	change(&own)
	if p.shown != nil {
		shown := *p.shown
		change(&shown)
		own.shown = &shown
	}
	return &own
}

// findShown asks a matcher about what is shown. One that fails matches nothing.
func findShown(place *Place, fragment string) (out []*match) {
	matcher, ok := matchers[fragment]
	if !ok {
		return nil
	}
	quietly(func() { out = matcher.Find(place) })
	return out
}

// quietly isolates what may fail: it has been reported already, by the face of ids.
func quietly(do func()) {
	defer func() { _ = recover() }()
	do()
}

// twinOf finds the k-th match among those that are shown: the one of the same instructions,
// or of several the one that comes as late.
func twinOf(matches []*match, k int, shown []*match) *match {
	same := func(m *match) bool { return slices.Equal(m.run, matches[k].run) && m.slot == matches[k].slot }
	before := 0
	for _, m := range matches[:k] {
		if same(m) {
			before++
		}
	}
	for _, m := range shown {
		if !same(m) {
			continue
		}
		if before == 0 {
			return m
		}
		before--
	}
	return nil
}

// views are what is shown of some proposals. Most of them nobody wants to see.
type views struct {
	of      []Proposal
	propose func() []Proposal // nil once it was asked
	found   []*Proposal
}

// seeAs has proposals find what is shown of them, and whether it does the same to the code.
func seeAs(proposals []Proposal, propose func() []Proposal) {
	v := &views{of: proposals, propose: propose}
	for i := range proposals {
		proposals[i].shown, proposals[i].number = v, i
	}
}

// see is what is shown of a proposal; nil where it was not found.
func (v *views) see(number int) *Proposal {
	if v == nil {
		return nil
	}
	if propose := v.propose; propose != nil {
		v.propose, v.found = nil, make([]*Proposal, len(v.of))
		quietly(func() {
			shown := propose()
			if len(shown) != len(v.of) {
				return
			}
			for i := range v.of {
				v.found[i] = &shown[i]
				shown[i].irOnly = shown[i].irOnly || effectOf(v.of[i].Edit) != effectOf(shown[i].Edit)
			}
		})
	}
	return v.found[number]
}

// effectOf describes an edit: what it replaces, and by which code.
func effectOf(edit mutant.Edit) string {
	var b strings.Builder
	code := &mutant.Code{Prefix: "rehearsal"}
	switch e := edit.(type) {
	case mutant.Redirect:
		fmt.Fprintf(&b, "%p", e.Term)
		term := e.Emit(code)
		fmt.Fprintf(&b, " %s", term.LLString())
	case mutant.Rewrite:
		for _, inst := range e.Insts {
			fmt.Fprintf(&b, "%p ", inst)
		}
		fmt.Fprintf(&b, "%p", e.Result)
		if e.Emit == nil {
			break
		}
		var result value.Value
		if result = e.Emit(code); result != nil {
			b.WriteString(" " + result.Ident())
		}
	}
	for _, inst := range code.Insts {
		b.WriteString("\n" + inst.LLString())
	}
	return b.String()
}

// show gives a mutant what users see of it, and its place in a macro.
func (p *Place) show(m *mutant.Mutant, own Proposal, at any) {
	s := own.shown.see(own.number)
	if s == nil {
		m.Original, m.Replacement, m.IROnly = p.codeAt(at), unsaid, true
		return
	}
	m.Original, m.Replacement, m.IROnly = s.Original.C, s.Replacement.C, m.IROnly || s.irOnly
	if m.Original == m.Replacement {
		m.Original, m.IROnly = inParens(s.Original).C, true
	}
	// A macro's call says nothing of what is changed inside it.
	if made := p.Face.Made(m.Original); made != "" && !strings.Contains(m.Replacement, m.Original) {
		m.Original = made
	}
	token, known := p.Face.Origin(at)
	if s.label != nil && token > 0 {
		token = s.label.Token
	}
	m.Token, m.IROnly = int(token), m.IROnly || !known
}

// unsaid is what C does not say.
const unsaid = "…"

// codeAt is what an instruction computes, or what it does.
func (p *Place) codeAt(inst any) string {
	switch i := inst.(type) {
	case *llir.InstStore:
		return p.assignmentText(i)
	case value.Value:
		return p.Face.Of(i).C
	}
	return unsaid
}
