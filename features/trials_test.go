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
  if (n > 2000000) printf("%d\n", n * 5);
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
		// Nobody calls one function, and no input reaches the last product.
		{"ADD!SUB", "n + 3", "trial_reach_inputs", 1, 1}, {"ADD!SUB", "n + 3", "trial_return_share", 1, 1},
		{"MUL!DIV", "n * 5", "program_reach_inputs", 0, 0}, {"MUL!DIV", "n * 5", "program_shown_all_share", 0, 0},
	} {
		if got := at(want.kind, want.original, want.column); !(got >= want.low && got <= want.high) {
			t.Errorf("%s of %s at %q is %v, want %v to %v", want.column, want.kind, want.original, got, want.low, want.high)
		}
	}
	for _, missing := range [][3]string{{"MUL!DIV", "n * 5", "program_shown_share"}, {"ADD!SUB", "n + 3", "program_reach_inputs"}, {"ADD!SUB", "n + 1", "program_soon"}} {
		if got := at(missing[0], missing[1], missing[2]); got == got {
			t.Errorf("%s of %s at %q is %v, where there is nothing to say", missing[2], missing[0], missing[1], got)
		}
	}
}
