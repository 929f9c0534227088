// Package report writes results for people and programs: tables, JSON and
// Parquet.
//
// A report is a plain value that package rank fills; the functions here only lay
// it out. The same report gives the same bytes.
// Predicted figures are always named as probabilities, never as verdicts.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/number"
)

// Ranking is the mutants of one program in the order in which a tester should
// look at them.
type Ranking struct {
	Program  string `json:"program"`
	Model    string `json:"model"`
	Strategy string `json:"strategy"`
	// Seed is that of the strategies that draw random numbers.
	Seed uint64 `json:"seed"`
	// LeftOut is how many mutants were made and are not ranked, since the
	// optimiser shows them to be equal to the original or to another mutant, or
	// because they are no valid programs.
	LeftOut LeftOut `json:"left_out"`
	// Budget is what a bound on the time to run the mutants left; nil without one.
	Budget *Budget `json:"budget,omitempty"`
	// Suite is what a run of the tests gave, whose survivors are listed; nil where none was made.
	Suite *SuiteRun `json:"suite,omitempty"`
	// Total is how many mutants were ranked, of which Mutants are the first, or
	// the first of those that the budget left.
	Total   int      `json:"total"`
	Mutants []Ranked `json:"mutants"`
	// Skipped lists the functions that were left alone, with the reason.
	Skipped []string `json:"skipped,omitempty"`
	// Notes are what else the user should know, a sentence each.
	Notes []string `json:"notes,omitempty"`
	// Drift says how unlike the programs that the model learned from this one is;
	// nil where that cannot be told.
	Drift *Drift `json:"drift,omitempty"`
}

// Budget is what can be run in a time, and what is expected to be lost with the
// mutants that cannot. Times are estimates from one run of the original a test,
// in seconds.
type Budget struct {
	Seconds float64 `json:"seconds"`
	// Mutants is how many can be run, Spent what that takes, All what all take.
	Mutants int     `json:"mutants"`
	Spent   float64 `json:"spent_seconds"`
	All     float64 `json:"all_seconds"`
	// PredictedLostRevelation and PredictedLostKillable are the shares of the expected
	// revelation and of the expected number of killable mutants that the others
	// hold.
	PredictedLostRevelation Probability `json:"predicted_lost_revelation"`
	PredictedLostKillable   Probability `json:"predicted_lost_killable"`
}

// String is a line for people.
func (b *Budget) String() string {
	round := func(seconds float64) time.Duration {
		return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
	}
	return fmt.Sprintf("budget %v: %d mutants, which take about %v of the %v that all take; expected to be lost with the others: %s of the revelation, %s of the killable mutants",
		round(b.Seconds), b.Mutants, round(b.Spent), round(b.All), percent(b.PredictedLostRevelation), percent(b.PredictedLostKillable))
}

func percent(p Probability) string {
	if math.IsNaN(float64(p)) {
		return "– %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(p))
}

// LeftOut counts mutants that are not ranked, by reason.
type LeftOut struct {
	Equivalent int `json:"equivalent"`
	Duplicate  int `json:"duplicate"`
	Invalid    int `json:"invalid"`
	// Undefined are those whose behaviour C does not define whenever control comes to them.
	Undefined  int `json:"undefined"`
	Suppressed int `json:"suppressed"`
	// Killed are those that the tests were seen to kill, where these were run.
	Killed int `json:"killed,omitempty"`
}

// Ranked is one mutant with its place.
type Ranked struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Type        string `json:"type"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	// Undefined is what C may leave undefined in what the mutant does, if anything.
	Undefined string `json:"undefined,omitempty"`
	Rank      int    `json:"rank"`
	// PFault and PKill are predicted: the probability to be killed only by
	// tests that reveal a fault, and to be killable at all. NaN without a model.
	PFault Probability `json:"p_fault"`
	PKill  Probability `json:"p_kill"`
	// Alike is how many mutants of the same function follow that fall together with this one,
	// as far as drawn inputs tell, and are not listed: where that was asked for.
	Alike int `json:"alike,omitempty"`
	// Trials say what drawn inputs showed of it; nil where there were none.
	Trials *Trials `json:"trials,omitempty"`
	// Example is what tells it from the original; nil where nothing is known to.
	Example *Example `json:"example,omitempty"`
	// NotTold says that an input that tells it was looked for, and none was found.
	// NotReached says that none even comes to it, Uncalled that none can, since nothing that the
	// program's main calls has it.
	Uncalled   bool `json:"not_called,omitempty"`
	NotTold    bool `json:"no_input_found,omitempty"`
	NotReached bool `json:"no_input_reaches,omitempty"`
	// Tests say what tests were seen to do with it; nil where none were run.
	Tests *Seen `json:"tests,omitempty"`
	// Reasons are the features that moved the score most.
	Reasons []Reason `json:"reasons,omitempty"`
}

// SuiteRun sums up a run of the tests on the mutants: measured, not predicted.
type SuiteRun struct {
	Tests   int `json:"tests"`
	Mutants int `json:"mutants"`
	Killed  int `json:"killed"`
	// Survived are those that no test kills, Unreached those of them that no test comes to.
	Survived  int `json:"survived"`
	Unreached int `json:"unreached"`
	// Undecided have no verdict, mostly for lack of time, and are not listed.
	Undecided int `json:"undecided"`
	// Seconds is how long it took; 0 where it was made before.
	Seconds float64 `json:"seconds,omitempty"`
}

// String is a line for people.
func (s *SuiteRun) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "measured: %s on %d mutants", Tests(s.Tests), s.Mutants)
	if s.Seconds > 0 {
		fmt.Fprintf(&out, " in %.1f s", s.Seconds)
	}
	fmt.Fprintf(&out, ": %d killed, and not listed; %d survive", s.Killed, s.Survived)
	if s.Unreached > 0 {
		fmt.Fprintf(&out, ", of which no test reaches %d", s.Unreached)
	}
	if s.Undecided > 0 {
		fmt.Fprintf(&out, "; %d not decided, and not listed", s.Undecided)
	}
	return out.String()
}

// Seen is what running a mutant's program on tests told, none of which kills the mutant.
type Seen struct {
	// Tests were run, Reached of them come to the mutant, and Infected of these may compute
	// something else there than the original.
	Tests    int `json:"tests"`
	Reached  int `json:"reached"`
	Infected int `json:"infected"`
	// Told is what tells the mutant, and what it comes to: an input of the program, or a call of the
	// function; "" where none is known. Given is the whole of the input.
	Told string `json:"told,omitempty"`
	inputs.Given
}

// far says in words how far the tests come.
func (s *Seen) far() string {
	switch {
	case s.Reached == 0:
		return "no test runs it"
	case s.Told != "":
		return fmt.Sprintf("reached by %d of %s", s.Reached, Tests(s.Tests))
	case s.Infected == 0:
		return fmt.Sprintf("reached by %d of %s, never with values that differ", s.Reached, Tests(s.Tests))
	}
	return fmt.Sprintf("reached by %d of %s, infects %d, never seen at the output", s.Reached, Tests(s.Tests), s.Infected)
}

// Reason is one feature's share in a score, in log-odds.
type Reason struct {
	Feature string       `json:"feature"`
	Value   number.Float `json:"value"`
	Weight  float64      `json:"weight"`
}

// Probability is a number in [0, 1] or NaN, which JSON shows as null.
type Probability float64

// MarshalJSON writes NaN as null.
func (p Probability) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(p)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(p))
}

func (p Probability) String() string {
	if math.IsNaN(float64(p)) {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(p))
}

// WriteJSON writes the ranking as one JSON object.
func (r *Ranking) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	return nil
}
