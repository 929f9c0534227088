//go:build linux

package execute_test

import (
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/execute"
)

// leakMutants are the mutants of leak.c, twice over, so that each comes
// after many others.
func leakMutants() []execute.Mutant {
	const mutants = 36
	var out []execute.Mutant
	for round := range 2 {
		for i := range mutants {
			// Strides that share no factor with their number: other neighbours the second time.
			out = append(out, execute.Mutant{Selector: int32(i*[]int{5, 23}[round]%mutants + 1)})
		}
	}
	return out
}

func TestNothingThatARunLeavesBehindReachesTheNext(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Log("there are no runners on this machine: in-process is the same as fork")
	}
	binary := link(t, "leak.c")
	tests := inputs(t, "5 words that nobody reads\n", "", "44"+strings.Repeat(" line of input\n", 1000))
	results := map[string]*execute.Result{}
	for _, tier := range []execute.Tier{execute.InProcess, execute.Fork} {
		results[tier.Name] = kill(t, start(t, binary, tests, execute.Options{Tier: tier, AuditEvery: 9, Workers: 2}), leakMutants())
		if d := results[tier.Name].Audit.Disagreements; len(d) > 0 {
			t.Errorf("%s and a process of its own: %+v", tier.Name, d)
		}
	}
	if diff := cmp.Diff(results["fork"], results["in-process"], cmpopts.IgnoreFields(execute.Result{}, "HandedOn")); diff != "" {
		t.Errorf("(-fork +in-process)\n%s", diff)
	}
	handedOn := results["in-process"].HandedOn
	t.Logf("%d of %d pairs handed on", handedOn, results["in-process"].Runs)
	if runtime.GOARCH == "amd64" && (handedOn == 0 || handedOn == results["in-process"].Runs) {
		t.Errorf("%d of %d pairs were handed on to fork", handedOn, results["in-process"].Runs)
	}
}

// What a program reads without having written it is the same in every run, and
// never what it may have hoped for, unless the block is so large that to fill it
// would cost more than the run. (The heap has room for the one of 131,072 bytes
// where that before it was.)
func TestFreshMemoryIsFilledUnlessItIsAMappingOfItsOwn(t *testing.T) {
	const want = "1: filled\n7: filled\n24: filled\n1000: filled\n131071: filled\n131072: filled\n5000000: zero\n5000000: zero\n1000: filled\n"
	binary := link(t, "heap.c")
	for _, tier := range execute.Tiers {
		e := start(t, binary, inputs(t, ""), execute.Options{Tier: tier})
		for range 2 {
			_, output, err := e.Observe(t.Context(), 1, 0)
			if err != nil || string(output) != want {
				t.Errorf("%s: %q, %v", tier.Name, output, err)
			}
		}
	}
}

func TestARunnerThatHangsOrIsWrittenOverCostsNoVerdict(t *testing.T) {
	const spins, attacks = 37, 38
	var mutants []execute.Mutant
	for _, selector := range []int32{2, 9, spins, 3, attacks, 2, 6, 19} {
		mutants = append(mutants, execute.Mutant{Selector: selector})
	}
	o := execute.Options{Workers: 1, AuditEvery: 1 << 30, WallFloor: 200 * time.Millisecond}
	shared := start(t, link(t, "leak.c"), inputs(t, "5 words\n"), o)
	fast := kill(t, shared, mutants)
	o.Tier = execute.Fork
	apart := start(t, link(t, "leak.c"), inputs(t, "5 words\n"), o)
	safe := kill(t, apart, mutants)
	if diff := cmp.Diff(safe, fast, cmpopts.IgnoreFields(execute.Result{}, "HandedOn")); diff != "" {
		t.Errorf("(-fork +in-process)\n%s", diff)
	}
	if cell, _ := fast.Cell(2, 0); cell.Cause != execute.CauseTime {
		t.Errorf("the mutant that spins: %+v", cell)
	}
	if cell, _ := fast.Cell(4, 0); cell.Cause != execute.CauseSignal || cell.Status != uint8(syscall.SIGSEGV) {
		t.Errorf("the mutant that writes to the runner's state: %+v", cell)
	}
	if runtime.GOARCH == "amd64" && (fast.HandedOn < 2 || safe.HandedOn != 0) {
		t.Errorf("%d pairs were handed on, and %d by fork", fast.HandedOn, safe.HandedOn)
	}
	noneLeft(t, shared, apart)
}

// What a program sets for signals is kept for the run and no longer, without a
// word to the kernel; only a function of its own that would be called is for Fork.
func TestARunnerKeepsWhatARunSaysOfSignals(t *testing.T) {
	const mutants, quiet = 14, 8
	var list []execute.Mutant
	for i := range 2 * mutants {
		list = append(list, execute.Mutant{Selector: int32(i*5%mutants + 1)})
	}
	binary, tests := link(t, "signals.c"), inputs(t, "")
	results := map[string]*execute.Result{}
	for _, tier := range []execute.Tier{execute.InProcess, execute.Fork, execute.Fresh} {
		results[tier.Name] = kill(t, start(t, binary, tests, execute.Options{Tier: tier, AuditEvery: 1 << 30, Workers: 1}), list)
		if diff := cmp.Diff(results["in-process"], results[tier.Name], cmpopts.IgnoreFields(execute.Result{}, "HandedOn")); diff != "" {
			t.Errorf("(-in-process +%s)\n%s", tier.Name, diff)
		}
	}
	most := 2 * (mutants - quiet)
	if got := results["in-process"].HandedOn; runtime.GOARCH == "amd64" && (got == 0 || got > most) {
		t.Errorf("%d of %d pairs were handed on to fork, want at most %d", got, len(list), most)
	}
}

// A runner decides by itself that a run has printed all that it may, at the very
// write at which the kernel would have ended it.
func TestARunnerEndsAFloodWhereTheKernelDoes(t *testing.T) {
	const mutants, handled = 13, 2
	var list []execute.Mutant
	for i := range mutants {
		list = append(list, execute.Mutant{Selector: int32(i + 1)})
	}
	for _, limit := range []int64{65536, 100_001} {
		binary, tests := link(t, "flood.c"), inputs(t, strconv.FormatInt(limit, 10)+"\n")
		results := map[string]*execute.Result{}
		for _, tier := range []execute.Tier{execute.InProcess, execute.Fork, execute.Fresh} {
			results[tier.Name] = kill(t, start(t, binary, tests, execute.Options{Tier: tier, AuditEvery: 1 << 30, Workers: 1, OutputBytes: limit}), list)
			if diff := cmp.Diff(results["in-process"], results[tier.Name], cmpopts.IgnoreFields(execute.Result{}, "HandedOn")); diff != "" {
				t.Errorf("limit %d (-in-process +%s)\n%s", limit, tier.Name, diff)
			}
		}
		floods := 0
		for _, c := range results["fork"].Cells {
			if c.Cause == execute.CauseOutput {
				floods++
			}
		}
		if got := results["in-process"].HandedOn; runtime.GOARCH == "amd64" && got > handled || floods < 8 {
			t.Errorf("limit %d: %d of %d floods were handed on to fork, want at most %d", limit, got, floods, handled)
		}
	}
}
