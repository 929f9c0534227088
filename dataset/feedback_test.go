package dataset

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFeedbackIsAppendedAndReadBack(t *testing.T) {
	dir := t.TempDir()
	if got, err := ReadFeedback(dir); err != nil || got != nil {
		t.Fatalf("without a file: %v, %v", got, err)
	}
	now := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	want := []Feedback{
		{Mutant: "m1", Told: ToldKilled, Test: "t9", Time: now}, {Mutant: "m2", Told: ToldEquivalent, Time: now},
		{Mutant: "m1", Told: ToldWorthless, Time: now},
	}
	for _, f := range want {
		if err := AppendFeedback(dir, f); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadFeedback(dir)
	if err != nil || len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []Feedback{{}, {Mutant: "m", Told: "dull"}, {Mutant: "m", Told: ToldKilled}, {Mutant: "m", Told: ToldEquivalent, Test: "t"}} {
		if AppendFeedback(dir, bad) == nil {
			t.Errorf("%+v is written", bad)
		}
	}
	path := filepath.Join(dir, FeedbackFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "{no line of ours}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFeedback(dir); err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("a damaged line: %v", err)
	}
}

// A proof is a label, which is why a survivor is learnt from as not killable with certainty; it
// does not stand against a test that kills, nor against what a tester says.
// A line that was cut off while it was written was said to have failed: it is passed over, and the
// next takes its place. One that was written by hand, without an end, counts.
func TestFeedbackThatWasCutOffIsNone(t *testing.T) {
	now := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	one, two := Feedback{Mutant: "m1", Told: ToldWorthless, Time: now}, Feedback{Mutant: "m2", Told: ToldEquivalent, Time: now}
	for end, want := range map[string][]Feedback{
		"":                    {one, two},
		"{\"mutant\":\"m3\",": {one, two},
		`{"mutant":"m3","told":"worthless","time":"2024-05-01T12:00:00Z"}`: {one, {Mutant: "m3", Told: ToldWorthless, Time: now}, two},
	} {
		dir := t.TempDir()
		if err := AppendFeedback(dir, one); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, FeedbackFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, end...), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFeedback(dir); err != nil || !slices.Equal(got, want[:len(want)-1]) {
			t.Errorf("%q: %v, %v", end, got, err)
		}
		if err := AppendFeedback(dir, two); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFeedback(dir); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, and one more: %v, %v", end, got, err)
		}
	}
}

func TestLabelsFollowProofs(t *testing.T) {
	e := evidence("1000", "000?", "0100", "000?", "000?")
	proofs, err := ProofTable([]Proof{{ID: "m1", Verdict: Equivalent}, {ID: "m2", Verdict: Equivalent}, {ID: "m3", Verdict: Equivalent}, {ID: "m4", Verdict: Different}})
	if err != nil {
		t.Fatal(err)
	}
	e.tell((&Subject{Proofs: proofs, Feedback: []Feedback{{Mutant: "m3", Told: ToldKilled, Test: "new"}}}).told())
	killable, err := LookupLabel("killable")
	if err != nil {
		t.Fatal(err)
	}
	if got := targets(killable.Run(e)); got != "0 1 1 NaN" {
		t.Errorf("killable: %s", got)
	}
}

func TestLabelsFollowWhatTestersSay(t *testing.T) {
	e := evidence("1000", "0000", "000?", "0??0", "1000", "0100", "0000")
	e.tell([]Feedback{
		{Mutant: "m1", Told: ToldKilled, Test: "new"}, // by a test of the tester's own
		{Mutant: "m2", Told: ToldEquivalent},
		{Mutant: "m3", Told: ToldKilled, Test: "t2"},
		{Mutant: "m4", Told: ToldWorthless},
		{Mutant: "m5", Told: ToldEquivalent}, // yet t2 was seen to kill it
		{Mutant: "gone", Told: ToldKilled, Test: "t1"},
	})
	for name, want := range map[string]string{
		"killable":        "1 0 1 1 1 0",
		"fault-revealing": "NaN 0 0 0 0 0",
	} {
		l, err := LookupLabel(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := targets(l.Run(e)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
