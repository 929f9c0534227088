package operator

import (
	"fmt"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// switchCase forgets one case of a switch: its value goes to the default.
var switchCase = Operator{
	Name: "switch",
	Doc:  "drops a case of a switch: `case 3:` is handled by `default:`",
	Match: func(p *Place) []Proposal {
		term, ok := p.Term.(*llir.TermSwitch)
		if !ok {
			return nil
		}
		var out []Proposal
		for k, c := range term.Cases {
			if c.Target == term.TargetDefault {
				continue
			}
			out = append(out, Proposal{
				Matcher: "SWITCH", Replacer: "REMOVECASES",
				Original:    face.Text{C: fmt.Sprintf("switch (%s) … case %s:", p.Face.Of(term.X).C, p.Face.Of(c.X).C), Prec: face.Primary},
				Replacement: face.Text{C: "default:", Prec: face.Primary},
				Edit: mutant.Redirect{Term: term, Emit: func(*mutant.Code) llir.Terminator {
					twin := *term
					twin.Successors = nil
					twin.Cases = append(append([]*llir.Case(nil), term.Cases[:k]...), term.Cases[k+1:]...)
					return &twin
				}},
			})
		}
		return out
	},
}
