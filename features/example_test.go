package features_test

import "testing"

// rotations has the shape of the program in the dissertation's example (section
// 6.3): values read by scanf, and a loop that counts one of them down.
const rotations = `#include <stdio.h>
int turn(int by, int of) { return by % of; }
int main(void) {
  int m, left, right, by, total = 0;
  scanf("%d", &m);
  while (m-- > 0) {
    scanf("%d %d %d", &left, &right, &by);
    left--;
    total += turn(by, right - left);
  }
  printf("%d\n", total);
  return 0;
}
`

func TestTheDissertationsExampleIsReadAsThere(t *testing.T) {
	s := extract(t, rotations)
	step := s.find("RIGHTDEC!RIGHTINC", "m--")
	condition := s.find("GT!GE", "m > 0")
	onStep := s.value(step, "site_mutants") + 1 // and the trap in the place of the statement
	for _, want := range []struct {
		row    int
		column string
		value  float64
	}{
		{step, "cfg_depth", 1},
		{step, "cfg_predecessors", 2},
		{step, "cfg_successors", 2},
		{step, "tree_parents", 1},
		{step, "parent_is_gt", 1},
		{step, "tie", onStep},
		{step, "out_data", onStep},
		{step, "out_control", 0},
		{step, "in_control", 0},
		{step, "parent_in_data", onStep},
		{step, "parent_out_data", 0},
		{step, "parent_in_control", 0},
		{step, "block_loop_condition", 1},
		{step, "child_identifier", 1},
		{step, "value_i32", 1},
		{condition, "is_loop_condition", 1},
		{condition, "in_control", 0},
	} {
		if got := s.value(want.row, want.column); got != want.value {
			t.Errorf("%s is %v, want %v", want.column, got, want.value)
		}
	}
	body := 0.0
	for i := range s.mutants {
		if m := &s.mutants[i]; m.Function == "main" && m.Line >= 7 && m.Line <= 9 {
			body++
		}
	}
	if got := s.value(step, "parent_out_control"); got != body || body == 0 {
		t.Errorf("the condition controls %v mutants, want the loop's %v", got, body)
	}
	if got := s.value(condition, "out_control"); got != body {
		t.Errorf("the condition itself controls %v mutants, want %v", got, body)
	}
	scanned := 0.0
	for i := range s.mutants {
		if s.mutants[i].Line == 5 {
			scanned++
		}
	}
	if got := s.value(step, "in_data"); got != scanned+onStep {
		t.Errorf("m-- depends on %v mutants, want the %v on scanf and its own %v", got, scanned, onStep)
	}
}
