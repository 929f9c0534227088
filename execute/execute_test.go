//go:build linux

package execute_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/execute"
)

func TestAMutantRunsOutOfWorkExactlyAtTheBudget(t *testing.T) {
	tests := arguments("0", "100", "5000")
	e := start(t, link(t, "work.c"), tests, execute.Options{FuelFactor: 2, FuelFloor: 7, Workers: 2})
	base := originals(t, e)
	for i, work := range []int64{0, 100, 5000} {
		if got := base.Tests[i].Work; got != work {
			t.Errorf("test %s: the original's work is %d", tests[i].Name, got)
		}
	}
	result, err := e.Kill(t.Context(), base, selectors(300))
	if err != nil {
		t.Fatal(err)
	}
	for m, mutant := range result.Mutants {
		for test, work := range []int64{0, 100, 5000} {
			want, budget := execute.Survived, 2*work+7
			if work+int64(mutant.Selector) > budget {
				want = execute.Killed
			}
			if got := result.Verdict(m, test); got != want {
				t.Fatalf("%d units more than %d: %v, want %v", mutant.Selector, work, got, want)
			}
			if c, ok := result.Cell(m, test); ok && (c.Cause != execute.CauseWork || c.Work != budget+1) {
				t.Fatalf("%d units more than %d: %+v, want cause work after %d", mutant.Selector, work, c, budget+1)
			}
		}
	}
}

func TestFlakyAndExcessiveOriginalsAreSetAsideAndCrashesAreNot(t *testing.T) {
	cases := []struct {
		how      string
		setAside string // a part of the message, "" when used
		cause    execute.Cause
		status   int
		known    bool // reached is known
	}{
		{"", "", execute.CauseExit, 0, true},
		{"status", "", execute.CauseExit, 3, true},
		{"time", "", execute.CauseExit, 0, true},
		{"pid", "flaky", execute.CauseExit, 0, true},
		{"random", "flaky", execute.CauseExit, 0, true},
		{"server", "flaky", execute.CauseExit, 0, true},
		{"crash", "", execute.CauseSignal, int(syscall.SIGSEGV), true},
		{"abort", "", execute.CauseSignal, int(syscall.SIGABRT), true},
		{"leave", "", execute.CauseExit, 7, true},
		{"sigkill", "", execute.CauseSignal, int(syscall.SIGKILL), false},
		{"flood", "limit of output", execute.CauseOutput, 0, true},
		{"hang", "limit of time", execute.CauseTime, 0, false},
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.how)
	}
	e := start(t, link(t, "baseline.c"), arguments(names...), execute.Options{BaselineWall: 500 * time.Millisecond, OutputBytes: 1 << 16})
	base := originals(t, e)
	result, err := e.Kill(t.Context(), base, []execute.Mutant{{Selector: 1, Site: 0}, {Selector: 9, Site: 1}, {Selector: 9, Site: 2}})
	if err != nil {
		t.Fatal(err)
	}
	noneLeft(t, e)
	for i, c := range cases {
		got := base.Tests[i]
		if (got.SetAside == "") != (c.setAside == "") || !strings.Contains(got.SetAside, c.setAside) {
			t.Errorf("%q: set aside %q, want %q", c.how, got.SetAside, c.setAside)
		}
		if got.Cause != c.cause || got.Status != c.status || got.ReachedKnown != c.known {
			t.Errorf("%q: %v, reached known %v", c.how, got.Outcome, got.ReachedKnown)
		}
		wanted := []execute.Verdict{execute.Killed, execute.Survived, execute.Survived}
		switch {
		case c.setAside != "":
			wanted = []execute.Verdict{execute.Unknown, execute.Unknown, execute.Unknown}
		case c.how == "sigkill" || c.how == "leave" || c.how == "abort":
			wanted[0] = execute.Survived // the mutant's line is never flushed
		}
		for m, want := range wanted {
			if got := result.Verdict(m, i); got != want {
				t.Errorf("%q: mutant %d %v, want %v", c.how, m, got, want)
			}
		}
		at1 := c.setAside == "" && (c.how == "crash" || c.how == "leave" || c.how == "abort" || c.how == "sigkill")
		if result.Reached[1].Has(i) != at1 || result.Reached[2].Has(i) != (c.how == "sigkill") {
			t.Errorf("%q: site 1 reached %v, site 2 %v", c.how, result.Reached[1].Has(i), result.Reached[2].Has(i))
		}
	}
}

