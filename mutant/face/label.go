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
}

// CaseLabels returns the labels of a switch in the order of its cases. Where
// the source does not tell, or gives a case several values (GNU ranges), the
// labels are made of the values and stand at the switch.
func (r *Renderer) CaseLabels(term *llir.TermSwitch) []CaseLabel {
	at := ir.PositionOf(term)
	var out []CaseLabel
	if file := r.fileAt(at); file != nil {
		if s := file.StatementAt(at.Line, at.Column); s != nil && s.Kind == csource.Switch {
			out = labelsOf(s, at.File)
		}
	}
	if len(out) == len(term.Cases) {
		return out
	}
	out = nil
	for _, c := range term.Cases {
		out = append(out, CaseLabel{Text{"case " + r.Of(c.X).C + ":", Primary}, at})
	}
	return out
}

func labelsOf(s *csource.Stmt, file string) []CaseLabel {
	var out []CaseLabel
	s.Walk(func(child *csource.Stmt) bool {
		if child.Kind == csource.Case && len(child.Exprs) > 0 {
			out = append(out, CaseLabel{
				Text{"case " + child.Exprs[0].Text() + ":", Primary},
				ir.Position{File: file, Line: child.Start.Line, Column: child.Start.Column},
			})
		}
		return child == s || child.Kind != csource.Switch
	})
	return out
}
