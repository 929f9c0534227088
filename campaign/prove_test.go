package campaign

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report/findings"
)

// counting is a program whose loop has a counter that is never negative, with a weak test.
func counting(t *testing.T) project.Case {
	t.Helper()
	source := filepath.Join(t.TempDir(), "counting.c")
	testfile.Write(t, source, `#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int i, n, sum = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (i = 0; i < n; i++)
        sum += i % 5;
    printf("%d\n", sum);
    return 0;
}
`)
	return project.Case{Program: "counting", Folder: filepath.Dir(source), Inputs: []program.Input{{Path: source}},
		Tests: []execute.Test{{Name: "four", Text: []byte("4\n")}}}
}

// adding is a program of arguments, with a weak test.
func adding(t *testing.T) project.Case {
	t.Helper()
	source := filepath.Join(t.TempDir(), "adding.c")
	testfile.Write(t, source, `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char *argv[]) {
    int sum = 0;
    if (argc < 2) return 1;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) < 10) sum += atoi(argv[i]);
    printf("%d\n", sum);
    return 0;
}
`)
	return project.Case{Program: "adding", Folder: filepath.Dir(source), Inputs: []program.Input{{Path: source}},
		Tests: []execute.Test{{Name: "two", Args: []string{"2", "2"}}}}
}

func recordCounting(t *testing.T, prove *verdict.Proving) *dataset.Subject {
	t.Helper()
	return recordSurvivors(t, counting(t), prove)
}

