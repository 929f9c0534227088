package features

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/mutant"
)

// Place is where a mutant is, as far as the dynamic families compare mutants.
type Place struct {
	ID string
	// Site and Statement are numbers in the program.
	Site, Statement int
	File, Function  string
	Line            int // 0 where it is not known
}

// Observation is what the run of one test told of one mutant. Both are numbers:
// of the mutant among the places, of the test among the tests.
type Observation struct {
	Mutant, Test           int
	Executions, Infections int64
	// Sight is what is known of the values, nil where nothing is.
	Sight *Sight
	// Leaving is what becomes of the mutant until its function is left; 0 where nothing is
	// known.
	Leaving mutant.Leaving
}

// Sight is what the original's values were like at a mutant's site, and what the
// mutant would have made of them.
type Sight struct {
	Values  mutant.Values
	Changes mutant.Changes
}

// SightOf is the sight that a table of a probe has as two sets of bits.
func SightOf(values, changes int64) *Sight {
	return &Sight{mutant.Values(values), mutant.Changes(changes)}
}

// LeavingOf is the leaving that a table of a probe has as bits.
func LeavingOf(bits int64) mutant.Leaving { return mutant.Leaving(bits) }

// Observe sums up what runs of tests told of all mutants of a program. A mutant
// without an observation is one that no test reaches.
func Observe(places []Place, tests int, observations []Observation) *Dynamic {
	d := &Dynamic{Tests: tests, Reached: map[string]int{}, Infected: map[string]int{},
		Executions: map[string]int64{}, Infections: map[string]int64{}, relations: map[string][]float64{}}
	o := newObserved(places, tests, observations)
	for m := range places {
		id, s := places[m].ID, o.sites[o.siteOf[m]]
		d.Reached[id], d.Infected[id] = s.tests.Count(), o.infecting[m].Count()
		d.Executions[id], d.Infections[id] = s.executions, o.infections[m]
	}
	width := len(spectrum.Columns) + len(weak.Columns) + len(sights.Columns) + len(firm.Columns)
	cells := make([]float64, width*len(places))
	for m := range places {
		d.relations[places[m].ID] = cells[m*width : (m+1)*width : (m+1)*width]
	}
	o.fillSpectrum(func(m int) []float64 { return d.relations[places[m].ID][:len(spectrum.Columns)] })
	o.fillWeak(func(m int) []float64 { return d.relations[places[m].ID][len(spectrum.Columns):] })
	from := len(spectrum.Columns) + len(weak.Columns)
	o.fillSights(func(m int) []float64 { return d.relations[places[m].ID][from:] })
	from += len(sights.Columns)
	o.fillFirm(func(m int) []float64 { return d.relations[places[m].ID][from:] })
	return d
}

// observed is a program's mutants and what the tests did at them.
type observed struct {
	places []Place
	tests  int
	siteOf []int
	sites  []*observedSite // in order of their first mutant
	// infecting and infections are by mutant.
	infecting  []matrix.Bits
	infections []int64
	// seen are the observations by mutant, for the family sights.
	seen [][]Observation
}

// observedSite is a site that has mutants.
type observedSite struct {
	mutants    []int
	tests      matrix.Bits // that execute it
	perTest    map[int]int64
	executions int64
}

func newObserved(places []Place, tests int, observations []Observation) *observed {
	o := &observed{places: places, tests: tests, siteOf: make([]int, len(places)),
		infecting: make([]matrix.Bits, len(places)), infections: make([]int64, len(places)), seen: make([][]Observation, len(places))}
	numbers := map[int]int{}
	for m := range places {
		k, known := numbers[places[m].Site]
		if !known {
			k = len(o.sites)
			numbers[places[m].Site] = k
			o.sites = append(o.sites, &observedSite{tests: matrix.NewBits(tests), perTest: map[int]int64{}})
		}
		o.siteOf[m] = k
		o.sites[k].mutants = append(o.sites[k].mutants, m)
		o.infecting[m] = matrix.NewBits(tests)
	}
	for _, seen := range observations {
		s := o.sites[o.siteOf[seen.Mutant]]
		s.tests.Set(seen.Test)
		o.seen[seen.Mutant] = append(o.seen[seen.Mutant], seen)
		s.perTest[seen.Test] = max(s.perTest[seen.Test], seen.Executions)
		if seen.Infections > 0 {
			o.infecting[seen.Mutant].Set(seen.Test)
			o.infections[seen.Mutant] += seen.Infections
		}
	}
	for _, s := range o.sites {
		for _, n := range s.perTest {
			s.executions += n
		}
	}
	return o
}

// ranks returns the share of the values that are below each, those that equal it
// counted half, itself left out; NaN for a value that is alone.
func ranks(values []float64) []float64 {
	out := make([]float64, len(values))
	sorted := slices.Sorted(slices.Values(values))
	for i, x := range values {
		below, _ := slices.BinarySearch(sorted, x)
		upTo, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		others := float64(len(values) - 1)
		out[i] = (float64(below) + float64(upTo-below-1)/2) / others // 0/0 is NaN
	}
	return out
}

// binaryEntropy is that of an event with probability p, in bits.
func binaryEntropy(p float64) float64 {
	if p == 0 || p == 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}

// quotient is part of whole, NaN where whole is 0.
func quotient(part, whole float64) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return part / whole
}
