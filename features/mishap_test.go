package features

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix/table"
)

const twoFunctions = "int f(int x) { return x + 1; }\nint g(int x) { return x * 2; }\n"

// Whoever panics, the other function and the other families have their values, and the
// caller is told whose are missing.
func TestAPanicCostsAFunctionThatFamilyAndNobodyElse(t *testing.T) {
	m := moduleOf(t, twoFunctions)
	in := func(f *function) bool { return f.code.Func.Name() == "f" }
	crash := func(in bool) {
		if in {
			var none []int
			_ = none[len(m.mutants)]
		}
	}
	ofFunction := &analysis[*function, int]{name: "crash", find: func(f *function) int { crash(in(f)); return 1 }}
	ofProgram := &analysis[*program, int]{name: "crash", find: func(*program) int { crash(true); return 1 }}
	planned := &sweep[int]{name: "crash", plan: func(*program) ([]func(), func() int) { crash(true); return nil, nil }}
	for name, c := range map[string]struct {
		family  Family
		missing string // functions
	}{
		"a mutant":    {Family{PerMutant: func(m *mutation, row []float64) { crash(in(m.site.fn)); row[0] = 1 }}, "function f"},
		"a site":      {Family{PerSite: func(s *site, row []float64) { crash(in(s.fn)); row[0] = 1 }}, "function f"},
		"the program": {Family{PerProgram: func(m *mutation, row []float64) { crash(in(m.site.fn)); row[0] = 1 }}, "function f"},
		"an analysis": {Family{Requires: []Requirement{ofFunction}, PerMutant: func(m *mutation, row []float64) { row[0] = float64(ofFunction.of(m.site.fn)) }}, "function f"},
		"an analysis of the program": {Family{Requires: []Requirement{ofProgram}, PerMutant: func(m *mutation, row []float64) {
			row[0] = float64(ofProgram.of(m.owner()))
		}}, "2 functions (f, g)"},
		"a plan": {Family{Requires: []Requirement{planned}, PerProgram: func(m *mutation, row []float64) { row[0] = float64(planned.of(m.owner())) }}, "2 functions (f, g)"},
		"a task": {Family{Requires: []Requirement{crashing}, PerProgram: func(m *mutation, row []float64) { row[0] = float64(crashing.of(m.owner())) }}, "2 functions (f, g)"},
	} {
		c.family.Name, c.family.Columns = "unlucky", []Column{{Name: "x"}}
		lucky := Family{Name: "lucky", Columns: []Column{{Name: "y"}}, PerMutant: func(_ *mutation, row []float64) { row[0] = 2 }}
		var told []string
		rows := 0
		err := stream([]Family{c.family, lucky}, m.m, m.mutants, func(batch *table.Table) error {
			for i := range batch.Rows() {
				x, y := batch.Value(i, 1).(float64), batch.Value(i, 2).(float64)
				if isLost := c.missing != "function f" || m.mutants[rows].Function == "f"; math.IsNaN(x) != isLost || y != 2 {
					t.Errorf("%s panics: mutant %d of %s has %v and %v", name, i, m.mutants[rows].Function, x, y)
				}
				rows++
			}
			return nil
		}, WithMishaps(func(m Mishap) { told = append(told, m.String()) }), WithWorkers(2))
		if err != nil || rows != len(m.mutants) {
			t.Errorf("%s panics: %d of %d rows, %v", name, rows, len(m.mutants), err)
		}
		want := fmt.Sprintf("features of %s are missing (unlucky)", c.missing)
		if len(told) != 1 || !strings.HasPrefix(told[0], want) {
			t.Errorf("%s panics, and the caller is told %q, want %q", name, told, want)
		} else if name != "a task" && !strings.Contains(told[0], "mishap_test.go:") {
			t.Errorf("%s panics, and its place is not told: %s", name, told[0])
		}
	}
}