func recordSurvivors(t *testing.T, c project.Case, prove *verdict.Proving) *dataset.Subject {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Record(t.Context(), buildtest.Builder(t), c, dir,
		RecordOptions{NoFeatures: true, Readable: true, Prove: prove, Mutation: programtest.Rules("ABS,ROR,OAAA")}); err != nil {
		t.Fatal(err)
	}
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Survivors that no test can kill are told from those that want one, and every reader of a run
// sees that: here the absolute value of the counter, but not that of what is read.
func TestSurvivorsThatNoTestCanKillAreProved(t *testing.T) {
	s := recordCounting(t, &verdict.Proving{})
	found, err := findings.Of(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]findings.Finding{}
	for _, f := range found.Findings {
		if f.Line == 6 || f.Line == 7 {
			seen[f.Original+" → "+f.Replacement] = f
		}
	}
	if f := seen["i → abs(i)"]; f.Status != findings.Equivalent || !strings.Contains(f.Why, "i >= 0") {
		t.Errorf("abs(i) is %s: %s", f.Status, f.Why)
	}
	if f := seen["n → abs(n)"]; f.Status != findings.Survived {
		t.Errorf("abs(n) is %s: %s", f.Status, f.Why)
	}
	proved := s.Proved()
	for k, id := range s.Kills.Mutants() {
		if _, ok := proved[id]; ok && s.Kills.Verdict(k) != matrix.Survived {
			t.Errorf("%s is proved to survive, and is %v", id, s.Kills.Verdict(k))
		}
	}
	if again := recordCounting(t, &verdict.Proving{}); len(again.Proved()) != len(proved) {
		t.Errorf("%d proofs, then %d", len(proved), len(again.Proved()))
	}
}

// Of other survivors an input is shown that kills them, and arguments with it where the program takes
// some: it is as good as a test.
func TestInputsThatTellSurvivorsKillThem(t *testing.T) {
	for _, c := range []project.Case{counting(t), adding(t)} {
		tellsByInputs(t, c)
	}
}

func tellsByInputs(t *testing.T, c project.Case) {
	t.Helper()
	examples := recordSurvivors(t, c, &verdict.Proving{}).Examples()
	p, err := Prepare(t.Context(), buildtest.Builder(t), c, RecordOptions{Mutation: programtest.Rules("ABS,ROR,OAAA"), NoFeatures: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	inputs := 0
	for id, example := range examples {
		if example.Evidence != dataset.Interpreted {
			continue
		}
		inputs++
		found, err := p.Try(t.Context(), []variation.Test{{Input: []byte(example.Input), Args: example.Args}}, func(other string) bool { return other == id })
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || len(found[0].Kills) != 1 {
			t.Errorf("%s: %s: %q and %q kill nothing", id, example.Reason, example.Args, example.Input)
		}
	}
	if inputs == 0 {
		t.Errorf("%s: no input among %v", c.Program, examples)
	}
}

func TestNothingIsProvedWithoutTimeOrWish(t *testing.T) {
	for name, prove := range map[string]*verdict.Proving{"not wanted": nil, "no time": {Until: time.Now().Add(-time.Second)}} {
		if s := recordCounting(t, prove); len(s.Proved())+len(s.Examples()) > 0 {
			t.Errorf("%s: %d proofs", name, s.Proofs.Rows())
		}
	}
}

// What a test is seen to kill is not equivalent, whatever a proof says.
func TestAKillSpeaksAgainstAProof(t *testing.T) {
	s := recordCounting(t, nil)
	var proofs []dataset.Proof
	for _, id := range s.Kills.Mutants() {
		proofs = append(proofs, dataset.Proof{ID: id, Verdict: dataset.Equivalent, Evidence: "smt/bits", Reason: "it says so"})
	}
	var err error
	if s.Proofs, err = dataset.ProofTable(proofs); err != nil {
		t.Fatal(err)
	}
	proved := s.Proved()
	for k, id := range s.Kills.Mutants() {
		if _, ok := proved[id]; ok == (s.Kills.Verdict(k) == matrix.Killed) {
			t.Errorf("%s, %v, is proved: %v", id, s.Kills.Verdict(k), ok)
		}
	}
}

// Settle finds a test for what a test can tell, and none for what none can.
func TestTestsAreFoundForWhatATestCanTell(t *testing.T) {
	c := counting(t)
	p, err := Prepare(t.Context(), buildtest.Builder(t), c, RecordOptions{Mutation: programtest.Rules("ABS"), NoFeatures: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	want := map[string]string{}
	wanted := map[string]bool{}
	for _, m := range p.m.all {
		if change := m.Original + " → " + m.Replacement; m.Line == 6 && (change == "i → abs(i)" || change == "n → abs(n)") {
			want[change], wanted[m.ID] = m.ID, true
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	settled, err := p.Settle(ctx, wanted, Settling{Until: time.Now().Add(15 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	told := settled.Tests
	if len(told) != 1 || !slices.Equal(told[0].Kills, []string{want["n → abs(n)"]}) || !strings.Contains(string(told[0].Test.Text), "-") {
		t.Errorf("%d tests: %+v", len(told), told)
	}
}

func TestFewTestsAreChosenOfManyThatWereMade(t *testing.T) {
	made := func(text string, kills ...string) Distinguishing {
		return Distinguishing{Test: execute.Test{Text: []byte(text)}, Kills: kills}
	}
	got := fewest([]Distinguishing{made("1", "a"), made("1 2", "b", "c"), made("long", "a", "b", "d"), made("3 4 5", "b", "c"), made("d", "d")})
	if len(got) != 2 || string(got[0].Test.Text) != "long" || string(got[1].Test.Text) != "1 2" || !slices.Equal(got[1].Kills, []string{"c"}) {
		t.Errorf("chosen: %+v", got)
	}
}

// A number that no drawn input has is found by following the program, and the input that one mutant
// makes is run on all.
func TestInputsThatAreSolvedForAreTriedOnAllMutants(t *testing.T) {
	source := filepath.Join(t.TempDir(), "secret.c")
	testfile.Write(t, source, `#include <stdio.h>
int main(void) {
    int x;
    if (scanf("%d", &x) != 1) return 1;
    if (x == 770771)
        x = 3;
    printf("%d\n", x + x);
    return 0;
}
`)
	c := project.Case{Program: "secret", Folder: filepath.Dir(source), Inputs: []program.Input{{Path: source}},
		Tests: []execute.Test{{Name: "four", Text: []byte("4\n")}}}
	p, err := Prepare(t.Context(), buildtest.Builder(t), c, RecordOptions{Mutation: programtest.Rules("SSDL,OAAA,CRCR"), NoFeatures: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	wanted := map[string]bool{}
	for _, m := range p.m.all {
		if m.Line == 6 { // x = 3
			wanted[m.ID] = true
		}
	}
	if len(wanted) < 3 {
		t.Fatalf("%d mutants", len(wanted))
	}
	found, err := p.Settle(t.Context(), wanted, Settling{Until: time.Now().Add(30 * time.Second), Prove: &verdict.Proving{Function: 10 * time.Second, Rounds: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Tests) != 1 || len(found.Tests[0].Kills) != len(wanted) || !strings.HasPrefix(strings.TrimSpace(string(found.Tests[0].Test.Text)), "770771") {
		t.Errorf("of %d: %d tests: %+v", len(wanted), len(found.Tests), found.Tests)
	}
	for _, one := range found.Proofs {
		if one.Verdict == equiv.Equivalent {
			t.Errorf("%s is called equivalent: %s", one.Mutant.ID, one.Reason)
		}
	}
}

// An input on which the program itself is not clean is no test.
func TestInputsOnWhichTheProgramIsNotCleanAreNotRun(t *testing.T) {
	p := squares(t)
	found, err := p.Try(t.Context(), []variation.Test{{Input: []byte("1\n")}, {Input: []byte("9\n")}}, everyMutant)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || string(found[0].Test.Text) != "1\n" {
		t.Errorf("%+v", found)
	}
	p.holds(t, found[0])
}

// Where making all mutants takes too long, about as many as are asked for then are made, which is said; and the run that
// goes on with that has the same, however long that has.
func TestARunThatTookASampleGoesOnWithIt(t *testing.T) {
	c := counting(t)
	var said []string
	r := &recording{bench: newBench(buildtest.Builder(t), &c, execute.Options{}),
		opts: RecordOptions{Until: time.Now().Add(time.Hour), Sample: 120, Progress: filepath.Join(t.TempDir(), ProgressFolder), Say: func(line string) { said = append(said, line) }}}
	all, err := r.loadIn(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	some, err := r.loadIn(t.Context(), time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	made := func(p *program.Program) int { return len(p.Mutants()) + len(p.Removed) }
	if made(some) < 60 || made(some) > 240 || made(all) < 2*made(some) || all.OutOfScope > 0 {
		t.Errorf("%d mutants of %d are made", made(some), made(all))
	}
	if len(said) != 1 || !strings.Contains(said[0], "about 120 are made") {
		t.Errorf("it is said: %q", said)
	}
	again, err := r.loadIn(t.Context(), time.Hour)
	if err != nil || !slices.EqualFunc(again.Mutants(), some.Mutants(), func(a, b mutant.Mutant) bool { return a.ID == b.ID }) {
		t.Errorf("%d mutants are gone on with: %v", made(again), err)
	}
	r.opts.Sample = 0
	if whole, err := r.load(t.Context()); err != nil || made(whole) != made(all) {
		t.Errorf("all are asked for, and %d of %d are made: %v", made(whole), made(all), err)
	}
	r.opts.Sample = 120
	testfile.Write(t, filepath.Join(r.opts.Progress, sampleFile), "many")
	if _, err := r.load(t.Context()); exit.Of(err) != exit.Input {
		t.Errorf("a damaged note: %v", err)
	}
}

// Where there is hardly time, fewer mutants are made, and some in any case.
func TestMutantsAreAsManyAsThereIsTimeToMake(t *testing.T) {
	for name, until := range map[string]time.Duration{"no time": time.Nanosecond, "time": time.Hour} {
		c := counting(t)
		r := &recording{bench: newBench(buildtest.Builder(t), &c, execute.Options{}),
			opts: RecordOptions{Until: time.Now().Add(until), Mutation: program.Mutation{Most: 120}}}
		p, err := r.load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(p.Mutants()) + len(p.Removed); n == 0 || (n <= leastMade) != (until < time.Second) {
			t.Errorf("%s: %d mutants", name, n)
		}
	}
}
