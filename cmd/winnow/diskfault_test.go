//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/diskfault"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// faulted is a command that writes, and that is given again after a fault.
type faulted struct {
	name string
	// args end with --out; again are those with which the user goes on, nil where what is
	// there already is whole.
	args, again []string
	// needs are commands that make what it is given.
	needs []string
	// before says that the output is there already, made by the command itself.
	before bool
}

// material is what the commands are given, made once.
type material struct {
	folder, cache string
}

func newMaterial(t *testing.T) *material {
	t.Helper()
	m := &material{folder: t.TempDir(), cache: t.TempDir()}
	for _, name := range []string{"project", "another"} {
		if err := os.CopyFS(filepath.Join(m.folder, name), os.DirFS(projecttest.Folder(t))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(m.folder, "pairs"), os.DirFS(projecttest.Pair(t))); err != nil {
		t.Fatal(err)
	}
	about := filepath.Join(m.folder, "another", project.File)
	testfile.Write(t, about, strings.Replace(testfile.Read(t, about), `"grade"`, `"mark"`, 1))
	return m
}

// command makes one of winnow's, in the material's folder.
func (m *material) command(t *testing.T, temporary string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	path, err := exec.LookPath("winnow")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = m.folder
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "XDG_CACHE_HOME="+m.cache)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return cmd, &stderr
}

