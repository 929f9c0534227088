//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/diskfault"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
)

// Whatever call fails, or is cut, or kills: the status is that of what the system refused,
// what was there stays, and the same command, given again, ends with the same bytes as one
// that nothing disturbed. There are about 9,000 faults, which take hours: WINNOW_FAULTS says
// how many of each command are tried (make check-faults).
func TestAFaultOfTheDiskLosesNothing(t *testing.T) {
	many, commands := deep.Count(1, 2), deep.Count(3, len(writingCommands))
	if text := os.Getenv("WINNOW_FAULTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("WINNOW_FAULTS=%s is no number", text)
		}
		many, commands = n, len(writingCommands)
	}
	m := newMaterial(t)
	for _, c := range deep.Spread(t, commands, writingCommands) {
		t.Run(c.name, func(t *testing.T) {
			want := m.prepare(t, c)
			cmd, stderr := m.command(t, t.TempDir(), c.with(want)...)
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
func (m *material) try(t *testing.T, c writing, plan diskfault.Plan, want map[string]string) int {
	t.Helper()
	out, temporary := m.before(t, c), t.TempDir()
	args := c.with(out)
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
	if c.first != nil && !paths.Exist(out) && plan.Kind != diskfault.Kill {
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
