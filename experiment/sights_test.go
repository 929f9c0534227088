package experiment_test

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// A probe that was recorded before values, or what leaves a function, were noted leaves
// them missing, and all else is as it was.
func TestAnOlderProbeHasNoValues(t *testing.T) {
	names, err := features.Columns("dynamic")
	if err != nil {
		t.Fatal(err)
	}
	row := func(columns int) []float64 {
		probe, err := table.New(dataset.ProbeSchema()[:columns])
		if err != nil {
			t.Fatal(err)
		}
		cells := []any{"m", "t", int64(3), int64(2), int64(1), int64(1), int64(3)} // the value 0, a difference of one, a trap
		if err := probe.Append(cells[:columns]...); err != nil {
			t.Fatal(err)
		}
		d, err := experiment.DynamicOf(probe, []features.Place{{ID: "m"}}, []string{"t"})
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, len(names))
		d.Fill("m", out)
		return out
	}
	older, newer := row(4), row(7)
	sights, err := features.Columns("sights")
	if err != nil {
		t.Fatal(err)
	}
	firm, err := features.Columns("firm")
	if err != nil {
		t.Fatal(err)
	}
	between := row(6)
	for k, name := range names {
		a, b := older[k], newer[k]
		if slices.Contains(firm, name) {
			if between[k] == between[k] || a == a || name == "firm_trapped_share" && b != 1 {
				t.Errorf("%s is %v, %v and %v", name, a, between[k], b)
			}
			continue
		}
		switch {
		case !slices.Contains(sights, name):
			if a != b && (a == a || b == b) {
				t.Errorf("%s is %v and %v", name, a, b)
			}
		case a == a:
			t.Errorf("%s is %v where no value is known", name, a)
		case name == "value_zero_share" && b != 1 || name == "change_least" && b != 1:
			t.Errorf("%s is %v, want 1", name, b)
		}
	}
}
