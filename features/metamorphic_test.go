package features_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
)

// measure and search are two functions with loops, a switch, short circuits,
// memory through pointers, and a label.
const measure = `int measure(const int *values, int count, int limit) {
  int sum = 0, i = 0;
again:
  if (i < count && values[i] != limit) { sum += values[i]; i++; goto again; }
  switch (sum % 4) { case 0: sum /= 2; break; case 1: sum = -sum; break; default: sum++; }
  return sum > limit || count == 0 ? limit : sum;
}
`

const search = `struct node { struct node *next; int key; };
int visited;
int search(struct node *first, int key) {
  for (struct node *at = first; at; at = at->next) {
    visited++;
    if (at->key == key) { printf("%d\n", at->key + 10); return 1; }
  }
  return 0;
}
`

const library = "int printf(const char *, ...);\n"

// layout names the columns that may change with the rest of the program.
func layout() map[string]bool {
	names := map[string]bool{}
	for _, f := range features.All() {
		for _, c := range f.Columns {
			names[c.Name] = c.Layout
		}
	}
	return names
}

// rows returns the features of a function's mutants, by column.
func (s *extracted) rows(function string) map[string][]float64 {
	out := map[string][]float64{}
	for _, c := range s.table.Schema()[1:] {
		for i := range s.mutants {
			if s.mutants[i].Function == function {
				out[c.Name] = append(out[c.Name], s.value(i, c.Name))
			}
		}
	}
	return out
}

// expectSame fails for each column that differs and is not excused.
func expectSame(t *testing.T, a, b map[string][]float64, excused map[string]bool) {
	t.Helper()
	if len(a) < 100 || len(a["tie"]) < 20 {
		t.Fatalf("only %d columns of %d rows to compare", len(a), len(a["tie"]))
	}
	same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	for name, values := range a {
		if !excused[name] && !slices.EqualFunc(values, b[name], same) {
			t.Errorf("%s changed:\n%v\n%v", name, values, b[name])
		}
	}
}

func TestRenamingWhatTheUserNamedChangesNoFeature(t *testing.T) {
	renamed := strings.NewReplacer("measure", "while_body", "values", "tobool", "count", "inc", "limit", "phi", "sum", "printf_",
		"again", "for_end", "search", "lnot", "node", "cond", "first", "arrayidx", "key", "call", "visited", "retval", "next", "dec", "at", "cmp")
	a := extract(t, library+measure+search)
	b := extract(t, library+renamed.Replace(measure+search))
	expectSame(t, a.rows("measure"), b.rows("while_body"), nil)
	expectSame(t, a.rows("search"), b.rows("lnot"), nil)
}

func TestReorderingFunctionsChangesOnlyWhatIsRelativeToTheProgram(t *testing.T) {
	a, b := extract(t, library+measure+search), extract(t, library+search+measure)
	for _, function := range []string{"measure", "search"} {
		expectSame(t, a.rows(function), b.rows(function), layout())
	}
}

func TestAnUnrelatedFunctionChangesOnlyWhatIsRelativeToTheProgram(t *testing.T) {
	other := "double mean(double *x, int n) { double s = 0; while (n > 0) s += x[--n]; return s / 2; }\n"
	a, b := extract(t, library+measure), extract(t, library+other+measure+search)
	expectSame(t, a.rows("measure"), b.rows("measure"), layout())
}

func TestReformattingChangesOnlyWhatIsRelativeToTheProgram(t *testing.T) {
	spread := strings.NewReplacer("; ", ";\n\n      ", "{ ", "{\n  /* here */ ").Replace(measure + search)
	joined := strings.ReplaceAll(measure+search, "\n ", " ")
	a := extract(t, library+measure+search)
	for _, other := range []string{spread, joined} {
		b := extract(t, library+other)
		for _, function := range []string{"measure", "search"} {
			expectSame(t, a.rows(function), b.rows(function), layout())
		}
	}
}

func TestTheSameProgramHasTheSameFeaturesAgain(t *testing.T) {
	a, b := extract(t, library+measure+search), extract(t, library+measure+search)
	if !a.table.Equal(b.table) {
		t.Error("two extractions differ")
	}
	if a.table.Schema().Hash() != extract(t, rotations).table.Schema().Hash() {
		t.Error("two programs have different columns")
	}
}
