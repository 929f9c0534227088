package concrete_test

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/inputs"
)

// What a program calls chooses the form of its input: the interpreter knows each function
// that the tables of inputs name, and has none beside them but those that scan by a format.
func TestTheFunctionsThatReadAreThoseThatFormsName(t *testing.T) {
	want := []string{"fscanf", "scanf"}
	for _, c := range inputs.Channels() {
		for _, f := range c.Forms {
			want = append(want, f.Calls...)
		}
	}
	slices.Sort(want)
	if got := concrete.InputFunctions(); !slices.Equal(got, want) {
		t.Errorf("the interpreter reads by %v, forms name %v", got, want)
	}
}

// A format's conversions choose the form, too.
func TestConversionsAreReadInTheirForm(t *testing.T) {
	m := compile(t, headers+`
int main(void) {
  int n; long many; double x; float y; char word[100], c;
  for (int got = 0; (got = scanf("%d %ld %lE %f %s %c", &n, &many, &x, &y, word, &c)) != EOF; ) {
    if (got < 6) return 2;
    if (x * 2 != (int)(x * 2) || y * 2 != (int)(y * 2)) return 3;
    if (!word[0] || strchr(word, 32) || strchr(word, 10) || c == 32 || c == 10) return 4;
  }
  return 1;
}
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	for seed := range uint64(40) {
		var p concrete.Path
		if root.Along(&p, seed, 0, 40000); !p.Returned || p.Value() != 1 && p.Value() != 2 {
			t.Errorf("seed %d: returned %v with %d", seed, p.Returned, p.Value())
		}
	}
}

// What a program compares with is known before it is run, of all that main calls.
func TestWordsAreThoseOfAllThatMainCalls(t *testing.T) {
	m := compile(t, headers+`
static int looks(const char *s, int n) { return strcmp(s, "north") == 0 || n == 417 || s[0] == 'q'; }
static int alone(int n) { return n == 999; }
int main(void) { char s[9]; switch (scanf("%s", s)) { case 77: return alone(0); } return looks(s, 1); }
`, "")
	w := concrete.OfFunction(find(t, m.Functions(), "main")).Words()
	for _, x := range []int64{77, 417, 999, 'q'} {
		if !slices.Contains(w.Numbers, x) {
			t.Errorf("%d is not among %v", x, w.Numbers)
		}
	}
	if !slices.Equal(w.Texts, []string{"north"}) || !slices.Contains(w.Characters, 'q') || slices.Contains(w.Numbers, 1) {
		t.Errorf("%+v", w)
	}
}