func (m *material) must(t *testing.T, args ...string) {
	t.Helper()
	cmd, stderr := m.command(t, t.TempDir(), args...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("winnow %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
}

// seconds are what of a result depends on the machine's speed.
var seconds = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

// result is all that an output holds, by name; nil where there is none.
func result(t *testing.T, out string) map[string]string {
	t.Helper()
	info, err := os.Stat(out)
	if err != nil {
		return nil
	}
	files := map[string]string{}
	if info.IsDir() {
		files = testfile.Below(t, out)
	} else {
		files[""] = testfile.Read(t, out)
	}
	for name, text := range files {
		files[name] = seconds.ReplaceAllString(text, "")
	}
	delete(files, "effort.json") // what an import has cost
	return files
}

var (
	shards  = []string{"run --shard 1/2 --out shard1 --operators ROR project", "run --shard 2/2 --out shard2 --operators ROR project"}
	history = []string{"run --faults --out history --force --operators ROR project another"}
)

var faultedCommands = []faulted{
	{name: "run", args: []string{"run", "--workers", "1", "--operators", "ROR", "project"}, again: []string{"--resume"}},
	{name: "run --force", args: []string{"run", "--workers", "1", "--operators", "ROR", "--force", "project"}, again: []string{}, before: true},
	{name: "mutate", args: []string{"mutate", "--workers", "1", "--operators", "ROR", "--write-patches", "project/grade.c"}},
	{name: "merge", args: []string{"merge", "shard1", "shard2"}, needs: shards},
	{name: "rank", args: []string{"rank", "--workers", "1", "--format", "json", "project/grade.c"}, again: []string{"--force"}},
	{name: "features", args: []string{"features", "--workers", "1", "project/grade.c"}, again: []string{"--force"}},
	{name: "train", args: []string{"train", "--workers", "1", "--created-by", "a test", "history"}, again: []string{"--force"}, needs: history},
	{name: "import pairs", args: []string{"import", "pairs", "--operators", "ROR", "pairs"}, again: []string{}},
	{name: "evaluate", args: []string{"evaluate", "--workers", "1", "history"}, again: []string{}, needs: history},
}

// Whatever call fails, or is cut, or kills: the status is that of what the system refused,
// what was there stays, and the same command, given again, ends with the same bytes as one
// that nothing disturbed. There are about 9,000 faults, which take hours: WINNOW_FAULTS says
// how many of each command are tried (make check-faults).
func TestAFaultOfTheDiskLosesNothing(t *testing.T) {
	many, commands := deep.Count(1, 2), deep.Count(3, len(faultedCommands))
	if text := os.Getenv("WINNOW_FAULTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("WINNOW_FAULTS=%s is no number", text)
		}
		many, commands = n, len(faultedCommands)
	}
	m := newMaterial(t)
	for _, c := range deep.Spread(t, commands, faultedCommands) {
		t.Run(c.name, func(t *testing.T) {
			for _, line := range c.needs {
				m.must(t, strings.Fields(line)...)
			}
			want := filepath.Join(m.folder, "whole-"+strings.ReplaceAll(c.name, " ", ""))
			cmd, stderr := m.command(t, t.TempDir(), append(slices.Clone(c.args), "--out", want)...)
			seen, err := diskfault.Run(t.Context(), cmd, diskfault.Plan{Kind: diskfault.None})
			if err != nil || seen.Calls == 0 {
				t.Fatalf("%d calls, %v\n%s", seen.Calls, err, stderr)
			}
			injected := map[diskfault.Kind]int{}
			for _, plan := range deep.Spread(t, many, plansOf(seen.Calls)) {
				injected[plan.Kind] += m.try(t, c, plan, result(t, want))
			}
			t.Logf("of %d calls that change files: %v", seen.Calls, injected)
		})
	}
}

// plansOf are all faults of so many calls, in an order in which a sample has all kinds.
func plansOf(calls int) []diskfault.Plan {
	var plans []diskfault.Plan
	for call := range calls {
		for _, kind := range diskfault.Kinds {
			plans = append(plans, diskfault.Plan{Kind: kind, Call: call})
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(plans), func(a, b int) { plans[a], plans[b] = plans[b], plans[a] })
	return plans
}

// try gives a command under a plan, and then again. It returns 1 where a call was hit.
func (m *material) try(t *testing.T, c faulted, plan diskfault.Plan, want map[string]string) int {
	t.Helper()
	out, temporary := filepath.Join(t.TempDir(), "out"), t.TempDir()
	args := append(slices.Clone(c.args), "--out", out)
	if c.before {
		m.must(t, args...)
	}
	cmd, stderr := m.command(t, temporary, args...)
	outcome, err := diskfault.Run(t.Context(), cmd, plan)
	if outcome.Hit == "" {
		return 0
	}
	fail := func(format string, values ...any) {
		t.Errorf("%s, %s of call %d (%s): %s\n%s", c.name, plan.Kind, plan.Call, outcome.Hit, fmt.Sprintf(format, values...), stderr)
	}
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	code := exit.Code(cmd.ProcessState.ExitCode())
	switch {
	case plan.Kind == diskfault.Kill && code == -1:
	case code != exit.Done && code != exit.System:
		fail("status %v", code)
	case code == exit.System && !strings.Contains(stderr.String(), "winnow: "):
		fail("it does not say why")
	case code == exit.Done && !maps.Equal(result(t, out), want):
		fail("it says that all is well, and there is %v", difference(result(t, out), want))
	}
	if c.before && !paths.Exist(out) && plan.Kind != diskfault.Kill {
		fail("what was to be replaced is gone")
	}
	if c.again != nil || !paths.Exist(out) {
		cmd, stderr = m.command(t, temporary, append(args, c.again...)...)
		if err := cmd.Run(); err != nil {
			fail("given again: %v", err)
		}
	}
	if got := result(t, out); !maps.Equal(got, want) {
		fail("given again, there is %v", difference(got, want))
	}
	if plan.Kind != diskfault.Kill || c.again != nil {
		for _, left := range append(scratchIn(t, temporary), hidden(t, filepath.Dir(out))...) {
			fail("it left %s", left)
		}
	}
	return 1
}

// hidden lists what lies beside an output for a while only.
func hidden(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// difference names the files in which two results differ.
func difference(a, b map[string]string) []string {
	var out []string
	for name := range a {
		if a[name] != b[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, "no "+name)
		}
	}
	slices.Sort(out)
	return out
}
