package experiment

import (
	"fmt"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
)

func TestTheExistingSuiteNeverRevealsTheFault(t *testing.T) {
	evidence := &dataset.Evidence{Reveals: matrix.BitsOf(20, 3, 4, 17)}
	probed := map[string]bool{}
	for i := range 20 {
		evidence.Tests = append(evidence.Tests, fmt.Sprint("t", i))
		probed[evidence.Tests[i]] = i != 0
	}
	drawn := map[string]bool{}
	for seed := range uint64(200) {
		suite := existingSuite(evidence, probed, "p/f", seed)
		if len(suite) != 4 || !slices.Equal(suite, existingSuite(evidence, probed, "p/f", seed)) { // a quarter of 16
			t.Fatalf("seed %d: %v", seed, suite)
		}
		for _, test := range suite {
			drawn[test] = true
		}
	}
	if len(drawn) != 16 || drawn["t3"] || drawn["t4"] || drawn["t17"] || drawn["t0"] {
		t.Errorf("drawn from %v", drawn)
	}
	evidence.Reveals = matrix.BitsOf(20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
	if suite := existingSuite(evidence, probed, "p/f", 1); suite != nil {
		t.Errorf("one test does not reveal, and stands for the suite: %v; no label could be negative", suite)
	}
	evidence.Reveals = matrix.BitsOf(20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
	if suite := existingSuite(evidence, probed, "p/f", 1); suite != nil {
		t.Errorf("all tests reveal, and yet there is %v", suite)
	}
}
