package report

import (
	"bytes"
	"strings"
	"testing"
)

func TestTrialsAreSaidInWords(t *testing.T) {
	for _, c := range []struct {
		of   *Trials
		want string
	}{
		{nil, "not tried"},
		{&Trials{"program", 24, 0, 0}, "none of 24 drawn inputs reaches it"},
		{&Trials{"function", 24, 20, 0}, "20 of 24 drawn inputs of the function reach it, the result is the same"},
		{&Trials{"program", 24, 20, 3}, "20 of 24 drawn inputs reach it, the output differs for 3"},
		{&Trials{"program", 24, 24, 1}, "24 of 24 drawn inputs reach it, the output differs for 1"},
		{&Trials{"program", 24, 1, 1}, "1 of 24 drawn inputs reaches it, the output differs"},
		{&Trials{"function", 24, 1, 0}, "1 of 24 drawn inputs of the function reaches it, the result is the same"},
		{&Trials{"program", 24, 5, 5}, "5 of 24 drawn inputs reach it, the output differs for each"},
		{&Trials{"program", 24, 24, 24}, "24 of 24 drawn inputs reach it, the output differs for each"},
	} {
		if got := c.of.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}

// Mutants of a function that no test runs are one line, which says so once.
func TestALineSaysThatNoTestRunsAPartOfAFunction(t *testing.T) {
	shown := &Trials{"program", 24, 20, 3}
	for _, c := range []struct {
		of   Ranked
		want string
	}{
		{Ranked{Tests: &Seen{Tests: 4}, Alike: 7}, "no test runs it, nor 7 more of the function"},
		{Ranked{Tests: &Seen{Tests: 4}, Alike: 7, Trials: shown}, "no test runs it, nor 7 more of the function; for 3 of 24 drawn inputs the output differs"},
		{Ranked{Tests: &Seen{Tests: 4}}, "no test runs it"},
		{Ranked{Tests: &Seen{Tests: 4, Call: "f(1) returns 2, the mutant 3"}, Alike: 7, Trials: shown}, "no test runs it, nor 7 more of the function; f(1) returns 2, the mutant 3"},
		{Ranked{Tests: &Seen{Tests: 4, Reached: 2, Infected: 2, Call: "f(1) returns 2, the mutant 3"}}, "reached by 2 of 4 tests; f(1) returns 2, the mutant 3"},
		{Ranked{Tests: &Seen{Tests: 4, Reached: 2, Infected: 1}, Alike: 7}, "reached by 2 of 4 tests, infects 1, never seen at the output; +7 alike"},
	} {
		if got := c.of.why(TableOptions{}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Who reads the table of a program that the model does not know must not read what the
// model says of it.
func TestProbabilitiesOfAForeignProgramAreNotPrinted(t *testing.T) {
	r := example()
	r.Mutants[0].Trials, r.Mutants[0].Alike = &Trials{"program", 24, 20, 3}, 7
	table := func(foreign bool, opts TableOptions) string {
		var out bytes.Buffer
		r.Drift = &Drift{Foreign: foreign}
		if err := r.WriteTable(&out, opts); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	own, foreign := table(false, TableOptions{}), table(true, TableOptions{})
	if !strings.Contains(own, "p(kill)") || !strings.Contains(own, "0.812") || strings.Contains(own, "loop_depth") {
		t.Error(own)
	}
	if strings.Contains(foreign, "p(kill)") || strings.Contains(foreign, "0.812") || !strings.Contains(foreign, "foreign") ||
		!strings.Contains(foreign, "20 of 24 drawn inputs reach it, the output differs for 3; +7 alike") {
		t.Error(foreign)
	}
	if explained := table(true, TableOptions{Explain: true}); !strings.Contains(explained, "loop_depth") || !strings.Contains(explained, "p(kill)") {
		t.Error(explained)
	}
	if strings.Contains(own, "\x1b") || !strings.Contains(table(false, TableOptions{Colour: true}), dim+"20 of 24") {
		t.Error("colours where none are wanted, or none where they are")
	}
}
