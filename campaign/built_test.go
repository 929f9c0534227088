package campaign

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// contents are the files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestARunOfABuiltProjectGoesOnWhereItWasKilledAndLeavesTheProjectAlone(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	project := t.TempDir()
	for name, text := range projecttest.WithBuild() {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, project)
	opts := RunOptions{Record: RecordOptions{Tool: "test", Execute: execute.Options{Workers: 1}}}
	whole := filepath.Join(t.TempDir(), "whole")
	want, err := Run(t.Context(), tools, []string{project}, whole, opts)
	if err != nil {
		t.Fatal(err)
	}

	out := filepath.Join(t.TempDir(), "out")
	ctx, kill := context.WithCancel(t.Context())
	go func() { // as soon as a few decisions are kept
		for ctx.Err() == nil {
			text, _ := os.ReadFile(filepath.Join(out, "clamp", ProgressFolder, "decided.json"))
			if strings.Count(string(text), "\n") > 3 {
				kill()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := Run(ctx, tools, []string{project}, out, opts); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not ended: %v", err)
	}
	opts.Resume = true
	got, err := Run(t.Context(), tools, []string{project}, out, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Killed != want[0].Killed || got[0].Survived != want[0].Survived || got[0].Unknown != 0 {
		t.Errorf("resumed: %+v, in one go: %+v", got[0], want[0])
	}
	if got[0].Runs >= want[0].Runs {
		t.Errorf("resumed with %d runs, in one go %d", got[0].Runs, want[0].Runs)
	}
	if a, b := verdicts(t, whole), verdicts(t, out); a != b {
		t.Errorf("verdicts differ: %s and %s", a, b)
	}
	if _, err := os.Stat(filepath.Join(out, "clamp", ProgressFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a finished run keeps its parts: %v", err)
	}
	after := contents(t, project)
	if len(after) != len(before) {
		t.Errorf("%d files before, %d after", len(before), len(after))
	}
	for path, text := range before {
		if after[path] != text {
			t.Errorf("%s has changed", path)
		}
	}
}

// What somebody asks for, as a change that has no tests yet, is said to have none; a whole project
// of which no test runs anything is a project whose wrong part is mutated.
func TestWhatIsAskedForAndNoTestRunsIsRecordedAsThat(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	for name, text := range projecttest.WithBuild() {
		testfile.Write(t, filepath.Join(folder, name), text)
	}
	testfile.Write(t, filepath.Join(folder, "clamp.c"), projecttest.WithBuild()["clamp.c"]+"int twice(int x) { return x + x; }\n")
	run, _ := runOne(t, folder, RunOptions{Record: RecordOptions{NoFeatures: true, Mutation: program.Mutation{Scope: scope.Options{Functions: []string{"twice"}}}}})
	if run.Mutants == 0 || run.Survived != run.Mutants || run.Runs != 0 {
		t.Errorf("%+v, want all mutants of what no test runs", run)
	}
	testfile.Write(t, filepath.Join(folder, "check.sh"), "exit 0\n")
	if _, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, filepath.Join(t.TempDir(), "out"), RunOptions{Record: RecordOptions{NoFeatures: true}}); exit.Of(err) != exit.Input {
		t.Errorf("no test runs anything: %v", err)
	}
}

// A test that includes the source of a library, to come to what is static there, does not run the library: each change is made
// in its copy, too, and counts once. Of the rest of the test nothing is mutated.
func TestAChangeIsMadeWhereATestIncludesTheSource(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	for name, text := range map[string]string{
		"Makefile": "all: libx.a plain_test inside_test\nlibx.a: x.o\n\tar rc libx.a x.o\n" +
			"plain_test: libx.a plain_test.c\n\tcc -o plain_test plain_test.c libx.a\ninside_test: inside_test.c x.c\n\tcc -o inside_test inside_test.c\n" +
			"check: all\n\t./plain_test\n\t./inside_test\n",
		"x.c": "static int twice(int x) {\n  if (x > 100)\n    return 200;\n  return 2 * x;\n}\n" +
			"int four(int x) {\n  if (x < 0)\n    return -1;\n  return twice(twice(x));\n}\n",
		"plain_test.c":  "int four(int);\nint main(void) { return four(2) != 8 || four(-7) != -1; }\n",
		"inside_test.c": "#include \"x.c\"\nstatic int differs(int a, int b) { return a != b; }\nint main(void) { return differs(twice(300), 200); }\n",
		"winnow.toml":   "program = \"x\"\n[build]\n",
	} {
		testfile.Write(t, filepath.Join(folder, name), text)
	}
	_, out := runOne(t, folder, RunOptions{})
	mutants, err := table.Read(filepath.Join(out, "x", dataset.MutantsFile), "id", "file", "line", "diff")
	if err != nil {
		t.Fatal(err)
	}
	kills, err := kill.Read(filepath.Join(out, "x", dataset.KillsFile), kill.Everything)
	if err != nil {
		t.Fatal(err)
	}
	ids, _ := mutants.Strings("id")
	files, _ := mutants.Strings("file")
	lines, _ := mutants.Ints("line")
	killed := map[int64]matrix.Bits{} // tests by line
	someOfLine3 := ""
	for i, id := range ids {
		if strings.Contains(id, "-") || files[i] != "x.c" || kills.Mutants()[i] != id {
			t.Errorf("mutant %s of %s:%d, and %s among the kills", id, files[i], lines[i], kills.Mutants()[i])
		}
		if _, seen := killed[lines[i]]; !seen {
			killed[lines[i]] = matrix.NewBits(len(kills.Tests()))
		}
		killed[lines[i]].Or(kills.Killed(i))
		if lines[i] == 3 && kills.Verdict(i) == matrix.Killed {
			someOfLine3 = id
		}
	}
	plain, inside := slices.Index(kills.Tests(), "plain_test"), slices.Index(kills.Tests(), "inside_test")
	for line, want := range map[int64][2]bool{3: {false, true}, 8: {true, false}, 2: {true, true}} {
		if got := [2]bool{killed[line].Get(plain), killed[line].Get(inside)}; got != want {
			t.Errorf("line %d: killed by the test that is linked, and that which includes: %v, want %v", line, got, want)
		}
	}
	run, _ := runOne(t, folder, RunOptions{Record: RecordOptions{NoFeatures: true,
		Choose: func(context.Context, *program.Program, func() (map[string]int, error)) ([]string, error) {
			return []string{someOfLine3}, nil
		}}})
	if run.Mutants != 1 || run.Killed != 1 {
		t.Errorf("of one that was asked for: %+v", run)
	}
}

func TestARunWithABudgetGoesOnFromAFewMutantsToAllThatThereIsTimeFor(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	project := t.TempDir()
	for name, text := range projecttest.WithBuild() {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opts := RunOptions{Record: RecordOptions{Tool: "test", NoFeatures: true}}
	whole := filepath.Join(t.TempDir(), "whole")
	want, err := Run(t.Context(), tools, []string{project}, whole, opts)
	if err != nil {
		t.Fatal(err)
	}

	var said strings.Builder
	opts.Budget, opts.Grow, opts.First, opts.Say = 5*time.Minute, true, 8, func(line string) { said.WriteString(line + "\n") }
	grown := filepath.Join(t.TempDir(), "grown")
	got, err := Run(t.Context(), tools, []string{project}, grown, opts)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(said.String(), "going on with up to "); n == 0 {
		t.Errorf("it did not begin with a few:\n%s", said.String())
	}
	if !regexp.MustCompile(`the tests run \d+ of \d+ lines`).MatchString(said.String()) {
		t.Errorf("it did not look which lines the tests run:\n%s", said.String())
	}
	if a, b := verdicts(t, whole), verdicts(t, grown); a != b {
		t.Errorf("verdicts differ: %s and %s", a, b)
	}
	if _, err := os.Stat(filepath.Join(grown, "clamp", ProgressFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run that has decided all keeps its parts: %v", err)
	}
	if got[0].Runs != want[0].Runs {
		t.Errorf("%d runs, and %d without rounds: what is decided must not run again", got[0].Runs, want[0].Runs)
	}
}

func verdicts(t *testing.T, out string) string {
	t.Helper()
	m, err := kill.Read(filepath.Join(out, "clamp", "kills.parquet"), kill.Everything)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i, id := range m.Mutants() {
		text.WriteString(id + map[matrix.Verdict]string{matrix.Killed: "k", matrix.Survived: "s", matrix.Unknown: "u"}[m.Verdict(i)] + " ")
	}
	return text.String()
}
