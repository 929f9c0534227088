package patch

import (
	"strings"

	"github.com/winnow-mutants/winnow/csource"
)

func (s search) label() (csource.Change, Reason) {
	at := s.statement()
	if at == nil || at.Kind != csource.Case || !isLabel(at, s.m.Original) {
		return csource.Change{}, NotFound
	}
	return orDirective(at.ReplaceLabel(s.m.Replacement))
}

// shuffleCases exchanges two labels of a switch: `case 1: … case 2:`.
const shuffleCases = "SHUFFLECASESDESTS"

// exchange finds the two labels of a switch that change places. The first one
// stands at the mutant's place, and the other one somewhere in the switch.
func (s search) exchange() (csource.Change, Reason) {
	first, second, cut := strings.Cut(s.m.Original, " "+ellipsis+" ")
	at := s.statement()
	if !cut || at == nil || at.Kind != csource.Case || !isLabel(at, first) {
		return csource.Change{}, NotFound
	}
	around := at.Parent
	for around != nil && around.Kind != csource.Switch {
		around = around.Parent
	}
	if around == nil {
		return csource.Change{}, NotFound
	}
	var other *csource.Stmt
	around.Walk(func(child *csource.Stmt) bool {
		if isLabel(child, second) {
			other = child
		}
		return child == around || child.Kind != csource.Switch
	})
	switch {
	case other != nil:
		return orDirective(at.ExchangeLabel(other))
	case second == "default:":
		return orDirective(at.DefaultLabel())
	}
	return csource.Change{}, NotFound
}

// isLabel reports a labelled statement by its label.
func isLabel(s *csource.Stmt, text string) bool {
	switch s.Kind {
	case csource.Default:
		return text == "default:"
	case csource.Case:
		return len(s.Exprs) == 1 && (squeeze("case "+s.Exprs[0].Text()+":") == squeeze(text) || squeeze("case "+s.Exprs[0].Fragment().Text+":") == squeeze(text))
	}
	return false
}
