package experiment

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/features"
)

func TestEveryFeatureCountsInOneFamily(t *testing.T) {
	columns := features.FullSchema().Names()[1:]
	names, groups := familiesOf(columns)
	seen := make([]int, len(columns))
	for _, group := range groups {
		for _, i := range group {
			seen[i]++
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("%s is in %d families", columns[i], n)
		}
	}
	at := slices.Index(names, "infection")
	if some, few := familiesOf([]string{"infect_share"}); at < 0 || !slices.Contains(groups[at], slices.Index(columns, "infect_share")) || !slices.Equal(some, []string{"infection"}) || len(few) != 1 {
		t.Errorf("families %v of one column, %v of all", some, names)
	}
	if got := largest([]float64{0, 3, 0, 5, 4}, 2); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("the two largest are at %v", got)
	}
}
