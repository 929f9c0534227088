package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
)

// hazards does, by its first number, what a sanitizer must see, and for 0 nothing
// of the kind. Unchecked, every one of these runs ends by itself.
const hazards = `
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int table[4] = {1, 2, 3, 4};
int main(void) {
  int what, at, local[4] = {5, 6, 7, 8};
  if (scanf("%d %d", &what, &at) != 2) return 1;
  int *heap = malloc(4 * sizeof *heap);
  for (int i = 0; i < 4; i++) heap[i] = i;
  switch (what) {
  case 1: printf("%d\n", table[at]); break;
  case 2: printf("%d\n", *(local + at)); break;
  case 3: printf("%d\n", heap[at]); break;
  case 4: printf("%d\n", INT_MAX - 3 + at); break;
  case 5: printf("%d\n", 1 << at); break;
  case 6: free(heap); printf("%d\n", heap[at & 1]); heap = NULL; break;
  case 7: { char *big = malloc((size_t)at << 20); if (big) big[0] = 1; printf("%d\n", big != NULL); free(big); break; }
  case 8: { char **p = calloc(64, sizeof *p); for (int i = 0; i < at; i++) p[i] = malloc(32 << 20); printf("%d\n", at); break; }
  case 9: while (at) at = at > 1 ? at - 1 : at + 1; break;
  case 10: { char *word = strdup("word"); word[0] = (char)('a' + at); puts(word); free(word); break; }
  default: printf("clean %d\n", at);
  }
  free(heap);
  return what == 0 ? 3 : 0;
}
`

func TestSanitizersRefuseInputsThatMakeAProgramReadBeyondItsArrays(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "hazards.c")
	if err := os.WriteFile(source, []byte(hazards), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		input string
		clean bool
	}{
		{"0 1", true}, {"1 3", true}, {"1 4", false}, {"1 -1", false}, {"2 3", true}, {"2 5", false}, {"3 3", true}, {"3 4", false},
		{"4 3", true}, {"4 4", false}, {"5 30", true}, {"5 33", false}, {"6 0", false},
		{"7 1", true}, {"7 100000", true}, {"8 4", true}, {"8 40", false}, {"9 0", true}, {"9 2", false}, {"10 1", true},
	}
	var tests []execute.Test
	for k, c := range cases {
		path := filepath.Join(dir, fmt.Sprintf("input-%d", k))
		if err := os.WriteFile(path, []byte(c.input+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		tests = append(tests, execute.Test{Name: c.input, Input: path})
	}
	checked, err := newChecker(context.Background(), buildtest.Builder(t), []program.Input{{Path: source}}, "hazards")
	if err != nil {
		t.Fatal(err)
	}
	found, err := checked.clean(context.Background(), tests, execute.Options{BaselineWork: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, test := range found {
		got = append(got, test.Name)
	}
	for _, c := range cases {
		if c.clean {
			want = append(want, c.input)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("clean on %q, want %q", got, want)
	}
}
