package campaign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// grade writes the program and its tests and returns the case.
func grade(t *testing.T) project.Case {
	t.Helper()
	dir := t.TempDir()
	c := project.Case{Program: "grade", Inputs: []program.Input{{Path: filepath.Join(dir, "grade.c")}}}
	testfile.Write(t, c.Inputs[0].Path, projecttest.Source)
	for _, test := range []struct{ name, in, out string }{{"above", "51\n", "pass\n"}, {"edge", "50\n", "pass"}, {"below", "49\n", "fail\n"}, {"none", "", ""}} {
		path := filepath.Join(dir, test.name+".in")
		testfile.Write(t, path, test.in)
		c.Tests = append(c.Tests, execute.Test{Name: test.name, Input: path})
		c.Expected = append(c.Expected, project.Expectation{Output: []byte(test.out)})
	}
	return c
}

func TestAChangedComparisonIsKilledByJustTheTestsThatCanTellIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	rules, err := rule.Lookup("ROR")
	if err != nil {
		t.Fatal(err)
	}
	summary, err := Record(t.Context(), buildtest.Builder(t), grade(t), dir, RecordOptions{Mutation: program.Mutation{Rules: rules}})
	if err != nil {
		t.Fatal(err)
	}
	if summary.Tests != 4 || summary.Unknown != 0 || summary.Killed+summary.Survived != summary.Mutants {
		t.Errorf("summary %+v", summary)
	}
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"points > 50":  {"edge"},
		"points == 50": {"above"},
		"points <= 50": {"above", "below"},
		"points < 50":  {"above", "edge", "below"},
		"points != 50": {"edge", "below"},
	}
	ids, _ := s.Mutants.Strings("id")
	originals, _ := s.Mutants.Strings("original")
	replacements, _ := s.Mutants.Strings("replacement")
	seen := 0
	for i, id := range ids {
		killers, ok := want[replacements[i]]
		if !ok || originals[i] != "points >= 50" {
			continue
		}
		seen++
		row := slices.Index(s.Kills.Mutants(), id)
		var got []string
		for k, test := range s.Kills.Tests() {
			if s.Kills.Cell(row, k).Verdict == matrix.Killed {
				got = append(got, test)
			}
		}
		if !slices.Equal(got, killers) {
			t.Errorf("%s is killed by %v, want %v", replacements[i], got, killers)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of the %d mutants were made", seen, len(want))
	}
}

// TestAChoiceIsToldWhatTheTestsInfect compares what it is told with what the record says
// afterwards, of all mutants and of none.
func TestAChoiceIsToldWhatTheTestsInfect(t *testing.T) {
	var told map[string]int
	all := func(_ context.Context, p *program.Program, infecting func() (map[string]int, error)) (ids []string, err error) {
		told, err = infecting()
		for _, m := range p.Mutants() {
			ids = append(ids, m.ID)
		}
		return ids, err
	}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Record(t.Context(), buildtest.Builder(t), grade(t), dir, RecordOptions{Choose: all}); err != nil {
		t.Fatal(err)
	}
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Runs[0].Load(dataset.KillsFile)
	if err != nil {
		t.Fatal(err)
	}
	infections := 0
	for m, id := range s.Kills.Mutants() {
		want := s.Kills.Infected(m).Count()
		if infections += want; told[id] != want {
			t.Errorf("%s: told %d, recorded %d", id, told[id], want)
		}
	}
	if infections == 0 {
		t.Error("no test infects any mutant")
	}
	none := func(ctx context.Context, p *program.Program, infecting func() (map[string]int, error)) ([]string, error) {
		_, err := infecting()
		return nil, err
	}
	builder := buildtest.Builder(t)
	if _, err := Record(t.Context(), builder, grade(t), filepath.Join(t.TempDir(), "none"), RecordOptions{Choose: none}); !errors.Is(err, ErrNoneChosen) {
		t.Errorf("none was chosen, and the error is %v", err)
	}
}

