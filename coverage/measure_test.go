package coverage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

func TestMain(m *testing.M) {
	command.Main()
	os.Exit(m.Run())
}

// fake is a tool whose objects are nothing and whose runs leave the lines that they come to,
// by themselves: the driver's side of it, without a compiler.
type fake struct {
	compiled *int  // counts
	fails    error // of compiling
}

func (f fake) Compile(_ context.Context, _ coverage.Unit, object string) error {
	*f.compiled++
	if f.fails != nil {
		return f.fails
	}
	return os.WriteFile(object, nil, 0o644)
}

func (f fake) Runtime(_ context.Context, object string) error {
	return os.WriteFile(object, nil, 0o644)
}

func (f fake) Lost() string { return "fake: cannot write" }

func (f fake) Environment(traces string) []string { return []string{"AT=" + traces} }

func (f fake) Read(_ context.Context, _ []string, traces []command.Trace, _ string) ([]coverage.Element, error) {
	var out []coverage.Element
	for line, mark := range []string{"one", "two", "three"} {
		out = append(out, coverage.Element{Criterion: criterion.Line, File: "/project/a.c", Line: line + 1, Covered: strings.Contains(string(traces[0].Text), mark)})
	}
	return out, nil
}

func tool(name string, f fake) coverage.Found {
	return coverage.Found{Tool: coverage.Tool{Name: name, Criteria: []string{criterion.Line}}, Instrument: f}
}

// target is a project of one unit and of tests that are scripts.
func target(t *testing.T, scripts ...string) *coverage.Target {
	t.Helper()
	base := filepath.Join(t.TempDir(), "base")
	testfile.Write(t, filepath.Join(base, "a.c"), "int a;\n")
	out := &coverage.Target{Root: "/project", Base: base, Units: []coverage.Unit{{Source: filepath.Join(base, "a.c")}},
		Place: func(context.Context, string, []string, string) error { return nil },
		Unusable: func(_ int, o execute.Outcome) string {
			if o.Status != 0 {
				return "it fails"
			}
			return ""
		}}
	for k, script := range scripts {
		out.Tests = append(out.Tests, command.Test{Name: string(rune('a' + k)), Dir: base, Argv: []string{"/bin/sh", "-c", script}})
	}
	return out
}

func rows(m *criterion.Matrix) []string {
	var out []string
	for e := range m.Elements {
		row := ""
		for t := range m.Tests {
			row += map[matrix.Verdict]string{matrix.Killed: "1", matrix.Survived: "0", matrix.Unknown: "-"}[m.Cell(e, t)]
		}
		out = append(out, row)
	}
	return out
}

// Acceptance test F2.1 of Muteria's specification.
func TestOfTwoToolsTheOneThatFailsLeavesUnknownCellsAndAnError(t *testing.T) {
	compiled := 0
	on := target(t, "echo one three > $AT/lines", "echo one > $AT/lines", "echo two > $AT/lines; exit 1", "exit 0")
	all, err := coverage.Measure(t.Context(), []coverage.Found{
		tool("broken", fake{&compiled, errors.New("no such compiler")}), tool("whole", fake{&compiled, nil}),
	}, on, "")
	if !errors.Is(err, coverage.ErrTool) || !strings.Contains(err.Error(), "broken: no such compiler") {
		t.Errorf("error %v, want one that names the tool and the reason", err)
	}
	if len(all) != 2 || compiled != 2 {
		t.Fatalf("%d matrices, %d compilations, want 2 each: both tools run", len(all), compiled)
	}
	if broken := all[0]; broken.Failed != "no such compiler" || broken.Score() != (criterion.Score{}) {
		t.Errorf("the broken tool's matrix: %+v", broken)
	}
	// The third test ends otherwise than it must, the fourth leaves nothing.
	if got, want := rows(all[1]), []string{"11--", "00--", "10--"}; !slices.Equal(got, want) {
		t.Errorf("the other's rows: %v, want %v", got, want)
	}
	if got, want := all[1].Elements, []string{"a.c:1", "a.c:2", "a.c:3"}; !slices.Equal(got, want) {
		t.Errorf("elements %v, want %v", got, want)
	}
}