func TestWithoutFilterAndNamespacesNothingSurvivesAndADeadServerIsReplaced(t *testing.T) {
	e := start(t, link(t, "open.c"), arguments("a", "b"), execute.Weak(execute.Options{Workers: 2}))
	if s := e.Sandbox(); s.Filter || s.Namespaces || !strings.Contains(s.String(), "NO system call filter") {
		t.Errorf("the sandbox is not weak: %v", s)
	}
	result := kill(t, e, selectors(4))
	noneLeft(t, e)
	wanted := []execute.Verdict{execute.Survived, execute.Unknown, execute.Killed, execute.Survived}
	for test := range 2 {
		for m, want := range wanted {
			if got := result.Verdict(m, test); got != want {
				t.Errorf("mutant %d, test %d: %v, want %v", m+1, test, got, want)
			}
		}
	}
	if len(result.Failures) != 2 || !strings.Contains(result.Failures[0].Reason, "again in a fresh process") {
		t.Errorf("failures: %+v", result.Failures)
	}
}

func TestACancelledRunLeavesNothingAndGoesOnWhereItWas(t *testing.T) {
	tests, _ := zooTests(t)
	tests = append(tests, tests...)
	binary := link(t, "zoo.c")
	mutants := zooMutants()[:5]
	first := start(t, binary, tests, zooOptions())
	whole := kill(t, first, mutants)
	first.Rest()

	known := map[int][]execute.Cell{}
	ctx, cancel := context.WithCancel(t.Context())
	o := zooOptions()
	o.OnTest = func(test int, cells []execute.Cell) {
		known[test] = cells
		if len(known) == 2 {
			cancel()
		}
	}
	e := start(t, binary, tests, o)
	if _, err := e.Kill(ctx, originals(t, e), mutants); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	noneLeft(t, e)

	o = zooOptions()
	o.Known = known
	decided := map[int]bool{}
	o.OnTest = func(test int, _ []execute.Cell) { decided[test] = true }
	rest := kill(t, start(t, binary, tests, o), mutants)
	if len(known)+len(decided) != len(tests) {
		t.Errorf("%d tests before and %d after the interruption, of %d", len(known), len(decided), len(tests))
	}
	rest.Audit, whole.Audit = execute.Audit{}, execute.Audit{}
	rest.HandedOn, whole.HandedOn = 0, 0
	if diff := cmp.Diff(whole, rest); diff != "" {
		t.Errorf("(-in one go +continued)\n%s", diff)
	}
	o.Known = map[int][]execute.Cell{0: {{Mutant: 99}}}
	e = start(t, binary, tests, o)
	if _, err := e.Kill(t.Context(), originals(t, e), mutants); err == nil {
		t.Error("cells of another run were taken over")
	}
}

