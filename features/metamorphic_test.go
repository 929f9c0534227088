package features_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/mutant/operator"
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

// entry leads from main to both, so that trials of the whole program see them.
const entry = `int scanf(const char *, ...);
int main(void) {
  int numbers[6], count = 0, hits = 0;
  struct node nodes[3], *head = 0;
  while (count < 6 && scanf("%d", &numbers[count]) == 1) count++;
  for (int i = 0; i < 3 && i < count; i++) { nodes[i].key = numbers[i] % 5; nodes[i].next = head; head = &nodes[i]; }
  for (int k = 0; k < count; k++) hits += search(head, numbers[k]);
  printf("%d %d\n", measure(numbers, count, 100), hits);
  return hits > 1;
}
`

// declared are the functions of the program, in any order of their bodies.
const declared = library + "int measure(const int *values, int count, int limit);\nstruct node { struct node *next; int key; };\nint visited;\nint search(struct node *first, int key);\n"

// searchAlone is search without what is declared.
var searchAlone = search[strings.Index(search, "int search"):]

// beyond names the columns that depend on something besides the mutant's function.
func beyond(what features.Beyond) map[string]bool {
	names := map[string]bool{}
	for _, f := range features.All() {
		for _, c := range f.Columns {
			names[c.Name] = c.Beyond&what != 0
		}
	}
	return names
}

// rows returns the features of a function's mutants, by column.
func (s *extracted) rows(function string) map[string][]float64 {
	s.t.Helper()
	out := map[string][]float64{}
	for _, c := range s.table.Schema()[1:] {
		values, err := s.table.Floats(c.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		for i := range s.mutants {
			if s.mutants[i].Function == function {
				out[c.Name] = append(out[c.Name], values[i])
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
	renamed := strings.NewReplacer("measure", "while_body", "values", "tobool", "count", "inc", "limit", "phi", "sum", "printf_", "numbers", "zext",
		"hits", "entry", "head", "conv", "again", "for_end", "search", "lnot", "nodes", "conds", "node", "cond", "first", "arrayidx", "key", "call", "visited", "retval", "next", "dec", "at", "cmp")
	a := extract(t, library+measure+search+entry)
	b := extract(t, library+renamed.Replace(measure+search+entry))
	for _, function := range []string{"measure", "search", "main"} {
		expectSame(t, a.rows(function), b.rows(renamed.Replace(function)), nil)
	}
}

// fromBeginning names the columns of what is run, and of what the runs say of mutants
// among the others.
func fromBeginning(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range features.All() {
		for _, c := range f.Columns {
			names[c.Name] = slices.Contains([]string{"infection", "exits", "trials", "programtrials", "outcomes", "shown"}, f.Name)
		}
	}
	return names
}

// What a program begins with is found by what it is, so that a library without main has
// the same trials. It is renamed in the module: main's code is another one, clang has it
// return 0 where it does not return.
func TestWhatIsRunDoesNotDependOnTheNameOfMain(t *testing.T) {
	var named [2]*extracted
	for k := range named {
		m, c := compile(t, library+measure+search+entry)
		mutants := operator.Generate(m, operator.Options{}).Mutants
		if k == 1 {
			for _, f := range m.LLVM.Funcs {
				if f.Name() == "main" {
					f.SetName("serve")
				}
			}
		}
		named[k] = &extracted{t, mutants, tableOf(t, m, mutants, features.WithSource(c))}
	}
	others := map[string]bool{}
	for name, runs := range fromBeginning(t) {
		others[name] = !runs
	}
	for _, function := range []string{"measure", "search", "main"} {
		a := named[0].rows(function)
		expectSame(t, a, named[1].rows(function), others)
		for _, column := range []string{"program_shown_share", "outcome_rank", "trial_shown_share"} {
			if !slices.ContainsFunc(a[column], func(x float64) bool { return x > 0 }) {
				t.Errorf("%s says nothing of %s: %v", column, function, a[column])
			}
		}
	}
}

func TestReorderingFunctionsChangesOnlyWhatDependsOnTheirOrder(t *testing.T) {
	a, b := extract(t, declared+measure+searchAlone+entry), extract(t, declared+entry+searchAlone+measure)
	for _, function := range []string{"measure", "search", "main"} {
		expectSame(t, a.rows(function), b.rows(function), beyond(features.Order))
	}
}

// An example, and the same module with its functions the other way round.
func TestReorderingAModuleChangesOnlyWhatDependsOnTheOrder(t *testing.T) {
	source, err := os.ReadFile("../examples/bst/bst.c")
	if err != nil {
		t.Fatal(err)
	}
	var orders [2]*extracted
	for k := range orders {
		m, c := compile(t, string(source))
		if k == 1 {
			slices.Reverse(m.LLVM.Funcs)
		}
		mutants := operator.Generate(m, operator.Options{}).Mutants
		orders[k] = &extracted{t, mutants, tableOf(t, m, mutants, features.WithSource(c))}
	}
	for _, function := range []string{"insert", "height", "main"} {
		expectSame(t, orders[0].rows(function), orders[1].rows(function), beyond(features.Order))
	}
}

func TestAnUnrelatedFunctionChangesOnlyWhatDependsOnTheOthers(t *testing.T) {
	const other = "double mean(double *x, int n) { double s = 0; while (n > 0) s += x[--n]; return s / 2; }\n"
	a := extract(t, library+measure+search+entry)
	for _, more := range []string{library + other + measure + search + entry, library + measure + search + other + entry, library + measure + search + entry + other} {
		b := extract(t, more)
		for _, function := range []string{"measure", "search", "main"} {
			expectSame(t, a.rows(function), b.rows(function), beyond(features.Others))
		}
	}
}

func TestReformattingChangesOnlyWhatDependsOnLines(t *testing.T) {
	program := measure + search + entry
	spread := strings.NewReplacer("; ", ";\n\n      ", "{ ", "{\n  /* here */ ").Replace(program)
	joined := strings.ReplaceAll(program, "\n ", " ")
	a := extract(t, library+program)
	for _, other := range []string{spread, joined} {
		b := extract(t, library+other)
		for _, function := range []string{"measure", "search", "main"} {
			expectSame(t, a.rows(function), b.rows(function), beyond(features.Lines))
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
