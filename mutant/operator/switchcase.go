package operator

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// removedCases drops one case each.
func (p *Place) removedCases(term *llir.TermSwitch) []Proposal {
	var out []Proposal
	labels := p.Face.CaseLabels(term)
	for k, c := range term.Cases {
		if c.Target == term.TargetDefault {
			continue
		}
		label := labels[k]
		out = append(out, Proposal{
			Matcher: "SWITCH", Replacer: "REMOVECASES",
			Original:    label.Text,
			Replacement: face.Text{C: "/* " + label.Text.C + " */", Prec: face.Primary},
			label:       &label,
			Edit: mutant.Redirect{Term: term, Emit: func(*mutant.Code) llir.Terminator {
				twin := *term
				twin.Successors = nil
				twin.Cases = append(append([]*llir.Case(nil), term.Cases[:k]...), term.Cases[k+1:]...)
				return &twin
			}},
		})
	}
	return out
}
