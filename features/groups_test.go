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
	if !slices.Equal(columns(t, "static+shown"), features.Schema().Names()[1:]) || !slices.Equal(static, features.Learnt()) {
		t.Error("a table's columns are not what is learnt from and the sets")
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

func TestDynamicColumnsAreNotThoseOfAProgramAlone(t *testing.T) {
	static, dynamic := columns(t, "static"), columns(t, "dynamic")
	for _, name := range dynamic {
		if slices.Contains(static, name) || features.Schema().Index(name) >= 0 || features.FullSchema().Index(name) < len(static) {
			t.Errorf("%s is among the static columns", name)
		}
	}
}

func TestExecutionsAndInfectionsAreCountedOverTests(t *testing.T) {
	p := observe(t, []features.Place{{ID: "a"}, {ID: "b", Site: 1}}, 4, []features.Observation{
		{Mutant: 0, Test: 0, Executions: 5, Infections: 3}, {Mutant: 0, Test: 2, Executions: 2},
	})
	for _, want := range []struct {
		row    int
		column string
		value  float64
	}{
		{0, "reach_tests", 2}, {0, "reach_share", .5}, {0, "infect_tests_share", .25}, {0, "infect_reach_share", .5}, {0, "executions", 3}, {0, "infections", 2},
		{0, "infection_rate", 3. / 7}, {1, "reach_share", 0}, {1, "executions", 0},
	} {
		if got := p.value(want.row, want.column); got != want.value {
			t.Errorf("mutant %d: %s is %v, want %v", want.row, want.column, got, want.value)
		}
	}
	for _, column := range []string{"infect_reach_share", "infection_rate"} {
		if got := p.value(1, column); got == got {
			t.Errorf("%s is %v where no test executes the site", column, got)
		}
	}
	unknown := make([]float64, len(p.columns))
	p.dynamic.Fill("c", unknown)
	for k, x := range unknown {
		if x == x {
			t.Errorf("%s of a mutant that is not there is %v", p.columns[k], x)
		}
	}
}
