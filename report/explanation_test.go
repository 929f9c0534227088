package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestAnExplanationShowsTheLineAndWhatIsNotZero(t *testing.T) {
	e := Explanation{ID: "0123456789ab", File: "a.c", Line: 7, Function: "f", Type: "ADD!SUB", Original: "a + b", Replacement: "a - b", Text: "return a + b;",
		Families: []ExplainedFamily{{Name: "tree", Features: []ExplainedFeature{
			{Name: "depth", Unit: "edges", Doc: "how deep", Value: 2}, {Name: "none", Doc: "nothing"}, {Name: "far", Doc: "how far", Value: math.NaN()}}}}}
	var b bytes.Buffer
	if err := e.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.c:7 in f: ADD!SUB", "return a + b;", "a + b → a - b", "depth", "how deep (edges)", "missing  how far", "(1 are 0)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "nothing") {
		t.Error("a zero is shown")
	}
}
