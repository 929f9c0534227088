package features_test

import "testing"

const tried = `int scanf(const char *, ...);
int printf(const char *, ...);
static int half(int n) { return n / 2; }
int unused(int n) { return n + 3; }
static int masked(int n) { int dead = n + 1; dead = 0; return n + dead; }
int main(void) {
  int n = 0, kept = 7;
  scanf("%d", &n);
  printf("%d\n", half(n + 4) + masked(n));
  kept = n - 1;
  if (n == 2000000) printf("%d\n", n * 5);
  if (n != n) printf("%d\n", n * 6);
  return 0;
}
`

func TestWhatGetsOutOfAFunctionAndAProgramIsTried(t *testing.T) {
	s := extract(t, tried)
	at := func(kind, original, column string) float64 { return s.value(s.find(kind, original), column) }
	for _, want := range []struct {
		kind, original, column string
		low, high              float64
	}{
		// What masked computes is lost, and half's sum is printed by main.
		{"ADD!SUB", "n + 1", "exit_shown_share", 0, 0}, {"ADD!SUB", "n + 1", "trial_shown_share", 0, 0}, {"ADD!SUB", "n + 1", "program_shown_share", 0, 0},
		{"DIV!MUL", "n / 2", "exit_return_share", .5, 1}, {"DIV!MUL", "n / 2", "trial_return_share", .5, 1},
		{"DIV!MUL", "n / 2", "program_call_share", .5, 1}, {"DIV!MUL", "n / 2", "program_reach_inputs", 1, 1}, {"DIV!MUL", "n / 2", "program_return_share", 0, 0},
		{"ADD!SUB", "n + 4", "program_call_share", 1, 1}, {"ADD!SUB", "n + 4", "trial_call_share", 1, 1}, {"ADD!SUB", "n + 4", "exit_call_share", 1, 1},
		// A local variable that nothing reads again differs, and nobody sees it.
		{"SUB!ADD", "n - 1", "exit_shown_share", 0, 0}, {"SUB!ADD", "n - 1", "exit_local_share", 1, 1}, {"SUB!ADD", "n - 1", "program_local_share", 1, 1},
		// Nobody calls one function, an input with the number that the program looks for
		// reaches one product, and none the last.
		{"MUL!DIV", "n * 5", "program_reach_inputs", .01, .2},
		{"ADD!SUB", "n + 3", "trial_reach_inputs", 1, 1}, {"ADD!SUB", "n + 3", "trial_return_share", 1, 1},
		// It can be called from outside, so it is run, too.
		{"ADD!SUB", "n + 3", "program_reach_inputs", 1, 1}, {"ADD!SUB", "n + 3", "program_return_share", 1, 1},
		{"MUL!DIV", "n * 6", "program_reach_inputs", 0, 0}, {"MUL!DIV", "n * 6", "program_shown_all_share", 0, 0},
	} {
		if got := at(want.kind, want.original, want.column); !(got >= want.low && got <= want.high) {
			t.Errorf("%s of %s at %q is %v, want %v to %v", want.column, want.kind, want.original, got, want.low, want.high)
		}
	}
	for _, missing := range [][3]string{{"MUL!DIV", "n * 6", "program_shown_share"}, {"ADD!SUB", "n + 1", "program_soon"}} {
		if got := at(missing[0], missing[1], missing[2]); got == got {
			t.Errorf("%s of %s at %q is %v, where there is nothing to say", missing[2], missing[0], missing[1], got)
		}
	}
}

// What shows a mutant is compared with what shows the others, as kills by tests are.
func TestOutcomesCompareAMutantWithTheOthers(t *testing.T) {
	s := extract(t, `int scanf(const char *, ...);
int printf(const char *, ...);
int main(void) {
  int n = 0;
  scanf("%d", &n);
  printf("%d\n", n + 40);
  if (n > 5) printf("%d\n", n - 7);
  return 0 * n;
}
`)
	at := func(kind, original, column string) float64 { return s.value(s.find(kind, original), column) }
	always, sometimes, never := at("ADD!SUB", "n + 40", "program_shown_all_share"), at("SUB!ADD", "n - 7", "program_shown_all_share"), at("MUL!DIV", "0 * n", "program_shown_all_share")
	if always != 1 || sometimes <= 0 || sometimes >= 1 || never != 0 {
		t.Fatalf("shown on %v, %v and %v of the inputs, want all, some and none", always, sometimes, never)
	}
	for _, less := range []struct{ column, low, high string }{
		{"outcome_rank", "SUB!ADD", "ADD!SUB"}, {"outcome_subsumes_share", "ADD!SUB", "SUB!ADD"}, {"outcome_subsumed_share", "SUB!ADD", "ADD!SUB"},
	} {
		of := map[string]string{"ADD!SUB": "n + 40", "SUB!ADD": "n - 7"}
		if low, high := at(less.low, of[less.low], less.column), at(less.high, of[less.high], less.column); !(low < high) {
			t.Errorf("%s of %s is %v, not below %v of %s", less.column, less.low, low, high, less.high)
		}
	}
	if rarest, common := at("SUB!ADD", "n - 7", "outcome_rarest"), at("SUB!ADD", "n - 7", "outcome_common"); !(rarest > 0 && rarest <= common && common <= 1) {
		t.Errorf("an input that shows it shows %v of the mutants at least and %v on average", rarest, common)
	}
	if x := at("MUL!DIV", "0 * n", "outcome_rarest"); x == x {
		t.Errorf("a mutant that nothing shows is shown by inputs that show %v", x)
	}
	if ended := at("ADD!SUB", "n + 40", "outcome_ended_share"); ended != 1 {
		t.Errorf("the program ends on %v of the inputs", ended)
	}
}
