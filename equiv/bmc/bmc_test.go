package bmc_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

// judged are the verdicts on the mutants of the lines of a function, by change, and the tests that
// were made.
func judged(t *testing.T, source, function string, opts bmc.Options, lines ...int) (map[string]equiv.Verdict, []bmc.Test) {
	t.Helper()
	m := analysistest.Module(t, source)
	b := equiv.Batch{Module: m}
	for _, one := range operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants {
		if one.Function == function && slices.Contains(lines, one.Line) {
			b.Mutants, b.Func = append(b.Mutants, one), one.Site.Func
		}
	}
	var tests []bmc.Test
	opts.Found = func(one bmc.Test) { tests = append(tests, one) }
	verdicts, err := bmc.Function(context.Background(), b, opts)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]equiv.Verdict{}
	for i, m := range b.Mutants {
		out[m.Original+" → "+m.Replacement] = verdicts[i]
	}
	return out, tests
}

// want checks the evidence of verdicts.
func want(t *testing.T, verdicts map[string]equiv.Verdict, evidence map[string]string) {
	t.Helper()
	for change, want := range evidence {
		v, made := verdicts[change]
		if !made || v.Evidence != want || (v.Kind == equiv.Different) != (want == bmc.Told) || (v.Kind == equiv.Equivalent) != (want == bmc.Complete) {
			t.Errorf("%s is %v by %s, want %s: %s", change, v.Kind, v.Evidence, want, v.Reason)
		}
	}
}

// No drawn input has the number, which only the formula knows.
func TestAnInputIsMadeOfWhatTheProgramReads(t *testing.T) {
	verdicts, tests := judged(t, `#include <stdio.h>
int main(void) {
  int n, x, sum = 0;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &x) != 1) return 2;
    if (x == 77077)
      x = 3;
    sum += x;
  }
  printf("%d\n", sum);
  return 0;
}
`, "main", bmc.Options{Rounds: 3}, 7, 8, 11)
	want(t, verdicts, map[string]string{"x == 77077 → x != 77077": bmc.Told, "x = 3 → x = 4": bmc.Told, "x = 3; → ;": bmc.Told, "sum → sum++": bmc.Bounded})
	if v := verdicts["x = 3; → ;"]; !strings.Contains(v.Reason, "77077") {
		t.Errorf("%s", v.Reason)
	}
	told := 0
	for _, one := range tests {
		told += len(one.Tells)
	}
	if len(tests) == 0 || told < 4*len(tests) {
		t.Errorf("%d tests tell %d mutants: each is simulated on all that are open", len(tests), told)
	}
}

// A bound proves nothing, unless no loop goes beyond it.
func TestALoopThatTheInputRunsIsBoundedAndNeverEquivalent(t *testing.T) {
	source := `int late(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (i == 20)
      s = 1;
  return s;
}
int early(int n) {
  int s = 0;
  for (int i = 0; i < 3; i++)
    if (i == 20)
      s = n;
  return s;
}
`
	verdicts, _ := judged(t, source, "late", bmc.Options{Rounds: 4}, 5)
	want(t, verdicts, map[string]string{"s = 1 → s = 0": bmc.Bounded, "s = 1; → ;": bmc.Bounded})
	verdicts, _ = judged(t, source, "early", bmc.Options{Rounds: 4}, 12)
	want(t, verdicts, map[string]string{"s = n; → ;": bmc.Complete, "n → abs(n)": bmc.Complete})
	verdicts, _ = judged(t, source, "early", bmc.Options{Rounds: 2}, 12)
	for change, v := range verdicts {
		if v.Kind == equiv.Equivalent {
			t.Errorf("%s is called equivalent although the loop has three rounds: %s", change, v.Reason)
		}
	}
}

// Mid's mutant that constraints of reach and infection leave open (Offutt and Pan 1997): what
// differs never gets out.
func TestWhatConstraintsLeaveOpenIsProved(t *testing.T) {
	verdicts, _ := judged(t, `int mid(int x, int y, int z) {
  int m = z;
  if (y < z) {
    if (x < y) m = y;
    else if (x < z) m = x;
  }
  return m;
}
`, "mid", bmc.Options{}, 5)
	want(t, verdicts, map[string]string{"x < z → x <= z": bmc.Complete, "x < z → x > z": bmc.Told})
}

