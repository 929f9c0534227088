package features

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// module is a compiled program with its mutants and its source.
type module struct {
	m       *ir.Module
	mutants []mutant.Mutant
	source  *csource.File
}

func moduleOf(t testing.TB, source string) *module {
	t.Helper()
	m, mutants := compiled(t, source)
	file, err := csource.Parse(m.LLVM.SourceFilename, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &module{m, mutants, file}
}

// table computes families with so many workers.
func (m *module) table(families []Family, workers int) (out *table.Table, err error) {
	err = stream(families, m.m, m.mutants, func(batch *table.Table) error {
		if out == nil {
			out = batch
			return nil
		}
		return out.AppendTable(batch)
	}, WithSource(m.source), WithAges(func(_ string, line int) (float64, float64, bool) { return float64(line), 2, true }), WithWorkers(workers))
	return out, err
}

func calendar(t testing.TB) *module {
	t.Helper()
	source, err := os.ReadFile("../examples/calendar/calendar.c")
	if err != nil {
		t.Fatal(err)
	}
	return moduleOf(t, string(source))
}

func TestTheNumberOfWorkersChangesNoByte(t *testing.T) {
	m := calendar(t)
	if len(m.mutants) < 2*batchRows {
		t.Fatalf("%d mutants are too few batches", len(m.mutants))
	}
	one, err := m.table(staticFamilies(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range deep.Sample(t, 1, []int{5, 2}) {
		if several, err := m.table(staticFamilies(), workers); err != nil || !one.Equal(several) {
			t.Errorf("the table of %d workers is another one than that of one worker (error: %v)", workers, err)
		}
	}
}

// Rows come in the order of the mutants, whatever it is: here functions take turns, and
// batches wait for all of them.
func TestMutantsOfFunctionsMayTakeTurns(t *testing.T) {
	m := calendar(t)
	slices.SortStableFunc(m.mutants, func(a, b mutant.Mutant) int { return int(a.Selector)%97 - int(b.Selector)%97 })
	one, err := m.table(staticFamilies(), 1)
	if err != nil {
		t.Fatal(err)
	}
	several, err := m.table(staticFamilies(), 5)
	if err != nil || !one.Equal(several) {
		t.Errorf("the table of five workers is another one (error: %v)", err)
	}
	ids, err := one.Strings("id")
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.mutants {
		if ids[i] != m.mutants[i].ID {
			t.Fatalf("row %d is of %s, not of %s", i, ids[i], m.mutants[i].ID)
		}
	}
}

func TestAFamilyAloneHasTheValuesThatItHasAmongAll(t *testing.T) {
	m := moduleOf(t, varied)
	all, err := m.table(staticFamilies(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range staticFamilies() {
		alone, err := m.table([]Family{f}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Columns {
			a, errA := all.Floats(c.Name)
			b, errB := alone.Floats(c.Name)
			if errA != nil || errB != nil || !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
				t.Errorf("%s of %s alone is another one (%v, %v)", c.Name, f.Name, errA, errB)
			}
		}
	}
}

// panicOf is what the table of one family panics with; nil when it does not.
func panicOf(m *module, f Family) (message any) {
	defer func() {
		if message = recover(); message != nil {
			if carried, ok := message.(*parallel.Panic); ok {
				message = carried.Value
			}
		}
	}()
	if _, err := m.table([]Family{f}, 2); err != nil {
		return err
	}
	return nil
}

func TestAFamilyRequiresWhatItReadsAndNothingElse(t *testing.T) {
	m := moduleOf(t, varied)
	for _, f := range staticFamilies() {
		if message := panicOf(m, f); message != nil {
			t.Errorf("%s: %v", f.Name, message)
		}
		for k, r := range f.Requires {
			without := f
			without.Requires = slices.Delete(slices.Clone(f.Requires), k, k+1)
			if message := fmt.Sprint(panicOf(m, without)); !strings.Contains(message, "is read where no family requires it") {
				t.Errorf("%s requires %s, and without it: %s", f.Name, r, message)
			}
		}
	}
}

func TestAnErrorOfTheReaderEndsTheWork(t *testing.T) {
	m := calendar(t)
	enough := errors.New("enough")
	batches := 0
	err := Stream(m.m, m.mutants, func(*table.Table) error { batches++; return enough }, WithWorkers(2))
	if !errors.Is(err, enough) || batches != 1 {
		t.Errorf("after %d batches: %v", batches, err)
	}
}

func TestAPanicOfAFamilyReachesTheCaller(t *testing.T) {
	m := calendar(t)
	for name, f := range map[string]Family{
		"a mutant":    {PerMutant: func(m *mutation, _ []float64) { panic(m.ID[:0] + "crash") }},
		"the program": {PerProgram: func(*mutation, []float64) { panic("crash") }},
		"a sweep":     {Requires: []Requirement{crashing}, PerProgram: func(*mutation, []float64) {}},
	} {
		f.Columns = []Column{{Name: "x"}}
		if message := panicOf(m, f); message != "crash" {
			t.Errorf("%s panics, and the caller sees %v", name, message)
		}
	}
}

var crashing = &sweep[int]{name: "crash", plan: func(*program) ([]func(), func() int) {
	return []func(){func() { panic("crash") }}, func() int { return 0 }
}}

// A family is one value. This is all that there is to four of them, one a mutant, one a
// site, one a program, and one that needs tests.
var (
	letters = &analysis[*mutation, int]{
		name: "letters of the original text",
		find: func(m *mutation) int { return len(m.Original) },
	}
	parity = Family{
		Name: "parity", Doc: "What the length of the original text tells.", Requires: []Requirement{letters},
		Columns:   []Column{{Name: "odd_original", Source: "own", Doc: "the original text has an odd number of bytes"}},
		PerMutant: func(m *mutation, row []float64) { row[0] = float64(letters.of(m) % 2) },
	}
	crowd = Family{
		Name: "crowd", Doc: "How many mutants there are.",
		Columns: []Column{{Name: "crowd", Unit: "mutants", Source: "own", Doc: "mutants of the site"}},
		PerSite: func(s *site, row []float64) { row[0] = float64(len(s.mutants)) },
	}
	lengths = &sweep[float64]{
		name: "length of all original texts",
		plan: func(p *program) ([]func(), func() float64) {
			sum := 0.
			return []func(){func() {
				for i := range p.mutants {
					sum += float64(len(p.mutants[i].Original))
				}
			}}, func() float64 { return sum }
		},
	}
	lengthShare = Family{
		Name: "length", Doc: "How long the original text is among all.", Requires: []Requirement{lengths},
		Columns:    []Column{{Name: "length_share", Unit: "share", Source: "own", Beyond: Others, Doc: "share of the bytes of all mutants' original texts"}},
		PerProgram: func(m *mutation, row []float64) { row[0] = float64(len(m.Original)) / lengths.of(m.owner()) },
	}
	silent = Family{
		Name: "silent", Doc: "What tests do not reach.",
		Columns: []Column{{Name: "unreached", Source: "own", Beyond: Tests, Doc: "no test executes the site"}},
		FromTests: func(o *observed, row func(m int) []float64) {
			for m := range o.places {
				row(m)[0] = truth(o.sites[o.siteOf[m]].tests.Empty())
			}
		},
	}
)

func TestANewFamilyIsOneValueInTheList(t *testing.T) {
	families := append(slices.DeleteFunc(All(), func(f Family) bool { return f.Dynamic() }), parity, crowd, lengthShare)
	dynamic := append(dynamicFamilies(), silent)
	if err := Validate(append(families, dynamic...)); err != nil {
		t.Fatal(err)
	}
	m := moduleOf(t, varied)
	out, err := m.table(families, 2)
	if err != nil {
		t.Fatal(err)
	}
	before, err := m.table(staticFamilies(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := out.Select(before.Schema().Names()...); err != nil || !same.Equal(before) {
		t.Errorf("other columns changed (error: %v)", err)
	}
	if last := out.Schema().Names()[len(out.Schema())-3:]; !slices.Equal(last, []string{"odd_original", "crowd", "length_share"}) {
		t.Fatalf("the last columns are %v", last)
	}
	total := 0
	for i := range m.mutants {
		total += len(m.mutants[i].Original)
	}
	for i := range m.mutants {
		n := len(m.mutants[i].Original)
		want := []float64{float64(n % 2), out.Value(i, out.Schema().Index("site_mutants")).(float64), float64(n) / float64(total)}
		for k, name := range []string{"odd_original", "crowd", "length_share"} {
			if got := out.Value(i, out.Schema().Index(name)); got != want[k] {
				t.Errorf("%s of %s is %v, want %v", name, m.mutants[i].Original, got, want[k])
			}
		}
	}
	told := observe(dynamic, []Place{{ID: "a"}, {ID: "b", Site: 1}}, 3, []Observation{{Mutant: 0, Test: 2, Executions: 4}})
	row := make([]float64, widthOf(dynamic))
	for id, want := range map[string]float64{"a": 0, "b": 1} {
		if told.Fill(id, row); row[len(row)-1] != want || row[0] != 1-want {
			t.Errorf("%s: reach_tests is %v and unreached is %v", id, row[0], row[len(row)-1])
		}
	}
}
