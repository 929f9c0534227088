package studies

import (
	"math"
	"testing"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/number"
)

func TestGainsAddUpByTheGroupsThatWerePublished(t *testing.T) {
	farm, err := features.Columns("farm")
	if err != nil {
		t.Fatal(err)
	}
	columns := append(farm, "infect_share")
	gains := make([]float64, len(columns))
	for i, name := range columns {
		switch name {
		case "cfg_depth", "parent_tie":
			gains[i] = 0.25
		case "in_control_replacer_NEG", "infect_share":
			gains[i] = 0.125
		case "has_operator", "child_literal":
			gains[i] = 0.0625
		}
	}
	got := map[string]number.Float{}
	sum, published, n := number.Float(0), number.Float(0), 0
	for _, g := range publishedGroups(experiment.FaultLabel, columns, gains) {
		got[g.Name] = g.Gain
		sum += g.Gain
		n += g.Columns
		if g.Name != beyondFarm {
			published += g.Published
		}
	}
	for name, want := range map[string]number.Float{"numeric": 0.5, "in-control types": 0.125, "operands' kinds": 0.125, "not in FaRM": 0.125, "own type": 0} {
		if got[name] != want {
			t.Errorf("%s has %v of the gain, want %v", name, got[name], want)
		}
	}
	if n != len(columns) || math.Abs(float64(sum)-0.875) > 1e-12 || math.Abs(float64(published)-1) > 0.005 {
		t.Errorf("%d columns, gains %v, published %v", n, sum, published)
	}
	if groups := publishedGroups(experiment.KillLabel, farm, gains[:len(farm)]); len(groups) != len(farmGroups) || groups[5].Published != 0.369 {
		t.Errorf("without others: %+v", groups)
	}
	if groups := publishedGroups("revelation", farm, gains[:len(farm)]); groups != nil {
		t.Errorf("a label that nobody published scores of has %+v", groups)
	}
	if groups := publishedGroups(experiment.FaultLabel, farm[1:], gains[1:len(farm)]); groups != nil {
		t.Errorf("without all features of FaRM: %+v", groups)
	}
}
