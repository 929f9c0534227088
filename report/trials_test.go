package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTrialsAreSaidInWords(t *testing.T) {
	for _, c := range []struct {
		of   *Trials
		want string
	}{
		{nil, "not tried"},
		{&Trials{Of: "program", Inputs: 24}, "none of 24 drawn inputs reaches it"},
		{&Trials{Of: "function", Inputs: 24, Reached: 20}, "20 of 24 drawn inputs of the function reach it, the result is the same"},
		{&Trials{Of: "function", Inputs: 24, Reached: 1}, "1 of 24 drawn inputs of the function reaches it, the result is the same"},
		{&Trials{Of: "program", Inputs: 24, Reached: 20, Shown: 3}, "other output for 3 of the 20 drawn inputs that reach it"},
		{&Trials{Of: "program", Inputs: 24, Reached: 24, Shown: 1}, "other output for 1 of 24 drawn inputs"},
		{&Trials{Of: "program", Inputs: 24, Reached: 1, Shown: 1}, "other output for 1 of 24 drawn inputs, which alone reaches it"},
		{&Trials{Of: "program", Inputs: 24, Reached: 5, Shown: 5}, "other output for each of the 5 drawn inputs that reach it"},
		{&Trials{Of: "program", Inputs: 24, Reached: 24, Shown: 24}, "other output for each of 24 drawn inputs"},
		{&Trials{Of: "program", Inputs: 24, Reached: 24, Shown: 24, Crashes: 24}, "crashes for each of 24 drawn inputs"},
		{&Trials{Of: "program", Inputs: 24, Reached: 20, Shown: 12, Crashes: 3, Ends: 1}, "crashes for 3, only one of the two ends in time for 1, other output for 8 of the 20 drawn inputs that reach it"},
		{&Trials{Of: "program", Inputs: 24, Reached: 24, Shown: 21, Ends: 21, Ending: true}, "does not end in time for 21 of 24 drawn inputs"},
		{&Trials{Of: "function", Inputs: 24, Reached: 24, Shown: 5, Crashes: 2}, "crashes for 2, other result for 3 of 24 drawn inputs of the function"},
	} {
		if got := c.of.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}

// Mutants of a function that no test runs are one line, which says so once.
func TestALineSaysThatNoTestRunsAPartOfAFunction(t *testing.T) {
	shown := &Trials{Of: "program", Inputs: 24, Reached: 20, Shown: 3}
	for _, c := range []struct {
		of   Ranked
		want string
	}{
		{Ranked{Tests: &Seen{Tests: 4}, Alike: 7}, "no test runs it, nor 7 more of the function"},
		{Ranked{Tests: &Seen{Tests: 4}, Alike: 7, Trials: shown}, "no test runs it, nor 7 more of the function; other output for 3 of 24 drawn inputs"},
		{Ranked{Tests: &Seen{Tests: 4}}, "no test runs it"},
		{Ranked{Tests: &Seen{Tests: 4, Told: "f(1) returns 2, the mutant 3"}, Alike: 7, Trials: shown}, "no test runs it, nor 7 more of the function; f(1) returns 2, the mutant 3"},
		{Ranked{Tests: &Seen{Tests: 4, Reached: 2, Infected: 2, Told: "f(1) returns 2, the mutant 3"}}, "reached by 2 of 4 tests; f(1) returns 2, the mutant 3"},
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
	r.Mutants[0].Trials, r.Mutants[0].Alike = &Trials{Of: "program", Inputs: 24, Reached: 20, Shown: 3}, 7
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
		!strings.Contains(foreign, "other output for 3 of the 20 drawn inputs that reach it; +7 alike") {
		t.Error(foreign)
	}
	if explained := table(true, TableOptions{Explain: true}); !strings.Contains(explained, "loop_depth") || !strings.Contains(explained, "p(kill)") {
		t.Error(explained)
	}
	if strings.Contains(own, "\x1b") || !strings.Contains(table(false, TableOptions{Colour: true}), dim+"other output") {
		t.Error("colours where none are wanted, or none where they are")
	}
}

// On a terminal that is too narrow for a line, what is said of a mutant stands below its change;
// on a wide one, and in files, beside it.
func TestATableFitsTheTerminal(t *testing.T) {
	r := example()
	r.Mutants[0].Trials, r.Mutants[0].Alike = &Trials{Of: "program", Inputs: 24, Reached: 20, Shown: 3}, 7
	said := "other output for 3 of the 20 drawn inputs that reach it; +7 alike"
	table := func(opts TableOptions) []string {
		var out bytes.Buffer
		if err := r.WriteTable(&out, opts); err != nil {
			t.Fatal(err)
		}
		return strings.Split(out.String(), "\n")
	}
	beside := table(TableOptions{})
	at := slices.IndexFunc(beside, func(line string) bool { return strings.HasSuffix(line, said) })
	if at < 0 || len(beside[at]) < 2*len(said) {
		t.Fatalf("%q", beside)
	}
	width := utf8.RuneCountInString(beside[at])
	for _, opts := range []TableOptions{{Width: width}, {Width: width, Colour: true}} {
		if got := table(opts); len(got) != len(beside) {
			t.Errorf("%+v: %q", opts, got)
		}
	}
	below := table(TableOptions{Width: width - 1})
	if len(below) != len(beside)+len(r.Mutants) || strings.TrimSpace(below[at+1]) != said || !strings.HasPrefix(beside[at], below[at]) || strings.Contains(below[at-1], "why") {
		t.Errorf("%q", below)
	}
}
