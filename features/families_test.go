package features_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

func TestTheSyntaxTreeIsTheUsersOne(t *testing.T) {
	s := extract(t, `int printf(const char *, ...);
int f(int n, int k, int *a) {
  for (int i = 0; i < n; i++)
    if (a[i] > 10) { printf("%d\n", a[i] + k); a[i * 2] = n / (k + 1); }
  return n - k;
}
`)
	for _, want := range []struct {
		kind, original string
		column         string
		value          float64
	}{
		{"ADD!SUB", "a[i] + k", "c_is_binary", 1},
		{"ADD!SUB", "a[i] + k", "c_in_call", 1},
		{"ADD!SUB", "a[i] + k", "c_role_output", 1},
		{"ADD!SUB", "a[i] + k", "c_role_argument", 1},
		{"ADD!SUB", "a[i] + k", "c_shape_loops", 1},
		{"ADD!SUB", "a[i] + k", "c_shape_ifs", 1},
		{"ADD!SUB", "a[i] + k", "c_shape_siblings", 2},
		{"ADD!SUB", "a[i] + k", "c_statement_expression", 1},
		{"ADD!SUB", "a[i] + k", "c_type_int", 1},
		{"MUL!ADD", "i * 2", "c_role_index", 1},
		{"MUL!ADD", "i * 2", "c_role_divisor", 0},
		{"MUL!ADD", "i * 2", "c_literal_small", 1},
		{"ADD!SUB", "k + 1", "c_role_divisor", 1},
		{"ADD!SUB", "k + 1", "c_role_assigned", 1},
		{"ADD!SUB", "k + 1", "c_literal_one", 1},
		{"GT!GE", "a[i] > 10", "c_role_condition", 1},
		{"GT!GE", "a[i] > 10", "c_statement_if", 1},
		{"LT!LE", "i < n", "c_role_condition", 1},
		{"LT!LE", "i < n", "c_statement_for", 1},
		{"RIGHTINC!RIGHTDEC", "i++", "c_role_discarded", 1},
		{"SUB!ADD", "n - k", "c_role_returned", 1},
		{"SUB!ADD", "n - k", "c_shape_nesting", 0},
		{"SUB!ADD", "n - k", "c_shape_function_loops", 1},
		{"SUB!ADD", "n - k", "c_shape_function_nesting", 2},
		{"SUB!ADD", "n - k", "cyclomatic", 3},
		{"SUB!ADD", "n - k", "fan_out", 1},
		{"SUB!ADD", "n - k", "recursive", 0},
	} {
		if got := s.value(s.find(want.kind, want.original), want.column); got != want.value {
			t.Errorf("%s of %s: %s is %v, want %v", want.kind, want.original, want.column, got, want.value)
		}
	}
}

func TestHalsteadsMeasuresAreThoseOfTheTokens(t *testing.T) {
	// Operators: return, +, *; operands: a (twice), b.
	s := extract(t, "int f(int a, int b) { return a + b * a; }\n")
	row := s.find("MUL!ADD", "b * a")
	for column, want := range map[string]float64{
		"halstead_length": math.Log2(1 + 6), "halstead_vocabulary": math.Log2(1 + 5),
		"halstead_volume": math.Log2(1 + 6*math.Log2(5)), "halstead_difficulty": 3. / 2 * 3 / 2,
	} {
		if got := s.value(row, column); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", column, got, want)
		}
	}
}

func TestWhatIsReadFromTheSourceIsMissingWithoutOne(t *testing.T) {
	m, mutants := generate(t, rotations)
	out := tableOf(t, m, mutants)
	s := &extracted{t, mutants, out}
	for _, name := range append(append(columns(t, "syntax"), columns(t, "naturalness")...), "halstead_volume", "line_age", "corpus_line_original", "corpus_surprise_mutated") {
		if got := s.value(0, name); got == got {
			t.Errorf("%s is %v without a source", name, got)
		}
	}
	if got := s.value(0, "cyclomatic"); got != got {
		t.Error("what IR tells is missing")
	}
}

