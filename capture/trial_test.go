package capture

import (
	"strings"
	"testing"
)

// Of a test that fails the line is told by which one knows why, and nothing that a terminal would obey.
func TestAFailureIsToldByOneLine(t *testing.T) {
	for output, want := range map[string]string{
		"":                                     "",
		"checking\nno server\n\n":              "no server",
		"winnow: scons: not found\n":           "scons: not found",
		"\x1b[31mFAILED\x1b[0m\n":              "",
		strings.Repeat("é", mostSaid) + "\n":   strings.Repeat("é", mostSaid),
		strings.Repeat("é", mostSaid+1) + "\n": strings.Repeat("é", mostSaid-1) + "…",
		"cc -c a.c\na.c:1:1: error: what\nmake: *** [Makefile:2: a.o] Error 1\n": "a.c:1:1: error: what | make: *** [Makefile:2: a.o] Error 1",
	} {
		if got := saidLast(output); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
