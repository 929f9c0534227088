package constraint_test

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

// judged are the mutants of a function with their verdicts.
func judged(t *testing.T, source, function string) ([]mutant.Mutant, []equiv.Verdict) {
	t.Helper()
	m := analysistest.Module(t, source)
	b := equiv.Batch{Module: m}
	for _, one := range operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants {
		if one.Function == function {
			b.Mutants, b.Func = append(b.Mutants, one), one.Site.Func
		}
	}
	verdicts, err := constraint.Function(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Mutants, verdicts
}

// The mutants that Offutt and Pan (1997) discuss, what their constraints say of them, and the
// traps that the method fell into.
func TestOffuttAndPansMutants(t *testing.T) {
	for _, c := range []struct {
		name, function, source string
		line                   int
		// changes are the verdicts with their evidence, "" for open ones.
		changes map[string]string
		reason  string // of the first
	}{
		{"Min: the variable has the value of another", "least", `int least(int i, int j) {
  int m = i;
  if (m < i)
    m = j;
  if (j < m) m = j;
  return m;
}`, 4, map[string]string{"m = j; → ;": constraint.Unreachable}, "the condition (line 3) never holds"},
		{"Min: the other mutants", "least", `int least(int i, int j) {
  int m = i;
  if (j < m) m = j;
  return m;
}`, 3, map[string]string{"j < m → j <= m": "", "j < m → m > j": constraint.Same, "j < m → j > m": "", "m = j; → ;": ""}, ""},
		{"Mid, statement 5: constraints of reach and infection can be met", "mid", `int mid(int x, int y, int z) {
  int m = z;
  if (y < z) {
    if (x < y) m = y;
    else if (x < z) m = x;
  }
  return m;
}`, 5, map[string]string{"x < z → x <= z": "", "x < z → x > z": ""}, ""},
		{"what no input reaches", "never", `int never(int x) {
  if (x > 0) {
    if (x < 0)
      x = x + 7;
  }
  return x;
}`, 4, map[string]string{"x + 7 → x - 7": constraint.Unreachable, "x = x + 7; → ;": constraint.Unreachable}, "x > 0 (line 2), and x < 0 (line 3)"},
		{"partial negation", "part", `int part(int x, int y) {
  if (x > y)
    if (x < y)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": constraint.Unreachable}, ""},
		{"constants are compared", "apart", `int apart(int x) {
  if (x > 1)
    if (x < 0)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": constraint.Unreachable}, "x > 1 (line 2), and x < 0 (line 3)"},
		{"a sum is split, where it cannot wrap", "split", `int split(signed char x, signed char y) {
  if (x < 0)
    if (y < 0)
      if (x + y > 0)
        return 1;
  return 0;
}`, 5, map[string]string{"return 1 → return 0": constraint.Unreachable}, ""},
		{"a sum of negative numbers wraps", "sum", `int sum(unsigned x, unsigned y) {
  if ((int)x < 0)
    if ((int)y < 0)
      if ((int)(x + y) > 0)
        return 1;
  return 0;
}`, 5, map[string]string{"return 1 → return 0": ""}, ""},
		{"a check that a sum has wrapped", "wrapped", `int wrapped(int x, int y) {
  if (x < 0 && y < 0)
    if (x + y > 0)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": ""}, ""},
		{"what is added is moved, where nothing wraps", "moved", `int moved(unsigned char c) {
  if (c + 3 < 10)
    if (c >= 7)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": constraint.Unreachable}, "c < 7 (line 2), and c >= 7 (line 3)"},
		{"the magnitude of what is positive", "magnitude", `int magnitude(int x, int y) {
  if (x > 2)
    return x + y;
  return x;
}`, 3, map[string]string{"x → abs(x)": constraint.Excluded, "x → -x": ""}, "x < 0, and x > 2 (line 2)"},
		{"a sum and a difference", "zero", `int zero(int x, int y) {
  if (y == 0)
    return x + y;
  return x;
}`, 3, map[string]string{"x + y → x - y": constraint.Excluded, "x + y → x": constraint.Excluded, "x + y → x & y": "", "x + y → x / y": ""}, "y != 0, and y == 0 (line 2)"},
		{"bytes are compared in their own width", "byte", `int byte(unsigned char c) {
  if (c > 255)
    return 1;
  return c >= 0;
}`, 3, map[string]string{"return 1 → return 0": constraint.Unreachable}, ""},
		{"cases of a switch", "choice", `int choice(int x) {
  switch (x) {
  case 3:
    if (x > 4)
      return 1;
    return 2;
  default:
    if (x == 3)
      return 3;
  }
  return 0;
}`, 5, map[string]string{"return 1 → return 0": constraint.Unreachable}, "x == 3 (line 2), and x > 4 (line 4)"},
		{"the default of a switch", "other", `int other(int x) {
  switch (x) {
  case 3:
    return 2;
  default:
    if (x == 3)
      return 3;
  }
  return 0;
}`, 7, map[string]string{"return 3 → return 0": constraint.Unreachable}, ""},
		{"a guard that the loop changes", "guard", `int guard(int n) {
  int go = 0, seen = 0;
  while (n-- > 0) {
    if (go)
      seen = seen + 3;
    go = 1;
  }
  return seen;
}`, 5, map[string]string{"seen + 3 → seen - 3": "", "seen = seen + 3; → ;": ""}, ""},
		{"a condition on what a loop has changed since", "changed", `int changed(int n) {
  int k = 0;
  if (n > 5) {
    while (n > 0)
      n--;
    if (n < 1)
      k = 1;
  }
  return k;
}`, 7, map[string]string{"k = 1 → k = 0": "", "k = 1; → ;": ""}, ""},
		{"what a pointer changes", "through", `int through(int x) {
  int *p = &x;
  if (x > 0) {
    *p = -1;
    if (x < 0)
      return 1;
  }
  return 0;
}`, 6, map[string]string{"return 1 → return 0": ""}, ""},
		{"a volatile variable", "device", `int device(void) {
  volatile int x = 0;
  if (x > 0)
    if (x < 0)
      return 1;
  return 0;
}`, 5, map[string]string{"return 1 → return 0": ""}, ""},
		{"an array's element is not another's", "pair", `int pair(const int *a, int i, int j) {
  if (a[i] >= 0)
    if (a[j] < 0)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": ""}, ""},
		{"control jumps past the condition", "past", `int past(int x, int y) {
  if (y) goto in;
  if (x > 0) {
in:
    if (x < 0)
      return 1;
  }
  return 0;
}`, 6, map[string]string{"return 1 → return 0": ""}, ""},
		{"a quotient that is zero", "part", `int part(int x, int y) {
  if (x == 1)
    if (x / y == 0)
      return 1;
  return 0;
}`, 4, map[string]string{"return 1 → return 0": ""}, ""},
	} {
		mutants, verdicts := judged(t, c.source, c.function)
		seen := map[string]equiv.Verdict{}
		var all []string
		for i, m := range mutants {
			if m.Line == c.line {
				seen[m.Original+" → "+m.Replacement] = verdicts[i]
				all = append(all, m.Original+" → "+m.Replacement+" is "+verdicts[i].Kind.String())
			}
		}
		for change, want := range c.changes {
			v, made := seen[change]
			got := v.Evidence
			if v.Kind != equiv.Equivalent {
				got = ""
			}
			if !made || got != want || want != "" && !strings.Contains(v.Reason, c.reason) {
				t.Errorf("%s: %s is %v by %s (%s), want %q for %q; of the line: %s", c.name, change, v.Kind, v.Evidence, v.Reason, want, c.reason, strings.Join(all, ", "))
			}
		}
	}
}

// assumedCase is what an assumption makes of a mutant.
type assumedCase struct{ assumed, change, reason string } // "" for open ones

// assuming are the verdicts on the mutants with an assumption.
func assuming(t *testing.T, b equiv.Batch, text string) ([]equiv.Verdict, error) {
	t.Helper()
	all, err := assume.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return constraint.Function(b, all)
}

func checkAssumed(t *testing.T, b equiv.Batch, cases []assumedCase) {
	t.Helper()
	for _, c := range cases {
		verdicts, err := assuming(t, b, c.assumed)
		if err != nil {
			t.Fatal(err)
		}
		made := false
		for i, one := range b.Mutants {
			if one.Original+" → "+one.Replacement != c.change {
				continue
			}
			made = true
			v := verdicts[i]
			if (v.Kind == equiv.Equivalent) != (c.reason != "") || !strings.Contains(v.Reason, c.reason) {
				t.Errorf("%s: %s is %v: %s, want %q", c.assumed, c.change, v.Kind, v.Reason, c.reason)
			}
		}
		if !made {
			t.Errorf("%s is not made", c.change)
		}
	}
}

// firstFunction is that of a source with all its mutants.
func firstFunction(t *testing.T, source string) equiv.Batch {
	t.Helper()
	m := analysistest.Module(t, source)
	return equiv.Batch{Module: m, Func: m.Functions()[0], Mutants: operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants}
}

// An assertion on an argument is a fact wherever control is (section 4, global assertions), and the
// reason says that it is one.
func TestWhatIsAssumedOfArgumentsIsAFact(t *testing.T) {
	b := firstFunction(t, `int size(int x, unsigned n, int y) {
  int r = x;
  if (x < y)
    r = y;
  if (x < 0)
    return -1;
  return r + n % 7;
}
`)
	checkAssumed(t, b, []assumedCase{
		{"size: x >= 0 && y > 3", "return -1 → return 0", "x >= 0 (taken for granted), and x < 0 (line 5)"},
		{"size: y <= x", "r = y; → ;", "x >= y (taken for granted), and x < y (line 3)"},
		{"size: 5 < x", "x → abs(x)", "x < 0 and x > 5 (taken for granted)"},
		{"size: x >= 0 || y > 3", "return -1 → return 0", ""},
		{"size: n >= 0", "return -1 → return 0", ""},
		{"other: x >= 0", "return -1 → return 0", ""},
	})
	if _, err := assuming(t, b, "size: count > 0"); err == nil {
		t.Error("an assumption on what is not there is taken")
	}
}

// Offutt and Pan's array extension: what is asserted of an array holds of each of its elements, and without an
// assertion two elements have nothing to do with each other.
func TestWhatIsAssumedOfAnArrayIsAFactOfEachElement(t *testing.T) {
	b := firstFunction(t, `int limits[4];
struct pair { int first; };
struct sheet { int *cells; };
int pick(const int *list, unsigned char *bytes, struct pair *pairs, int i, int j, int most) {
  int own[3] = {i, j, 7};
  struct sheet sheet = {limits};
  if (list[i] >= 0)
    if (list[j] < 0)
      return 1;
  if (own[j] > most)
    return limits[i];
  if (bytes[i] > 200)
    return pairs[i].first;
  return *list + sheet.cells[j];
}
`)
	checkAssumed(t, b, []assumedCase{
		{"pick: i >= 0", "return 1 → return 0", ""},
		{"pick: list[] >= 0", "return 1 → return 0", "list[…] < 0 (line 8)"},
		{"pick: list[] >= 0", "*list → abs(*list)", "list[…] < 0 and list[…] >= 0 (taken for granted)"},
		{"pick: list[] >= 0", "limits[i] → abs(limits[i])", ""},
		{"pick: limits[] > 1 && list[] > 1", "limits[i] → abs(limits[i])", "limits[…] < 0 and limits[…] > 1 (taken for granted)"},
		{"pick: own[] <= most", "return limits[i] → abort()", "most >= own[…] (taken for granted), and most < own[…] (line 10)"},
		{"pick: bytes[] >= -1", "return pairs[i].first → abort()", ""},
		{"pick: bytes[] <= 200", "return pairs[i].first → abort()", "bytes[…] <= 200 (taken for granted), and bytes[…] > 200 (line 12)"},
	})
	for text, want := range map[string]string{
		"pick: pairs[] > 0":           "no integer is read there through a variable pairs",
		"pick: sheet[] > 0":           "no integer is read there through a variable sheet",
		"pick: i[] > 0":               "no integer is read there through a variable i",
		"pick: list > 0":              "list is no integer variable",
		"pick: list[] + limits[] > 0": "elements of several arrays",
		"program.c:8: list[] > 0":     "no integer is read there through a variable list",
	} {
		if _, err := assuming(t, b, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