func TestARunWithoutFaultsOrInterruptedLeavesNoSealedFolder(t *testing.T) {
	c := grade(t)
	c.Expected[1] = project.Expectation{Output: []byte("fail")}
	dir := filepath.Join(t.TempDir(), "run")
	b := buildtest.Builder(t)
	_, err := Record(t.Context(), b, c, dir, RecordOptions{})
	if exit.Of(err) != exit.Baseline || !strings.Contains(err.Error(), "1 of 4 tests fail on the original program: edge") {
		t.Errorf("a failing test: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c.Expected[1] = project.Expectation{}
	_, err = Record(ctx, b, c, dir, RecordOptions{Execute: execute.Options{Progress: nil}, Pool: nil, MaxMutants: 1})
	var why *Unusable
	if !errors.As(err, &why) || why.Reason != "more than 1 mutants" {
		t.Errorf("too many mutants: %v", err)
	}
	cancel()
	if _, err = Record(ctx, b, c, dir, RecordOptions{}); exit.Of(err) != exit.Interrupted {
		t.Errorf("a cancelled run: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run folder: %v, want none", err)
	}
}

func TestAFaultThatIsNoneToLearnFromIsNotMutated(t *testing.T) {
	c := grade(t)
	c.Fault, c.Fixed, c.Expected = "none", c.Inputs, nil // no test tells them apart
	for reason, opts := range map[string]RecordOptions{
		"no test reveals the fault": {Pool: RevealedPool, MaxMutants: 1},
		"more than 1 mutants":       {Pool: func(results fault.Table) ([]int, string) { return []int{0}, "" }, MaxMutants: 1},
	} {
		var why *Unusable
		if _, err := Record(t.Context(), buildtest.Builder(t), c, t.TempDir(), opts); !errors.As(err, &why) || why.Reason != reason {
			t.Errorf("%v, want %s", err, reason)
		}
	}
}

// TestExpectedOutputIsComparedAsOutputsOfMutantsAre lets the engine judge pairs
// of texts that a program prints, and trimmed judge the same.
func TestExpectedOutputIsComparedAsOutputsOfMutantsAre(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "echo.c")
	testfile.Write(t, source, "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); return 0; }\n")
	texts := []string{"", "\n", "\n\n", " ", "a", "a\n", "a \n", "a\t\r\n", "a\n\n", " a", "a\nb", "a \nb\n", "a\n b", "a\n\nb", "a\v\f\nb", "a\x00", "a\x00\n", "a\n \n", "\na"}
	p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: source}}, program.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p.Units[0].Mutants, p.Sites = nil, 0
	binary, err := buildtest.Builder(t).MetaMutant(t.Context(), p, "echo")
	if err != nil {
		t.Fatal(err)
	}
	var tests []execute.Test
	for _, text := range texts {
		path := filepath.Join(dir, "in"+string(rune('A'+len(tests))))
		testfile.Write(t, path, text)
		tests = append(tests, execute.Test{Name: path, Input: path})
	}
	engine, err := execute.Start(t.Context(), binary, tests, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	base, err := engine.Originals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range texts {
		for k, b := range texts {
			engineSays := base.Tests[i].OutputHash == base.Tests[k].OutputHash && base.Tests[i].OutputLength == base.Tests[k].OutputLength
			if weSay := bytes.Equal(execute.TrimOutput([]byte(a)), execute.TrimOutput([]byte(b))); weSay != engineSays {
				t.Errorf("%q and %q: equal %v for expected output, %v for mutants", a, b, weSay, engineSays)
			}
		}
	}
}

// A project's own faults are recorded as they are asked for; one that teaches nothing is
// named.
func TestARecordedFaultThatNoTestRevealsIsNamed(t *testing.T) {
	for _, reveals := range []bool{false, true} {
		c := grade(t)
		c.Fault, c.Fixed, c.Expected = "some", c.Inputs, nil
		if reveals {
			fixed := filepath.Join(t.TempDir(), "fixed.c")
			testfile.Write(t, fixed, strings.Replace(projecttest.Source, ">= 50", "> 50", 1))
			c.Fixed = []program.Input{{Path: fixed}}
		}
		run, err := Record(t.Context(), buildtest.Builder(t), c, filepath.Join(t.TempDir(), "run"), RecordOptions{NoFeatures: true})
		if err != nil {
			t.Fatal(err)
		}
		if named := slices.ContainsFunc(run.Warnings, func(w string) bool { return strings.Contains(w, "no test reveals the fault") }); named == reveals {
			t.Errorf("%d tests reveal the fault, and the warnings are %q", run.Revealing, run.Warnings)
		}
	}
}

// What a reader looks at are the survivors that tests reach: each has the change of its
// file, as seen from the project, whatever share of the mutants was run.
func TestSurvivorsThatTestsReachHaveTheirDiffs(t *testing.T) {
	c := grade(t)
	c.Folder = filepath.Dir(c.Inputs[0].Path)
	for _, share := range []Shard{{}, {Number: 1, Of: 2}} {
		dir := filepath.Join(t.TempDir(), "run")
		if _, err := Record(t.Context(), buildtest.Builder(t), c, dir, RecordOptions{NoFeatures: true, Readable: true, Shard: share}); err != nil {
			t.Fatal(err)
		}
		mutants, err := table.Read(filepath.Join(dir, dataset.MutantsFile), "id", "diff", "ir_only", "file")
		if err != nil {
			t.Fatal(err)
		}
		kills, err := kill.Read(filepath.Join(dir, dataset.KillsFile), kill.Everything)
		if err != nil {
			t.Fatal(err)
		}
		missed, seen := kills.Missed(), 0
		for row := range mutants.Rows() {
			id, diff, irOnly := mutants.Value(row, 0).(string), mutants.Value(row, 1).(string), mutants.Value(row, 2).(bool)
			if want := missed[id] && !irOnly; strings.HasPrefix(diff, "--- a/"+mutants.Value(row, 3).(string)) != want {
				t.Errorf("%s, missed: %v, in IR only: %v, has the diff %q", id, missed[id], irOnly, diff)
			} else if want {
				seen++
			}
		}
		if seen == 0 {
			t.Error("no diff was asked for")
		}
	}
}