// Acceptance test F2.4: what was measured before the end is not measured again, and all ends the same.
func TestARunThatGoesOnMeasuresOnlyWhatIsMissing(t *testing.T) {
	on, keep := target(t, "echo one > $AT/lines", "echo two > $AT/lines"), t.TempDir()
	var first, second, third int
	whole, err := coverage.Measure(t.Context(), []coverage.Found{tool("a", fake{&first, nil}), tool("b", fake{&second, nil}), tool("c", fake{&third, nil})}, on, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	killing := coverage.Found{Tool: coverage.Tool{Name: "c", Criteria: []string{criterion.Line}}, Instrument: interrupted{fake{&third, nil}, kill}}
	if _, err := coverage.Measure(ctx, []coverage.Found{tool("a", fake{&first, nil}), tool("b", fake{&second, nil}), killing}, on, keep); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	again, err := coverage.Measure(t.Context(), []coverage.Found{tool("a", fake{&first, nil}), tool("b", fake{&second, nil}), tool("c", fake{&third, nil})}, on, keep)
	if err != nil {
		t.Fatal(err)
	}
	if first != 2 || second != 2 || third != 3 {
		t.Errorf("measured %d, %d and %d times, want 2, 2 and 3: the third run measures c alone", first, second, third)
	}
	if !reflect.DeepEqual(again, whole) || !slices.Equal(bytesOf(t, again), bytesOf(t, whole)) {
		t.Error("what was interrupted ends with other bytes")
	}
	// Another source is another run.
	testfile.Write(t, filepath.Join(on.Base, "a.c"), "int b;\n")
	if _, err := coverage.Measure(t.Context(), []coverage.Found{tool("a", fake{&first, nil})}, on, keep); err != nil || first != 3 {
		t.Errorf("of a source that changed: %v, %d times, want 3", err, first)
	}
}

// interrupted is a tool during whose work the run ends.
type interrupted struct {
	fake
	end func()
}

func (i interrupted) Compile(ctx context.Context, u coverage.Unit, object string) error {
	i.end()
	return errors.Join(i.fake.Compile(ctx, u, object), ctx.Err())
}

func bytesOf(t *testing.T, all []*criterion.Matrix) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "criteria.parquet")
	if err := criterion.Write(path, all); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Part of F2.6: it ends before anything is done, with what to install.
func TestAToolThatIsMissingIsNamedWithWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, tool := range coverage.All() {
		_, err := coverage.Find([]string{tool.Name})
		if exit.Of(err) != exit.Tool || !errors.Is(err, coverage.ErrMissing) || !strings.Contains(err.Error(), tool.Needs[0]) {
			t.Errorf("%s: %v, want that %s is missing", tool.Name, err, tool.Needs[0])
		}
	}
	for _, names := range [][]string{{"cobertura"}, {""}} {
		if _, err := coverage.Find(names); exit.Of(err) != exit.Usage {
			t.Errorf("%q: %v, want a mistake of the user's", names, err)
		}
	}
}

// Where the disk is full, a run ends as it must and says that its counts are lost: nothing may be
// taken for not covered, nor for a tool that does not work.
func TestCountsThatTheSystemRefusesEndTheMeasurement(t *testing.T) {
	_, err := coverage.Measure(t.Context(), []coverage.Found{tool("fake", fake{compiled: new(int)})},
		target(t, "echo one > $AT/a", "echo noise >&2; echo 'fake: cannot write counts: No space left on device' >&2"), "")
	if exit.Of(err) != exit.System || errors.Is(err, coverage.ErrTool) || !strings.Contains(err.Error(), "test b: fake: cannot write counts: No space left") {
		t.Errorf("%v, want that the system refused it", err)
	}
}
