//go:build linux

package execute_test

import (
	"runtime"
	"strings"
	"testing"

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
	if runtime.GOARCH == "amd64" && (handedOn == 0 || handedOn > results["in-process"].Runs/4) {
		t.Errorf("%d of %d pairs were handed on to fork", handedOn, results["in-process"].Runs)
	}
}
