package report

import (
	"testing"

	"github.com/winnow-mutants/winnow/inputs"
)

// An example says what a user sees, where it differs first.
func TestAnExampleSaysWhatDiffers(t *testing.T) {
	ends := func(text string, status int) *Ending { return &Ending{Printed: text, Status: status, Ended: true} }
	for _, c := range []struct {
		input            string
		original, mutant *Ending
		want             string
	}{
		{"3 4\n", ends("7\n", 0), ends("12\n", 0), `for "3 4" it prints "12", not "7"`},
		{"", ends("7\n", 0), ends("12\n", 0), `for no input it prints "12", not "7"`},
		{"\n", ends("7\n", 0), ends("12\n", 0), `for an empty line it prints "12", not "7"`},
		{"a\nb\n", ends("1\n2\n", 0), ends("1\n3\n", 0), `for "a\nb" it prints "3", not "2"`},
		{"a\n", ends("1\n2\n", 0), ends("1\n", 0), `for "a" it does not print "2"`},
		{"a\n", ends("1\n", 0), ends("1\n2\n", 0), `for "a" it prints "2", too`},
		{"a\n", ends("1\n", 0), ends("", 0), `for "a" it prints nothing, not "1"`},
		{"a\n", ends("", 0), ends("1\n", 0), `for "a" it prints "1", not nothing`},
		{"a\n", ends("1\n", 0), ends("1\n", 2), `for "a" the status is 2, not 0`},
		{"a\n", ends("1\n", 0), &Ending{Crashed: true}, `for "a" it crashes`},
		{"a\n", ends("1\n", 0), &Ending{}, `for "a" it does not end in time`},
		{
			"a\n", ends("a line that goes on for long before it ends here\n", 0), ends("a line that goes on for long before it ends there\n", 0),
			`for "a" it prints "…ore it ends there", not "…ore it ends here"`,
		},
		{"one two three four five six seven eight nine\n", ends("1\n", 0), ends("2\n", 0), `for "one two three four five six seven eight…" it prints "2", not "1"`},
	} {
		e := &Example{Given: inputs.Given{Input: c.input}, Original: c.original, Mutant: c.mutant}
		if got := e.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	given := &Example{Given: inputs.Given{Args: []string{"-n", "3", "two words", "it's"}}, Original: ends("1\n", 0), Mutant: ends("2\n", 0)}
	if got, want := given.String(), `for the arguments -n 3 'two words' 'it'\''s' it prints "2", not "1"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	given.Args, given.Input = []string{"7"}, "8\n"
	if got, want := given.String(), `for the arguments 7 and the input "8" it prints "2", not "1"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	given.Given = inputs.Given{Args: []string{"a.txt", "b.txt"}, Files: []inputs.File{{Name: "a.txt", Text: "1 2\n3\n"}, {Name: "b.txt"}}}
	if got, want := given.String(), `for the arguments a.txt b.txt and the file a.txt of "1 2\n3" and the file b.txt of nothing it prints "2", not "1"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if e := (&Example{Call: "least(a = 3, b = 2) returns 2, the mutant 3"}); e.String() != e.Call {
		t.Errorf("a call is shown as %s", e)
	}
}

// What is said of a mutant without an example is what was looked for, and not what made-up runs
// showed.
func TestWhatWasLookedForInVainIsSaid(t *testing.T) {
	trials := &Trials{Of: "program", Inputs: 24, Reached: 24, Shown: 24}
	for _, c := range []struct {
		of   Ranked
		want string
	}{
		{Ranked{Trials: trials}, "other output for each of 24 drawn inputs"},
		{Ranked{Trials: trials, NotTold: true}, "no input found that tells it"},
		{Ranked{Trials: trials, NotTold: true, NotReached: true, Alike: 3}, "no input found that reaches it; +3 alike"},
		{Ranked{Trials: trials, NotTold: true, Tests: &Seen{Tests: 9, Reached: 2}}, "reached by 2 of 9 tests, never with values that differ; no input found that tells it"},
		{Ranked{Trials: trials, NotTold: true, Example: &Example{Call: "f(1) returns 1, the mutant 2"}}, "f(1) returns 1, the mutant 2"},
		{Ranked{Trials: trials, Uncalled: true, Example: &Example{Call: "f(1) returns 1, the mutant 2"}}, "f(1) returns 1, the mutant 2; nothing that main calls has it"},
		{Ranked{Trials: trials, Uncalled: true}, "nothing that main calls has it"},
		{Ranked{Trials: trials, Tests: &Seen{Tests: 9, Reached: 2, Infected: 2}, Example: &Example{Call: "f(1) returns 1, the mutant 2"}}, "reached by 2 of 9 tests; f(1) returns 1, the mutant 2"},
	} {
		if got := c.of.why(TableOptions{}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
