package features_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

const arithmetic = `int puts(const char *);
int shared;
int f(int n, int *a, double d) {
  int r = n * 40;
  if (r < n) r++;
  for (int i = 0; i < n && a[i]; i++) r += a[i] / 3;
  if (d > 0.5) puts("big");
  shared = -r;
  return n - 7;
}
int g(int r) { return --r; }
`

func TestAChangeIsDescribedByWhatItMeans(t *testing.T) {
	s := extract(t, arithmetic)
	for _, want := range []struct {
		kind, original string
		column         string
		value          float64
	}{
		{"LT!LE", "r < n", "change_boundary", 1},
		{"LT!GE", "r < n", "change_boundary", 0},
		{"LT!GE", "r < n", "change_negated_relation", 1},
		{"LT!GT", "r < n", "change_mirrored_relation", 1},
		{"LT!EQ", "r < n", "change_relation", 1},
		{"LT!CONSTVAL", "r < n", "change_always_true", 1},
		{"LT!CONSTVAL", "r < n", "change_relation", 0},
		{"AND!OR", "i < n && a[i]", "change_logical", 1},
		{"AND!OPERAND", "i < n && a[i]", "change_keeps_first", 1},
		{"MUL!DIV", "n * 40", "change_divides", 1},
		{"MUL!DIV", "n * 40", "change_may_divide_by_zero", 0},
		{"SUB!DIV", "n - 7", "change_may_divide_by_zero", 0},
		{"MUL!OPERAND", "n * 40", "change_keeps_first", 1},
		{"MUL!ADD", "n * 40", "change_arithmetic", 1},
		{"SUB!ADD", "n - 7", "change_additive", 1},
		{"C!SUCC", "n * 40", "change_plus_one", 1},
		{"C!SUCC", "n * 40", "number_old", math.Log2(41)},
		{"C!SUCC", "n * 40", "number_difference", 1},
		{"C!NEG", "n * 40", "change_sign", 1},
		{"C!NEG", "n * 40", "number_new", -math.Log2(41)},
		{"RIGHTINC!RIGHTDEC", "r++", "change_step_reversed", 1},
		{"LEFTDEC!OPERAND", "--r", "change_step_dropped", 1},
		{"STMT!DELSTMT", "r++;", "change_deletion", 1},
		{"NEG!OPERAND", "-r", "change_sign", 1},
		{"V!SUCC", "n", "change_plus_one", 1},
	} {
		if got := s.value(s.find(want.kind, want.original), want.column); got != want.value {
			t.Errorf("%s of %s: %s is %v, want %v", want.kind, want.original, want.column, got, want.value)
		}
	}
	if x := s.value(s.find("LT!LE", "r < n"), "number_old"); !math.IsNaN(x) {
		t.Errorf("a comparison has the number %v", x)
	}
}

func TestTheContextOfAMutantIsWhatItsStatementDoes(t *testing.T) {
	s := extract(t, arithmetic)
	for _, want := range []struct {
		kind, original string
		column         string
		value          float64
	}{
		{"LT!LE", "r < n", "is_condition", 1},
		{"LT!LE", "r < n", "is_loop_condition", 0},
		{"LT!LE", "i < n", "is_loop_condition", 1},
		{"LT!LE", "i < n", "loop_depth", 1},
		{"LT!LE", "i < n", "uses_parameter", 1},
		{"LT!LE", "i < n", "reaches_condition", 1},
		{"MUL!ADD", "n * 40", "reaches_store", 1},
		{"MUL!ADD", "n * 40", "reaches_condition", 0},
		{"DIV!MUL", "a[i] / 3", "reaches_store", 1},
		{"DIV!MUL", "a[i] / 3", "loop_depth", 1},
		{"SUB!ADD", "n - 7", "reaches_return", 1},
		{"SUB!ADD", "n - 7", "statement_returns", 1},
		{"STMT!DELSTMT", `puts("big");`, "statement_outputs", 1},
		{"STMT!DELSTMT", `puts("big");`, "controlling_conditions", 1},
		{"STMT!DELSTMT", "shared = -r;", "uses_global", 1},
		{"NEG!OPERAND", "-r", "uses_global", 0},
		{"MUL!ADD", "n * 40", "uses_global", 0},
	} {
		if got := s.value(s.find(want.kind, want.original), want.column); got != want.value {
			t.Errorf("%s of %s: %s is %v, want %v", want.kind, want.original, want.column, got, want.value)
		}
	}
}

func TestAMutantOfAnotherModuleIsRefused(t *testing.T) {
	m, _ := generate(t, arithmetic)
	_, others := generate(t, rotations)
	err := features.Stream(m, others, func(*table.Table) error { return errors.New("a table") })
	if !errors.Is(err, features.ErrForeign) {
		t.Errorf("got %v, want ErrForeign", err)
	}
}

func TestAModuleWithoutMutantsHasATableWithoutRows(t *testing.T) {
	m, _ := generate(t, arithmetic)
	out := tableOf(t, m, nil)
	if out.Rows() != 0 || out.Schema().Hash() != features.Schema().Hash() {
		t.Errorf("%d rows, schema %s", out.Rows(), out.Schema().Hash())
	}
}

func TestWithoutDebugInformationLinesAreMissingAndTheRestIsThere(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(arithmetic), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = tools.Optimize(context.Background(), "program.ll", text, "strip"); err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	mutants := operator.Generate(m, operator.Options{}).Mutants
	out := tableOf(t, m, mutants)
	s := &extracted{t, mutants, out}
	if len(mutants) == 0 || !math.IsNaN(s.value(0, "line_rank")) || math.IsNaN(s.value(0, "statement_rank")) {
		t.Errorf("%d mutants; line_rank %v, statement_rank %v", len(mutants), s.value(0, "line_rank"), s.value(0, "statement_rank"))
	}
}
