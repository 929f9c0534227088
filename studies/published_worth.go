package studies

import (
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/number"
)

// farmGroups are the groups of FaRM's features that the scores of Mart's shipped
// models add up by: the features of table 6.1 from first to last, and the share of the
// score of the models default-trained (FaRM) and equivalent-mutants (what tells the
// equivalent from the killable), in tools/useful/trained-models of Mart.
var farmGroups = []struct {
	name        string
	first, last int
	fault, kill number.Float
}{
	{"numeric", 1, 15, 0.236, 0.240},
	{"in-control types", 23, 23, 0.228, 0.092},
	{"out-data types", 20, 20, 0.156, 0.109},
	{"in-data types", 21, 21, 0.122, 0.092},
	{"out-control types", 22, 22, 0.089, 0.032},
	{"own type", 17, 17, 0.073, 0.369},
	{"parent's types", 19, 19, 0.031, 0.019},
	{"block kind", 18, 18, 0.028, 0.020},
	{"data types", 27, 28, 0.026, 0.012},
	{"parent's kind", 16, 16, 0.009, 0.009},
	{"operands' kinds", 24, 26, 0.004, 0.008},
}

// beyondFarm names the columns that are none of FaRM's.
const beyondFarm = "not in FaRM"

// AddPublishedWorth puts the groups that FaRM's scores were published by beside what
// features are worth here.
func AddPublishedWorth(list []*experiment.Importance) {
	for _, i := range list {
		i.Published = publishedGroups(i.Label, i.Columns, i.Gains)
	}
}

// publishedGroups adds up gains by FaRM's groups; nil unless all its features are
// among the columns, and for labels that nobody published scores of.
func publishedGroups(label string, columns []string, gains []float64) []experiment.PublishedWorth {
	fault := label == experiment.FaultLabel || label == farmWeighted
	if !fault && label != experiment.KillLabel {
		return nil
	}
	feature := map[string]int{} // of FaRM's feature, by column
	for _, family := range features.All() {
		for _, c := range family.Columns {
			var n int
			if _, err := fmt.Sscanf(c.Source, "FaRM %d", &n); err == nil {
				feature[c.Name] = n
			}
		}
	}
	out := make([]experiment.PublishedWorth, len(farmGroups)+1)
	seen := map[int]bool{}
	for i, name := range columns {
		n := feature[name]
		seen[n] = true
		at := len(farmGroups)
		for g := range farmGroups {
			if n >= farmGroups[g].first && n <= farmGroups[g].last {
				at = g
			}
		}
		out[at].Columns++
		out[at].Gain += number.Float(gains[i])
	}
	for n := 1; n <= 28; n++ {
		if !seen[n] {
			return nil
		}
	}
	for g := range farmGroups {
		out[g].Name, out[g].Published = farmGroups[g].name, farmGroups[g].kill
		if fault {
			out[g].Published = farmGroups[g].fault
		}
	}
	last := &out[len(farmGroups)]
	last.Name, last.Published = beyondFarm, number.Float(math.NaN())
	if last.Columns == 0 {
		out = out[:len(farmGroups)]
	}
	return out
}