func TestCommonTextIsMoreNatural(t *testing.T) {
	s := extract(t, `int f(int a, int b) {
  a = a + b; b = a + b; a = b + a; b = b + a; a = a + 1; b = b + 1;
  return a + b;
}
`)
	row := s.find("ADD!MUL", "a + b")
	if usual, odd := s.value(row, "entropy_original"), s.value(row, "entropy_mutated"); !(usual < odd) || s.value(row, "entropy_difference") != odd-usual {
		t.Errorf("%v bits for a sum among sums, %v for a product", usual, odd)
	}
	if got := s.value(row, "tokens_original"); got != 3 {
		t.Errorf("%v tokens", got)
	}
}

func TestNeighboursAreCountedByStatementFunctionAndModule(t *testing.T) {
	s := extract(t, rotations)
	for i := range s.mutants {
		statement, function, same, first, program := 0.0, 0.0, 0.0, 0.0, 0.0
		for k := range s.mutants {
			a, b := &s.mutants[i], &s.mutants[k]
			if a.Type() == b.Type() {
				program++
				if a.Function == b.Function {
					function++
				}
			}
			if a.Site.Statement == b.Site.Statement {
				statement++
				if k < i {
					first++
				}
				if a.Type() == b.Type() {
					same++
				}
			}
		}
		for column, want := range map[string]float64{
			"statement_same_type": same, "function_same_type": function, "program_same_type_share": program / float64(len(s.mutants)),
			"statement_order": first / statement, "program_mutants": float64(len(s.mutants)),
		} {
			if got := s.value(i, column); got != want {
				t.Fatalf("%s of %s is %v, want %v", column, s.mutants[i].Original, got, want)
			}
		}
	}
}

func TestScaledNumbersGoFromZeroToOneOverTheModule(t *testing.T) {
	s := extract(t, library+measure+search)
	for _, name := range []string{"complexity", "cfg_depth", "out_data", "in_data", "in_control", "tie", "parent_tie"} {
		values, low, high := []float64{}, math.Inf(1), math.Inf(-1)
		for i := range s.mutants {
			x := s.value(i, name)
			values, low, high = append(values, x), min(low, x), max(high, x)
		}
		for i, x := range values {
			if got, want := s.value(i, name+"_scaled"), (x-low)/(high-low); got != want {
				t.Fatalf("%s: %v between %v and %v is scaled to %v", name, x, low, high, got)
			}
		}
	}
}

func TestTheHistoryOfALineIsReadWhereItIsKnown(t *testing.T) {
	m, mutants := generate(t, rotations)
	out := tableOf(t, m, mutants, features.WithAges(func(_ string, line int) (float64, float64, bool) {
		return 7, float64(line), line != mutants[0].Line
	}))
	s := &extracted{t, mutants, out}
	for i := range mutants {
		age, commits := s.value(i, "line_age"), s.value(i, "line_commits")
		if unknown := mutants[i].Line == mutants[0].Line; unknown != (age != age) || !unknown && (age != 3 || commits != float64(mutants[i].Line)) {
			t.Fatalf("line %d: age %v, commits %v", mutants[i].Line, age, commits)
		}
	}
}

func TestBatchesMakeTheSameTable(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "examples", "calendar", "calendar.c"))
	if err != nil {
		t.Fatal(err)
	}
	m, mutants := generate(t, string(source))
	mutants = append(mutants, mutants...) // more than one batch
	rows := 0
	whole := tableOf(t, m, mutants)
	batches := 0
	if err := features.Stream(m, mutants, func(batch *table.Table) error {
		batches++
		ids, _ := batch.Strings("id")
		tie, _ := batch.Floats("tie")
		all, _ := whole.Strings("id")
		ties, _ := whole.Floats("tie")
		for k := range ids {
			if ids[k] != all[rows+k] || tie[k] != ties[rows+k] {
				t.Fatalf("row %d differs", rows+k)
			}
		}
		rows += len(ids)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if batches < 2 || rows != len(mutants) {
		t.Errorf("%d rows in %d batches", rows, batches)
	}
}
