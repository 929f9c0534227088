package features_test

import (
	"math"
	"testing"
)

func TestALineOfAnIdiomIsMoreUsualThanItsMutant(t *testing.T) {
	s := extract(t, `int f(int *a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) { // for each, i < n
    total += a[i];
  }
  return total;
}
`)
	odd := s.find("LT!EQ", "i < n")
	before, after := s.value(odd, "corpus_line_original"), s.value(odd, "corpus_line_mutated")
	if !(before < after) || s.value(odd, "corpus_line_difference") != after-before {
		t.Errorf("the loop's line: %v bits a token, with i == n %v", before, after)
	}
	if out, in := s.value(odd, "corpus_surprise_original"), s.value(odd, "corpus_surprise_mutated"); !(out < in) {
		t.Errorf("< surprises by %v bits, == by %v", out, in)
	}
	for row := range s.mutants {
		m := &s.mutants[row]
		if got := s.value(row, "corpus_line_original"); m.Line == s.mutants[odd].Line && m.Original == "i < n" && got != before {
			t.Errorf("%s => %s: the line has %v bits a token", m.Original, m.Replacement, got)
		}
		if got := s.value(row, "corpus_line_mutated"); math.IsInf(got, 0) || got < 0 {
			t.Errorf("%s => %s: %v", m.Original, m.Replacement, got)
		}
	}
}
