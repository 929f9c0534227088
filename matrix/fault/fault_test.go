package fault

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

var (
	one   = Outcome{Class: Ended, Output: "1"}
	two   = Outcome{Class: Ended, Output: "2"}
	crash = Outcome{Class: Crashed, Signal: 11}
	abort = Outcome{Class: Crashed, Signal: 6}
	slow  = Outcome{Class: TimedOut}
	flood = Outcome{Class: Flooded}
	lost  = Outcome{Class: Failed}
)

func twice(o Outcome) []Outcome { return []Outcome{o, o} }

func TestATestRevealsTheFaultWhenTheVersionsBehaveDifferently(t *testing.T) {
	for name, c := range map[string]struct {
		faulty, fixed []Outcome
		verdict       matrix.Verdict
		cause         matrix.Cause
	}{
		"same output":                   {twice(one), twice(one), matrix.Survived, matrix.NoCause},
		"other output":                  {twice(one), twice(two), matrix.Killed, matrix.Output},
		"the faulty version crashes":    {twice(crash), twice(one), matrix.Killed, matrix.Signal},
		"the faulty version floods":     {twice(flood), twice(one), matrix.Killed, matrix.OutputLimit},
		"the fixed version crashes":     {twice(one), twice(crash), matrix.Unknown, matrix.Signal},
		"both crash":                    {twice(abort), twice(crash), matrix.Unknown, matrix.Signal},
		"the fixed version floods":      {twice(one), twice(flood), matrix.Unknown, matrix.OutputLimit},
		"the faulty version is flaky":   {[]Outcome{one, two}, twice(one), matrix.Unknown, matrix.Flaky},
		"the fixed version is flaky":    {twice(one), []Outcome{two, one}, matrix.Unknown, matrix.Flaky},
		"the faulty version times out":  {twice(slow), twice(one), matrix.Unknown, matrix.Time},
		"one run of four times out":     {twice(one), []Outcome{two, slow}, matrix.Unknown, matrix.Time},
		"a run failed":                  {[]Outcome{lost, slow}, twice(one), matrix.Unknown, matrix.Failed},
		"the fixed version was not run": {twice(one), nil, matrix.Unknown, matrix.NotRun},
	} {
		t.Run(name, func(t *testing.T) {
			if r := Judge("t", c.faulty, c.fixed); r.Verdict != c.verdict || r.Cause != c.cause {
				t.Errorf("%v (%v), want %v (%v)", r.Verdict, r.Cause, c.verdict, c.cause)
			}
		})
	}
}

func someResults() Table {
	return Table{
		Judge("t0", twice(one), twice(two)),
		Judge("t1", twice(one), twice(one)),
		Judge("t2", twice(slow), twice(one)),
		Judge("t3", twice(crash), twice(one)),
	}
}

func TestResultsSurviveTheWayToTheirFileAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "faults.parquet")
	want := someResults()
	want[1].Augmented = true
	if err := Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("read %+v, %v, want %+v", got, err, want)
	}
	if r, u := got.Revealing().String(), got.Unknown().String(); r != "1001" || u != "0010" {
		t.Errorf("revealing %s, unknown %s", r, u)
	}
}

// Files from before tests were made from others have one column less.
func TestAFileWithoutTheColumnOfAugmentedTestsIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "faults.parquet")
	if err := Write(path, someResults()); err != nil {
		t.Fatal(err)
	}
	whole, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	names := Schema().Names()
	before, err := whole.Select(names[:len(names)-1]...)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(path, before); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || !slices.Equal(got, someResults()) {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestATestThatOccursTwiceIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "faults.parquet")
	if err := Write(path, append(someResults(), someResults()[1])); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "t1") {
		t.Errorf("error %v, want one that names t1", err)
	}
}
