package features_test

import (
	"math"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/mutant"
)

// Two tests execute the site of a and b: on the first it has the values 3 and 0, on the
// second -20. Mutant a adds one on both, b makes 0 of 3 on the first and goes
// elsewhere on the second; of c, at another site, nothing is known but that it is
// infected.
func TestWhatValuesWereLikeIsSummedUpOverTests(t *testing.T) {
	first, second := mutant.ValueOf(3)|mutant.ValueOf(0), mutant.ValueOf(-20)
	up := mutant.ChangeOf(3, 4) | mutant.ChangeOf(0, 1)
	p := observe(t, []features.Place{{ID: "a"}, {ID: "b"}, {ID: "c", Site: 1}}, 4, []features.Observation{
		{Mutant: 0, Test: 0, Executions: 2, Infections: 2, Profile: &features.ValueProfile{Values: first, Changes: up}}, {Mutant: 0, Test: 1, Executions: 1, Infections: 1, Profile: &features.ValueProfile{Values: second, Changes: mutant.ChangeOf(-20, -19)}},
		{Mutant: 1, Test: 0, Executions: 2, Infections: 1, Profile: &features.ValueProfile{Values: first, Changes: mutant.ChangeOf(3, 0)}}, {Mutant: 1, Test: 1, Executions: 1, Infections: 1, Profile: &features.ValueProfile{Values: second, Changes: mutant.ChangeWay}},
		{Mutant: 2, Test: 0, Executions: 1, Infections: 1},
	})
	for _, want := range []struct {
		mutant int
		column string
		value  float64
	}{
		{0, "value_zero_share", .5}, {0, "value_negative_share", .5}, {0, "value_one_share", 0}, {1, "value_classes", 3}, {0, "value_largest", 4},
		{0, "change_least", 1}, {0, "change_most", 1}, {0, "change_by_one_share", 1}, {0, "change_up_share", 1}, {0, "change_down_share", 0},
		{0, "change_zero_share", .5}, {0, "change_to_one_share", .5}, {0, "change_parity_share", 1}, {0, "change_sign_share", 0},
		{0, "change_to_negative_share", .5}, {0, "change_steadiness", 1}, {0, "change_way_share", 0},
		{1, "change_way_share", .5}, {1, "change_to_zero_share", .5}, {1, "change_least", 2}, {1, "change_by_one_share", 0}, {1, "change_steadiness", .5},
	} {
		if got := p.value(want.mutant, want.column); math.Abs(got-want.value) > 1e-12 {
			t.Errorf("%s of %s is %v, want %v", want.column, p.places[want.mutant].ID, got, want.value)
		}
	}
	for _, column := range []string{"value_zero_share", "value_distinct", "change_least", "change_up_share", "change_way_share"} {
		if got := p.value(2, column); got == got {
			t.Errorf("%s of c is %v, and nothing is known of it", column, got)
		}
	}
}
