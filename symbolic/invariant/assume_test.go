package invariant_test

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/invariant"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// A limit that is assumed of an argument holds of what is computed of it, by induction: of the two
// ends of a search, and not of a number that grows beyond.
func TestLimitsThatAreAssumedHoldOfWhatFollows(t *testing.T) {
	code := op.Lower(defuse.Of(analysistest.Function(t, `int f(const int *list, int count, int wanted) {
  int low = 1, high = count, sum = count;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    sum = sum + list[middle - 1];
    if (list[middle - 1] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return sum;
}`, "f")))
	all, err := assume.Parse([]byte("f: count >= 0 && count <= 20\n"))
	if err != nil {
		t.Fatal(err)
	}
	facts, err := invariant.Find(t.Context(), code, nil, all)
	if err != nil {
		t.Fatal(err)
	}
	f, err := execute.Prepare(term.NewPool(), code, nil)
	if err != nil {
		t.Fatal(err)
	}
	var holds []string
	for _, cut := range f.Cuts() {
		for _, one := range facts[cut] {
			holds = append(holds, one.Text(f.NameOf))
		}
	}
	for _, want := range []string{"low >= 1", "low <= 21", "high <= 20", "high >= 0"} {
		if !slices.Contains(holds, want) {
			t.Errorf("%s does not hold: %q", want, holds)
		}
	}
	for _, not := range []string{"sum <= 20", "sum >= 0", "wanted <= 20"} {
		if slices.Contains(holds, not) {
			t.Errorf("%s is said to hold", not)
		}
	}
}