func TestCancellingWhileAMutantSleepsEndsAtOnce(t *testing.T) {
	tests, _ := zooTests(t)
	e := start(t, link(t, "zoo.c"), tests, execute.Options{WallFloor: time.Hour})
	base := originals(t, e)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := e.Kill(ctx, base, []execute.Mutant{{Selector: 6, Site: 1}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	noneLeft(t, e)
}

// To start a server takes as long as a thousand runs: it waits for the next call, until the
// engine rests or a call was cancelled.
func TestServersWaitForTheNextCall(t *testing.T) {
	e := start(t, link(t, "work.c"), arguments("1", "2", "3"), execute.Options{Workers: 1})
	servers := func() (pids []string) {
		for _, stat := range children(t) {
			pid, _, _ := strings.Cut(stat, " ")
			pids = append(pids, pid)
		}
		return pids
	}
	if now := servers(); len(now) != 1 {
		t.Fatalf("an engine has started the servers %v", now)
	}
	base := originals(t, e)
	first := servers()
	result, err := e.Kill(t.Context(), base, selectors(3))
	if now := servers(); err != nil || len(now) != 1 || !slices.Equal(now, first) {
		t.Errorf("after another call the servers are %v, not %v (%v)", now, first, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Kill(cancelled, base, selectors(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
	if diff := cmp.Diff(result, kill(t, e, selectors(3))); diff != "" {
		t.Errorf("(-first +after a cancelled call)\n%s", diff)
	}
	noneLeft(t, e)
	if diff := cmp.Diff(result, kill(t, e, selectors(3))); diff != "" {
		t.Errorf("(-first +by another server)\n%s", diff)
	}
}

func TestNormalisedHashesEqualThoseOfASlowTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "\n", " ", "a", "a \n\n", "\n\na", "a\n \nb\n"}
	for range 150 {
		text := make([]byte, rng.IntN(40))
		for i := range text {
			text[i] = "ab \t\r\n\n\x00"[rng.IntN(8)]
		}
		texts = append(texts, string(text))
	}
	texts = append(texts, strings.Repeat(strings.Repeat(" x", 50)+" \n", 3000))
	binary, tests := link(t, "echo.c"), inputs(t, texts...)
	for _, c := range []struct {
		compare   execute.OutputComparison
		normalise func([]byte) []byte
	}{
		{execute.OutputExact, func(b []byte) []byte { return b }},
		{execute.OutputTrimmed, trimmed},
	} {
		base := originals(t, start(t, binary, tests, execute.Options{Output: c.compare}))
		for i, text := range texts {
			want := c.normalise([]byte(text))
			hash := fnv.New64a()
			hash.Write(want)
			if got := base.Tests[i]; got.OutputLength != uint64(len(want)) || got.OutputHash != hash.Sum64() {
				t.Errorf("%.60q: length %d, want that of %.60q", text, got.OutputLength, want)
			}
		}
	}
}

func trimmed(text []byte) []byte {
	var lines [][]byte
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		lines = append(lines, bytes.TrimRight(line, " \t\r\v\f"))
	}
	return bytes.TrimRight(bytes.Join(lines, []byte("\n")), "\n")
}

func TestArgumentsAndInputReachTheProgram(t *testing.T) {
	tests := inputs(t, "line\n")
	tests[0].Args = []string{"a b", "", "é"}
	e := start(t, link(t, "echo.c"), tests, execute.Options{})
	_, output, err := e.Observe(t.Context(), 0, 0)
	if err != nil || string(output) != "[a b][][é]line\n" {
		t.Errorf("printed %q, %v", output, err)
	}
}

func TestAProgramMayUseTheNamesOfLibc(t *testing.T) {
	result := kill(t, start(t, link(t, "names.c"), arguments("x"), execute.Options{AuditEvery: 1}), selectors(2))
	if result.Verdict(0, 0) != execute.Killed || result.Verdict(1, 0) != execute.Survived {
		t.Errorf("%+v", result)
	}
}

func TestExitStatusCountsAsMuchAsTheOptionSays(t *testing.T) {
	binary := link(t, "baseline.c")
	for compare, want := range map[execute.ExitComparison]execute.Verdict{
		execute.ExitStatus: execute.Killed, execute.ExitSuccess: execute.Survived, execute.ExitIgnored: execute.Survived,
	} {
		e := start(t, binary, arguments("status"), execute.Options{Exit: compare})
		if got := kill(t, e, []execute.Mutant{{Selector: 2}}).Verdict(0, 0); got != want {
			t.Errorf("comparison %d: status 4 instead of 3 is %v, want %v", compare, got, want)
		}
	}
}

func TestLimitsAreUnknownWhenThePolicySaysSo(t *testing.T) {
	e := start(t, link(t, "work.c"), arguments("5"), execute.Options{FuelFactor: 1, FuelFloor: 1, Limits: execute.LimitsUnknown})
	result := kill(t, e, selectors(3))
	for m, want := range []execute.Verdict{execute.Survived, execute.Unknown, execute.Unknown} {
		if got := result.Verdict(m, 0); got != want {
			t.Errorf("%d units more: %v, want %v", m+1, got, want)
		}
	}
	if killed, decided, err := result.Score(); killed != 0 || decided != 1 || err != nil {
		t.Errorf("score %d of %d, %v", killed, decided, err)
	}
	if _, _, err := (&execute.Result{}).Score(); err == nil {
		t.Error("no mutants have a score")
	}
}

func TestAMutantIsStoppedAfterItsTimeoutsInTestOrderForAnyNumberOfWorkers(t *testing.T) {
	binary := link(t, "work.c")
	tests := arguments("1000", "0", "1000", "0", "0", "1000", "0")
	var first *execute.Result
	for _, workers := range []int{1, 3} {
		e := start(t, binary, tests, execute.Options{FuelFactor: 2, FuelFloor: 7, Workers: workers, StopAfterTimeouts: 2, AuditEvery: 2})
		result := kill(t, e, selectors(30))
		result.HandedOn = 0
		if first == nil {
			first = result
		}
		if diff := cmp.Diff(first, result); diff != "" {
			t.Errorf("%d workers\n%s", workers, diff)
		}
	}
	wanted := []execute.Verdict{survived, killed, survived, killed, execute.Unknown, execute.Unknown, execute.Unknown}
	for test, want := range wanted {
		if got := first.Verdict(29, test); got != want {
			t.Errorf("test %d: %v, want %v", test, got, want)
		}
	}
}

func TestWrongUseIsAnErrorThatSaysWhat(t *testing.T) {
	ctx := t.Context()
	binary := link(t, "work.c")
	notOurs := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(notOurs, []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for what, try := range map[string]func() error{
		"negative":     func() error { _, err := execute.Start(ctx, binary, nil, execute.Options{Workers: -1}); return err },
		"too small":    func() error { _, err := execute.Start(ctx, binary, nil, execute.Options{Memory: 1}); return err },
		"no such file": func() error { _, err := execute.Start(ctx, binary+"x", nil, execute.Options{}); return err },
		"its input": func() error {
			_, err := execute.Start(ctx, binary, []execute.Test{{Name: "t", Input: "/nonexistent"}}, execute.Options{})
			return err
		},
		"NUL": func() error {
			_, err := execute.Start(ctx, binary, arguments("a\x00b"), execute.Options{})
			return err
		},
		"linked with winnow's runtime": func() error { _, err := execute.Start(ctx, notOurs, nil, execute.Options{}); return err },
		"not of this program": func() error {
			e := start(t, binary, arguments("1"), execute.Options{})
			defer e.Rest()
			_, err := e.Kill(ctx, originals(t, e), []execute.Mutant{{Selector: 1, Site: 5}})
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want a message with %q", err, what)
		}
	}
	noneLeft(t)
}

func TestTiersAreListedFastestFirstAndNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, tier := range execute.Tiers {
		if tier.Name == "" || tier.Doc == "" || seen[tier.Name] {
			t.Errorf("tier %+v", tier)
		}
		seen[tier.Name] = true
	}
	if last := execute.Tiers[len(execute.Tiers)-1]; last != execute.Fresh {
		t.Errorf("the judge is not last: %+v", last)
	}
}

func FuzzABrokenServerCannotMakeUsAllocate(f *testing.F) {
	f.Add([]byte{}, int32(0))
	f.Add(bytes.Repeat([]byte{0}, 64), int32(0))
	f.Add(bytes.Repeat([]byte{255}, 200), int32(-1))
	f.Fuzz(func(t *testing.T, said []byte, selector int32) {
		o, err := execute.ReadReply(bytes.NewReader(said), selector, 1000, 50)
		if err == nil && o.Cause > execute.CauseOutput {
			t.Errorf("accepted cause %v", o.Cause)
		}
		if got := fmt.Sprint(o); len(got) > 20000 {
			t.Errorf("an observation of %d bytes", len(got))
		}
	})
}

// Beside the runs as they are, what they would take without confinement. There is a worker for
// each processor, as there is where mutants are run: with fewer, the kernel moves each run to an
// idle one, and that costs more than all confinement.
func BenchmarkPairsOfATinyProgram(b *testing.B) {
	for _, tier := range execute.Tiers {
		b.Run(tier.Name+"/confined", func(b *testing.B) { pairs(b, execute.Options{Tier: tier}) })
		b.Run(tier.Name+"/filtered", func(b *testing.B) {
			pairs(b, execute.WithoutNamespaces(execute.Options{Tier: tier}))
		})
		b.Run(tier.Name+"/open", func(b *testing.B) { pairs(b, execute.Weak(execute.Options{Tier: tier})) })
	}
}

func pairs(b *testing.B, options execute.Options) {
	e := start(b, link(b, "work.c"), arguments("3"), options)
	base := originals(b, e)
	mutants := make([]execute.Mutant, b.N)
	for i := range mutants {
		mutants[i].Selector = int32(i%50 + 1)
	}
	b.ResetTimer()
	if _, err := e.Kill(b.Context(), base, mutants); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
}
