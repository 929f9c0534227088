package rank

import "github.com/winnow-mutants/winnow/features"

// Observed is what runs of the original on a program's tests told: for a model that
// reads dynamic features, and for a budget.
type Observed struct {
	Dynamic *features.Dynamic
	// Seconds is how long it would take to run each mutant, by id: as long as the
	// original took on the tests that infect it. Mutants that a map lacks cost
	// nothing, for no test could tell them from the original.
	Seconds map[string]float64
}
