package face

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// CaseLabel is `case v:` with its place.
type CaseLabel struct {
	Text     Text
	Position ir.Position
	// Token is that of the label, from which it is told in a macro.
	Token csource.Token
}

// CaseLabels returns the labels of a switch in the order of its cases. Where
// the source does not tell, or gives a case several values (GNU ranges), the
// labels are made of the values and stand at the switch.
func (r *Renderer) CaseLabels(term *llir.TermSwitch) []CaseLabel {
	at := ir.PositionOf(term)
	var out []CaseLabel
	if s := r.statementOf(term); s != nil && s.Kind == csource.Switch {
		out = r.labelsOf(s, at.File)
	}
	if len(out) == len(term.Cases) {
		return out
	}
	out = nil
	for _, c := range term.Cases {
		out = append(out, CaseLabel{Text: Text{"case " + r.Of(c.X).C + ":", Primary}, Position: at})
	}
	return out
}

func (r *Renderer) labelsOf(s *csource.Stmt, file string) []CaseLabel {
	var out []CaseLabel
	s.Walk(func(child *csource.Stmt) bool {
		if child.Kind == csource.Case && len(child.Exprs) > 0 {
			out = append(out, CaseLabel{
				Text{"case " + r.textOf(child.Exprs[0]) + ":", Primary},
				ir.Position{File: file, Line: child.Start.Line, Column: child.Start.Column}, child.Token(),
			})
		}
		return child == s || child.Kind != csource.Switch
	})
	return out
}
