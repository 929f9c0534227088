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
	// Profile is what is known of the values, nil where nothing is.
	Profile *ValueProfile
	// AtExit is what becomes of the mutant until its function is left; 0 where nothing is
	// known.
	AtExit mutant.Leaving
}

// ValueProfile is what the original's values were like at a mutant's site, and what the
// mutant would have made of them.
type ValueProfile struct {
	Values  mutant.Values
	Changes mutant.Changes
}

// ProfileOf is the profile that a table of a probe has as two sets of bits.
func ProfileOf(values, changes int64) *ValueProfile {
	return &ValueProfile{mutant.Values(values), mutant.Changes(changes)}
}

// AtExitOf is the Observation.AtExit that a table of a probe has as bits.
func AtExitOf(bits int64) mutant.Leaving { return mutant.Leaving(bits) }

// Dynamic is what runs of the original program on tests tell of its mutants: the
// dynamic columns, by mutant. It comes from one run of a test under a build that notes
// what the mutants would have done; nothing in it comes from a mutant's own run, so it
// holds no kills. Nothing is known of the zero Dynamic's mutants.
type Dynamic struct{ rows map[string][]float64 }

// Fill copies the dynamic columns of a mutant, in the order of Columns("dynamic");
// they are missing for a mutant of which nothing is known.
func (d *Dynamic) Fill(id string, row []float64) {
	if copy(row, d.rows[id]) == 0 {
		missing(row)
	}
}

// Observe sums up what runs of tests told of all mutants of a program. A mutant
// without an observation is one that no test reaches.
func Observe(places []Place, tests int, observations []Observation) *Dynamic {
	return observe(dynamicFamilies(), places, tests, observations)
}

func observe(families []Family, places []Place, tests int, observations []Observation) *Dynamic {
	o := newObserved(places, tests, observations)
	width := widthOf(families)
	cells := make([]float64, width*len(places))
	from := 0
	for _, f := range families {
		f.FromTests(o, func(m int) []float64 { return cells[m*width+from:][:len(f.Columns):len(f.Columns)] })
		from += len(f.Columns)
	}
	d := &Dynamic{rows: make(map[string][]float64, len(places))}
	for m := range places {
		d.rows[places[m].ID] = cells[m*width : (m+1)*width : (m+1)*width]
	}
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
	// seen are the observations by mutant.
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
