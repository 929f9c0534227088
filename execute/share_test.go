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

// share.c has so many sites, each with so many mutants.
const shareSites, shareEach = 24, 6

func shareMutants() []execute.Mutant {
	var out []execute.Mutant
	for i := range shareSites * shareEach {
		// Not in the order of their sites; five has no factor in common with their number.
		selector := i*5%(shareSites*shareEach) + 1
		out = append(out, execute.Mutant{Selector: int32(selector), Site: (selector - 1) / shareEach})
	}
	return out
}

func TestRunsThatShareHowTheyBeginEndAsIfTheyDidNot(t *testing.T) {
	binary := link(t, "share.c")
	tests := inputs(t, "", "one\ntwo\nthree\n", strings.Repeat("a line of input\n", 500))
	of := func(o execute.Options) *execute.Result {
		o.AuditEvery, o.Workers = 7, 1
		r := kill(t, start(t, binary, tests, o), shareMutants())
		if d := r.Audit.Disagreements; len(d) > 0 {
			t.Errorf("%+v and a process of its own: %+v", o.Tier, d)
		}
		return r
	}
	shared, apart := of(execute.ShareAll(execute.Options{})), of(execute.Options{Tier: execute.Fork})
	if diff := cmp.Diff(apart, shared, cmpopts.IgnoreFields(execute.Result{}, "HandedOn", "Shared")); diff != "" {
		t.Errorf("(-apart +shared)\n%s", diff)
	}
	killed := 0
	for m := range shared.Mutants {
		killed += shared.Killed[m].Count()
	}
	t.Logf("%d of %d runs shared, %d handed on, %d killed", shared.Shared, shared.Runs, shared.HandedOn, killed)
	if runtime.GOARCH == "amd64" && shared.Shared < shared.Runs/2 {
		t.Errorf("%d of %d runs share how they begin, want most", shared.Shared, shared.Runs)
	}
}

func TestTheStepOfASiteIsWhereTheOriginalFirstReachesIt(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Log("there are no runners on this machine: no step is looked for")
		return
	}
	e := start(t, link(t, "share.c"), inputs(t, ""), execute.ShareAll(execute.Options{}))
	base := originals(t, e)
	test := base.Tests[0]
	if test.Slice == 0 || len(test.Steps) != shareSites {
		t.Fatalf("steps of %d for %d sites", test.Slice, len(test.Steps))
	}
	for site, step := range test.Steps {
		// Site n is reached after n+1 stages of 51 units.
		work := int64(site+1) * 51
		if at := int64(step) * test.Slice; at < work-1 || at >= work+test.Slice {
			t.Errorf("site %d, after %d units of work, is in step %d of %d units each", site, work, step, test.Slice)
		}
	}
}