func TestWhatIsAssumedIsSaid(t *testing.T) {
	source := `int size(int x, int y) {
  if (x < y)
    return -x;
  return x + y;
}
`
	verdicts, _ := judged(t, source, "size", bmc.Options{}, 3, 4)
	want(t, verdicts, map[string]string{"x → abs(x)": bmc.Told})
	all, err := assume.Parse([]byte("size: x >= 0 && x <= 100\n"))
	if err != nil {
		t.Fatal(err)
	}
	verdicts, tests := judged(t, source, "size", bmc.Options{Assumed: all}, 3, 4)
	want(t, verdicts, map[string]string{"x → abs(x)": bmc.Complete, "y → abs(y)": bmc.Told})
	if v := verdicts["x → abs(x)"]; !strings.HasSuffix(v.Reason, "taken for granted: x >= 0 && x <= 100") {
		t.Errorf("%s", v.Reason)
	}
	for _, one := range tests {
		if one.Args[0] < 0 || one.Args[0] > 100 {
			t.Errorf("size%v is no call that is assumed", one.Args)
		}
	}
	wrong, err := assume.Parse([]byte("size: z > 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bmc.Function(context.Background(), equiv.Batch{Func: analysistest.Module(t, source).Functions()[0]}, bmc.Options{Assumed: wrong}); err == nil || !strings.Contains(err.Error(), "z is no integer variable") {
		t.Errorf("an assumption on what is not there: %v", err)
	}
}

// What small functions do that are called is known: what they take no notice of makes no difference, they end the
// program, write what they are given the address of, and a call of a function that calls others is a test.
func TestCallsOfSmallFunctionsAreFollowed(t *testing.T) {
	source := `#include <stdlib.h>
static int leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
static void check(int month) { if (month < 1) exit(3); }
static void least(int *to, int other) { if (other < *to) *to = other; }
static int twice(int x) { return leap(x) + leap(x + 1); }
int below(int n) { return n < 1 ? 0 : below(n - 1); }
int days(int year) {
  return 365 + leap(year);
}
int first(int month) {
  check(month);
  return month <= 0 ? 7 : month;
}
int both(int a, int b) {
  int m = a;
  least(&m, b);
  return m <= b ? m : 5;
}
int pair(int year) {
  return twice(year) == 2 ? 9 : 1;
}
int down(int n) {
  return below(n) > 0;
}
`
	verdicts, _ := judged(t, source, "days", bmc.Options{}, 8)
	want(t, verdicts, map[string]string{"year → -year": bmc.Complete, "year → abs(year)": bmc.Complete, "year → year + 1": bmc.Told})
	if reason := verdicts["year → year + 1"].Reason; !strings.HasPrefix(reason, "days(year = ") {
		t.Errorf("the call is %s", reason)
	}
	verdicts, _ = judged(t, source, "first", bmc.Options{}, 11, 12)
	want(t, verdicts, map[string]string{"month <= 0 → 0": bmc.Complete, "month <= 0 → month < 0": bmc.Complete, "check(month); → ;": bmc.Open})
	verdicts, _ = judged(t, source, "both", bmc.Options{}, 16, 17)
	want(t, verdicts, map[string]string{"m <= b → 1": bmc.Complete, "m <= b → m < b": bmc.Told, "least(&m, b); → ;": bmc.Told})
	verdicts, _ = judged(t, source, "pair", bmc.Options{}, 20)
	want(t, verdicts, map[string]string{"twice(year) == 2 → 0": bmc.Complete, "twice(year) == 2 → twice(year) != 0": bmc.Told})
	verdicts, _ = judged(t, source, "down", bmc.Options{}, 23)
	want(t, verdicts, map[string]string{"below(n) > 0 → 0": bmc.Open}) // it calls itself
}
