package features_test

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant"
)

// turns has the shape and the line numbers of the program of the dissertation's
// figure 6.4.
const turns = `#include <stdio.h>

static char text[64], copy[64];

static void turn(int from, int to, int by) {
  for (int i = from; i <= to; i++) copy[from + (i - from + by) % (to - from + 1)] = text[i];
  for (int i = from; i <= to; i++) text[i] = copy[i];
  copy[0] = 0;
}

int main(void) {
  int m, left, right, by;

  scanf("%63s", text);
  scanf("%d", &m);
  while (m-- > 0) {
    scanf("%d %d %d", &left, &right, &by);
    by = by % (right - left + 1);
    turn(left - 1, right - 1, by);
  }
  puts(text);
  return 0;
}
`

// perLine is figure 6.4: how many mutants Mart made on each line.
var perLine = map[int]int{6: 49, 7: 65, 8: 10, 14: 6, 15: 3, 16: 72, 17: 6, 18: 55, 19: 60, 21: 7, 22: 3}

// withPerLine repeats or drops mutants until each line has as many as there
// should be. Those of line 16 stay on m-- as often as m-- has any.
func withPerLine(t *testing.T, mutants []mutant.Mutant) []mutant.Mutant {
	t.Helper()
	byLine := map[int][]mutant.Mutant{}
	for _, m := range mutants {
		if m.Line == 15 && m.Replacer != "DELSTMT" {
			continue // an operand of scanf: the example counts the call
		}
		byLine[m.Line] = append(byLine[m.Line], m)
	}
	var out []mutant.Mutant
	for line := 1; line <= 22; line++ {
		want := perLine[line]
		if want > 0 && len(byLine[line]) == 0 {
			t.Fatalf("no mutants on line %d", line)
		}
		for k := range want {
			out = append(out, byLine[line][k%len(byLine[line])])
		}
	}
	return out
}

func TestTheDissertationsExampleHasItsPublishedValues(t *testing.T) {
	m, mutants := generate(t, turns)
	given := withPerLine(t, mutants)
	table := tableOf(t, m, given)
	s := &extracted{t, given, table}
	step := s.find("RIGHTDEC!RIGHTINC", "m--")
	n := 0.0 // mutants on m--
	for i := range given {
		if touches(&given[i], &given[step]) {
			n++
		}
	}
	parent := 0.0 // mutants on m-- > 0
	greater := s.find("GT!GE", "m > 0")
	for i := range given {
		if touches(&given[i], &given[greater]) {
			parent++
		}
	}
	if n == 0 || parent == 0 || n == parent {
		t.Fatalf("%v mutants on m--, %v on its parent", n, parent)
	}
	for _, want := range []struct {
		feature int
		column  string
		value   float64
	}{
		{1, "complexity", 72}, {2, "cfg_depth", 1}, {3, "cfg_predecessors", 2}, {4, "cfg_successors", 2}, {5, "tree_parents", 1},
		{6, "out_data", n}, {7, "in_data", 3 + n}, {8, "out_control", 0}, {9, "in_control", 0}, {10, "tie", n},
		{11, "parent_out_data", 0}, {12, "parent_in_data", n}, {13, "parent_out_control", 121}, {14, "parent_in_control", 0}, {15, "parent_tie", parent},
		{16, "parent_is_gt", 1}, {17, "matcher_RIGHTDEC", 1}, {17, "replacer_RIGHTINC", 1}, {17, "matcher_GT", 0}, {18, "block_loop_condition", 1},
		{24, "child_identifier", 1}, {25, "child_literal", 0}, {26, "has_operator", 1}, {27, "operands_i32", 1}, {28, "value_i32", 1},
	} {
		if got := s.value(step, want.column); got != want.value {
			t.Errorf("feature %d, %s, is %v; published %v", want.feature, want.column, got, want.value)
		}
	}
	// Features 19 to 23 are the sums of the types of the mutants counted: each
	// mutant has one matcher and one replacer.
	for prefix, count := range map[string]float64{"parent": parent, "out_data": n, "in_data": 3 + n, "out_control": 0, "in_control": 0} {
		for _, half := range []string{"_matcher_", "_replacer_"} {
			sum := 0.0
			for _, c := range table.Schema()[1:] {
				if strings.HasPrefix(c.Name, prefix+half) {
					sum += s.value(step, c.Name)
				}
			}
			if sum != count {
				t.Errorf("%s%s* sums to %v, want %v", prefix, half, sum, count)
			}
		}
	}
}

func touches(a, b *mutant.Mutant) bool {
	for _, x := range a.Site.Touched {
		for _, y := range b.Site.Touched {
			if x == y {
				return true
			}
		}
	}
	return false
}
