package smt_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
)

// An array of variable length is made at an address that both versions have.
func TestArraysOfVariableLengthAreFollowed(t *testing.T) {
	mutants, verdicts := judged(t, `int sum(int n, int k) {
  if (n < 1 || n > 50) return 0;
  int t[n], i, j, s = 0, grid[n][k & 3];
  for (i = 0; i < n; i++)
    t[i] = i * k;
  for (i = 0; i < n; i++)
    for (j = 0; j < (k & 3); j++)
      grid[i][j] = t[i];
  for (i = 0; i < n; i++)
    s += t[i] + grid[i][0];
  return s;
}
`, "sum")
	for line, changes := range map[int]map[string]bool{
		3: {"n → n + 1": false, "n → n - 1": false},
		5: {"i → abs(i)": true, "i * k → i + k": false, "i → --i": false},
		8: {"j → abs(j)": true, "j → j + 1": false},
	} {
		of := kinds(mutants, verdicts, line)
		for change, equivalent := range changes {
			if v, ok := of[change]; !ok || (v.Kind == equiv.Equivalent) != equivalent {
				t.Errorf("line %d, %q is %v: %s", line, change, v.Kind, v.Reason)
			}
		}
	}
}

// What is known of the C library decides mutants, and what is not known of it decides none.
func TestWhatTheLibraryDoesIsKnown(t *testing.T) {
	const end = `
#include <stdio.h>
#include <stdlib.h>
int left, n;
static void later(void) { printf("%d", left); }
`
	for name, c := range map[string]struct {
		source   string
		line     int
		function string
		// equivalent are changes of the line that no test can tell, others are changes that some can.
		equivalent, others []string
	}{
		"scanf writes numbers where it is told": {
			source: `#include <stdio.h>
int main(void) {
  int n, i, s = 0;
  if (scanf("%d", &n) != 1) return 1;
  for (i = 0; i < n; i++)
    s += i % 7;
  printf("%d\n", s);
  return 0;
}
`, line: 6, function: "main", equivalent: []string{"i → abs(i)"}, others: []string{"i → --i", "s + i % 7 → s - i % 7"}},
		"scanf leaves what it does not read": {
			source: `#include <stdio.h>
int main(void) {
  int a = 3, b = 4;
  scanf("%d", &a);
  b = abs(b);
  printf("%d %d\n", a, b);
  return 0;
}
`, line: 3, function: "main", equivalent: []string{"b = 4 → b = -4"}, others: []string{"a = 3 → a = 4", "b = 4 → b = 5"}},
		"scanf returns no more than it converts": {
			source: `#include <stdio.h>
int main(void) {
  int a = 0, b = 0, n = 0;
  if (scanf("%d %*d %d", &a, &b) != 2) n = 1;
  printf("%d %d %d\n", a, b, n);
  return 0;
}
`, line: 4, function: "main", equivalent: []string{`scanf("%d %*d %d", &a, &b) != 2 → scanf("%d %*d %d", &a, &b) < 2`},
			others: []string{`scanf("%d %*d %d", &a, &b) != 2 → scanf("%d %*d %d", &a, &b) != 1`, `scanf("%d %*d %d", &a, &b) != 2 → 2 <= scanf("%d %*d %d", &a, &b)`}},
		"a text is read into an array of its own": {
			source: `#include <stdio.h>
#include <string.h>
int main(void) {
  char s[40]; int i, n = 0;
  if (scanf("%39s", s) != 1) return 1;
  for (i = 0; i < (int)strlen(s); i++)
    if (s[i] == 'a') n += i;
  printf("%s %d\n", s, n);
  return 0;
}
`, line: 7, function: "main", equivalent: []string{"i → abs(i)"}, others: []string{"s[i] == 97 → 1", "n + i → n - i"}},
		"what main leaves is lost": {
			source: end + `int main(void) {
  printf("%d", n);
  left = 1;
  return 0;
}
`, line: 8, function: "main", equivalent: []string{"left = 1; → ;"}},
		"unless something is registered for the end": {
			source: end + `int main(void) {
  atexit(later);
  left = 1;
  return 0;
}
`, line: 8, function: "main", others: []string{"left = 1; → ;"}},
		"or another function leaves it": {
			source: end + `int work(void) {
  printf("%d", n);
  left = 1;
  return 0;
}
`, line: 8, function: "work", others: []string{"left = 1; → ;"}},
	} {
		t.Run(name, func(t *testing.T) {
			mutants, verdicts := judged(t, c.source, c.function)
			of := kinds(mutants, verdicts, c.line)
			for _, change := range c.equivalent {
				if v, ok := of[change]; !ok || v.Kind != equiv.Equivalent {
					t.Errorf("%q is %v: %s", change, v.Kind, v.Reason)
				}
			}
			for _, change := range c.others {
				if v, ok := of[change]; !ok || v.Kind == equiv.Equivalent {
					t.Errorf("%q is %v: %s", change, v.Kind, v.Reason)
				}
			}
			if t.Failed() {
				for change, v := range of {
					t.Logf("%q: %v", change, v.Kind)
				}
			}
		})
	}
}
