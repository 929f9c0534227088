package main

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/capture"
)

// A run with a budget of a minute decides next to nothing where the tests take half of one.
func TestInitSaysWhatBudgetSlowTestsNeed(t *testing.T) {
	for _, is := range []struct {
		took float64
		ends capture.Outcome
		want string
	}{
		{0.5, capture.Passed, ""},
		{3, capture.Passed, "take 6 s, one after the other. A run with a budget needs several times that: winnow run . --budget 2m"},
		{30, capture.Late, "take more than 60 s, one after the other. A run with a budget needs several times that: winnow run . --budget 20m"},
	} {
		c := &capture.Capture{Tests: []capture.Test{{Name: "a", Took: is.took, Outcome: is.ends}, {Name: "b", Took: is.took, Outcome: capture.Passed}}}
		got := strings.Join(slowness(c), "\n")
		if (got == "") != (is.want == "") || !strings.Contains(got, is.want) {
			t.Errorf("two tests of %v s: %q, want %q", is.took, got, is.want)
		}
	}
}
