package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A benchmark of one program, which reads a size and words, and looks for 417.
const program = `#include <stdio.h>
int main(void) {
  int n; char word[100];
  if (scanf("%d", &n) != 1) return 1;
  while (n-- > 0) if (scanf("%s", word) == 1 && word[0] == 'q') return 2;
  if (n == 417) return 3;
  return 0;
}
`

func TestInputsAreCountedAndBlocksReached(t *testing.T) {
	folder := t.TempDir()
	subject := filepath.Join(folder, "1-A-bug-1-2")
	for name, text := range map[string]string{
		"1-A-1.c": program, "1-A-2.c": program,
		"input-pos1": "2\nqa b\n-3 0.5\n", "input-pos2": "7\nabcdefg\n", "input-neg1": "7\nabcdefg\n", "input-neg2": "418",
	} {
		if err := os.MkdirAll(subject, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(subject, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{folder}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"3 inputs.\n",
		"| inputs | 3 | 100.00 | have at most 24 numbers and lines |",
		"| first two numbers | 4 | 25.00 | are 1 to 3 (tiny) |",
		"| first two numbers | 4 | 25.00 | are within one of a number that the program compares with |",
		"| decimals | 1 | 100.00 | end in .0 or .5 |",
		"| words | 3 | 66.67 | as many as the last number says |",
		"| letters of words | 10 | 10.00 | are characters that the program compares with |",
		"| lines with words | 2 | 50.00 | have spaces |",
		"| programs | 1 | 100.00 | compare with numbers |",
		"| least | ",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing in\n%s", line, out.String())
		}
	}
}

func TestWithoutABenchmarkItSaysWhatItIsFor(t *testing.T) {
	if err := run(t.Context(), nil, &bytes.Buffer{}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Error(err)
	}
}
