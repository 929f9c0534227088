package features_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/mutant"
)

func columns(t *testing.T, expression string) []string {
	t.Helper()
	out, err := features.Columns(expression)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheGroupFarmIsTheTwentyEightPublishedFeatures(t *testing.T) {
	in := map[string]bool{}
	for _, name := range columns(t, "farm") {
		in[name] = true
	}
	seen := map[string]int{}
	for _, f := range features.All() {
		for _, c := range f.Columns {
			if published := strings.HasPrefix(c.Source, "FaRM "); published != in[c.Name] {
				t.Errorf("%s, of %s, is in the group: %v", c.Name, c.Source, in[c.Name])
			} else if published {
				seen[c.Source]++
			}
		}
	}
	types := len(mutant.Matchers()) + len(mutant.Replacers())
	for n := 1; n <= 28; n++ {
		want := 1
		switch n {
		case 16, 18, 27, 28:
			want = seen[fmt.Sprintf("FaRM %d", n)] // one a kind
		case 17, 19, 20, 21, 22, 23:
			want = types
		}
		if got := seen[fmt.Sprintf("FaRM %d", n)]; got != want || got == 0 {
			t.Errorf("feature %d has %d columns, want %d", n, got, want)
		}
	}
}

func TestGroupsAddUpAndComeInTheOrderOfTheTable(t *testing.T) {
	static, dynamic, all := columns(t, "static"), columns(t, "dynamic"), columns(t, "all")
	if !slices.Equal(static, features.Schema().Names()[1:]) {
		t.Error("a table's columns are not the static group")
	}
	if got := columns(t, "dynamic+static"); !slices.Equal(got, all) || len(all) != len(static)+len(dynamic) {
		t.Errorf("%d static and %d dynamic columns make %d", len(static), len(dynamic), len(got))
	}
	without := columns(t, "static-tie")
	if slices.Contains(without, "tie") || len(without) != len(static)-2 {
		t.Errorf("%d of %d columns without the family tie", len(without), len(static))
	}
	for _, wrong := range []string{"", "farm+", "kills", "tie-static"} {
		if got, err := features.Columns(wrong); err == nil {
			t.Errorf("%q gives %v", wrong, got)
		}
	}
}

func TestDynamicColumnsAreThereOnlyWhenAskedFor(t *testing.T) {
	m, mutants := generate(t, rotations)
	plain, err := features.Extract(m, mutants)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := mutants[0].ID, mutants[1].ID, mutants[2].ID
	measured, err := features.Extract(m, mutants, features.WithDynamic(&features.Dynamic{
		Tests: 4, Reached: map[string]int{a: 2, b: 0}, Infected: map[string]int{a: 1, b: 0},
		Executions: map[string]int64{a: 7, b: 0}, Infections: map[string]int64{a: 3, b: 0},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if plain.Schema().Index("reach_tests") >= 0 || len(measured.Schema()) != 1+len(columns(t, "all")) {
		t.Errorf("%d columns without a run, %d with", len(plain.Schema()), len(measured.Schema()))
	}
	s := &subject{t, mutants, measured}
	for _, want := range []struct {
		row    int
		column string
		value  float64
	}{
		{0, "reach_tests", 2}, {0, "reach_share", .5}, {0, "infect_tests_share", .25}, {0, "infect_reach_share", .5}, {0, "executions", 3}, {0, "infections", 2},
		{0, "infection_rate", 3. / 7}, {1, "reach_share", 0}, {1, "executions", 0},
	} {
		if got := s.value(want.row, want.column); got != want.value {
			t.Errorf("mutant %d: %s is %v, want %v", want.row, want.column, got, want.value)
		}
	}
	for _, missing := range []struct {
		row    int
		column string
	}{{1, "infect_reach_share"}, {1, "infection_rate"}, {2, "reach_tests"}, {2, "executions"}} {
		if got := s.value(missing.row, missing.column); got == got {
			t.Errorf("mutant %s: %s is %v where nothing is known", c, missing.column, got)
		}
	}
}
