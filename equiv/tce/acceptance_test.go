package tce_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// TestAnUnusedIncrementIsMatchedTwiceAndItsMutantsAreDuplicates: where nobody
// reads the value of x++, it is ++x as well to Mart, and both rules make a mutant.
func TestAnUnusedIncrementIsMatchedTwiceAndItsMutantsAreDuplicates(t *testing.T) {
	rules, err := rule.Parse("increments.mconf", []byte("LEFTINC(V1) --> left, LEFTDEC(V1);\nRIGHTINC(V1) --> right, RIGHTDEC(V1);\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, "testdata/trivial.c")
	rules.Mart = true // other sets take x++ for what it is in the source
	p.rules = rules
	p.generate(t)
	for _, passes := range []string{"default", "mart"} {
		verdicts := p.decide(t, tce.Options{Passes: passList(t, passes)})
		kinds := map[string]equiv.Verdict{}
		for i, m := range p.mutants {
			if m.Function == "step" {
				kinds[m.Rule] = verdicts[i]
			}
		}
		left, right := kinds["left"], kinds["right"]
		if len(kinds) != 2 || left.Kind != equiv.Unknown || right.Kind != equiv.Duplicate || right.Of != left.Mutant {
			t.Errorf("%s: x++ as x-- by the rule for ++x is %+v, by that for x++ %+v", passes, left, right)
		}
	}
}
