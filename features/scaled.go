package features

import "math"

// scaledColumns are FaRM's fifteen numbers.
var scaledColumns = []string{
	"complexity", "cfg_depth", "cfg_predecessors", "cfg_successors", "tree_parents",
	"out_data", "in_data", "out_control", "in_control", "tie",
	"parent_out_data", "parent_in_data", "parent_out_control", "parent_in_control", "parent_tie",
}

var scaled = Family{
	Name: "scaled",
	Doc: "FaRM's numbers once more, from 0 for the least value among the module's mutants to 1 for the greatest, as Mart scales them; 0 where all are equal. " +
		"They say what is much for this program; the numbers themselves mean the same everywhere.",
	Columns: scaledDescriptions(),
	FromRow: func(s *site, row, part []float64) {
		r := s.p.extremes
		for k, at := range r.at {
			part[k] = math.NaN()
			switch x := row[at]; {
			case r.high[k] > r.low[k]:
				part[k] = (x - r.low[k]) / (r.high[k] - r.low[k])
			case x == x:
				part[k] = 0
			}
		}
	},
}

func scaledDescriptions() []Column {
	var out []Column
	for _, name := range scaledColumns {
		out = append(out, Column{Name: name + "_scaled", Unit: "share", Source: "own", Layout: true, Doc: "place of " + name + " between the least and the greatest value among the module's mutants"})
	}
	return out
}

// extremes are the least and greatest values of the scaled columns.
type extremes struct {
	at        []int // columns of a row
	low, high []float64
}

// findExtremes computes the families that hold the scaled columns once for each
// site.
func (p *program) findExtremes(families []Family) *extremes {
	r := &extremes{}
	wanted := map[string]bool{}
	for _, name := range scaledColumns {
		wanted[name] = true
	}
	var holding []Family
	var places []int // in a row of the holding families
	column, width := 0, 0
	for _, f := range families {
		holds := false
		for k, c := range f.Columns {
			if wanted[c.Name] {
				holds = true
				r.at = append(r.at, column+k)
				places = append(places, width+k)
			}
		}
		column += len(f.Columns)
		if holds {
			holding = append(holding, f)
			width += len(f.Columns)
		}
	}
	for range places {
		r.low, r.high = append(r.low, math.Inf(1)), append(r.high, math.Inf(-1))
	}
	row := make([]float64, width)
	for _, s := range p.sites {
		clear(row)
		fill(holding, row, func(f *Family, part []float64) { f.PerSite(s, part) })
		for k, at := range places {
			if x := row[at]; x == x {
				r.low[k], r.high[k] = min(r.low[k], x), max(r.high[k], x)
			}
		}
	}
	return r
}
