package features

import (
	"math"
	"slices"
)

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
	Columns:  scaledDescriptions(),
	Requires: []Requirement{extremes},
	PerSite: func(s *site, row []float64) {
		numbers, r := farmNumbers.of(s), extremes.of(s.owner())
		for k, x := range numbers {
			row[k] = math.NaN()
			switch {
			case r.high[k] > r.low[k]:
				row[k] = (x - r.low[k]) / (r.high[k] - r.low[k])
			case x == x:
				row[k] = 0
			}
		}
	},
}

func scaledDescriptions() []Column {
	var out []Column
	for _, name := range scaledColumns {
		out = append(out, Column{Name: name + "_scaled", Unit: "share", Source: "own", Beyond: Others, Doc: "place of " + name + " between the least and the greatest value among the module's mutants"})
	}
	return out
}

// farmFamilies have the scaled columns among theirs, at farmPlaces.
var (
	farmFamilies = []*Family{&complexity, &controlFlow, &tree, &outData, &inData, &outControl, &inControl, &tie, &parents}
	farmPlaces   = placesOf(scaledColumns, farmFamilies)
)

// placesOf are the places of the named columns in each family.
func placesOf(names []string, families []*Family) (out [][]int) {
	for _, f := range families {
		var own []int
		for k := range f.Columns {
			if slices.Contains(names, f.Columns[k].Name) {
				own = append(own, k)
			}
		}
		out = append(out, own)
	}
	return out
}

// farmNumbers are the values of the scaled columns at a site.
var farmNumbers = &analysis[*site, []float64]{
	name: "numbers of FaRM", requires: requirementsOf(farmFamilies),
	find: func(s *site) []float64 {
		out := make([]float64, 0, len(scaledColumns))
		for i, f := range farmFamilies {
			row := make([]float64, len(f.Columns))
			f.PerSite(s, row)
			for _, at := range farmPlaces[i] {
				out = append(out, row[at])
			}
		}
		return out
	},
}

func requirementsOf(families []*Family) (out []Requirement) {
	for _, f := range families {
		out = append(out, f.Requires...)
	}
	return out
}

// bounds are the least and greatest values of the scaled columns.
type bounds struct{ low, high []float64 }

func newBounds() *bounds {
	b := &bounds{}
	for range scaledColumns {
		b.low, b.high = append(b.low, math.Inf(1)), append(b.high, math.Inf(-1))
	}
	return b
}

// join widens the bounds to those of other values, as far as they are known.
func (b *bounds) join(low, high []float64) {
	for k := range low {
		if low[k] == low[k] {
			b.low[k], b.high[k] = min(b.low[k], low[k]), max(b.high[k], high[k])
		}
	}
}

// extremes are the bounds over all sites of the program.
var extremes = &analysis[*program, *bounds]{
	name: "extremes of the module", requires: []Requirement{farmNumbers},
	find: func(p *program) *bounds {
		all := newBounds()
		for _, own := range eachFunction(p, func(f *function) *bounds {
			b := newBounds()
			for _, s := range f.sites {
				b.join(farmNumbers.of(s), farmNumbers.of(s))
			}
			return b
		}) {
			all.join(own.low, own.high)
		}
		return all
	},
}
