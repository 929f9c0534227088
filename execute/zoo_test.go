//go:build linux

package execute_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/execute"
)

// want is what a mutant of zoo.c must come to, on both tests or, for those of
// site 1, on the second.
type want struct {
	what    string
	site    int
	verdict execute.Verdict
	cause   execute.Cause
	status  int
}

const (
	survived = execute.Survived
	killed   = execute.Killed
)

var zoo = []want{
	1:  {what: "changes nothing", verdict: survived},
	2:  {what: "prints another sum", verdict: killed, cause: execute.CauseExit},
	3:  {what: "ends with another status", verdict: killed, cause: execute.CauseExit, status: 3},
	4:  {what: "prints more white space at the end", verdict: survived},
	5:  {what: "loops for ever", verdict: killed, cause: execute.CauseWork},
	6:  {what: "sleeps for ever", site: 1, verdict: killed, cause: execute.CauseTime},
	7:  {what: "prints for ever", verdict: killed, cause: execute.CauseOutput},
	8:  {what: "takes all memory", verdict: killed, cause: execute.CauseMemory},
	9:  {what: "overflows the stack", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	10: {what: "writes through a null pointer", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	11: {what: "aborts", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGABRT)},
	12: {what: "leaves by _exit without flushing", verdict: killed, cause: execute.CauseExit},
	13: {what: "closes all descriptors", verdict: killed, cause: execute.CauseExit},
	14: {what: "spins and ignores signals", site: 1, verdict: killed, cause: execute.CauseTime},
	15: {what: "attacks the server", verdict: survived},
	16: {what: "writes over the selector", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	17: {what: "forks", verdict: survived},
	18: {what: "opens sockets and starts programs", verdict: survived},
	19: {what: "creates and removes files", verdict: survived},
	20: {what: "traps", verdict: killed, cause: execute.CauseTrap},
	21: {what: "jumps out", verdict: killed, cause: execute.CauseExit},
	22: {what: "kills itself", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGKILL)},
	23: {what: "writes over all memory", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	24: {what: "meddles with the streams it shares with later runs", verdict: killed, cause: execute.CauseExit},
	25: {what: "prints uninitialised memory, time and random numbers", verdict: killed, cause: execute.CauseExit},
	26: {what: "asks for more memory than exists and copes", verdict: survived},
	27: {what: "prints at exit", verdict: killed, cause: execute.CauseExit},
	28: {what: "lifts its limits", verdict: survived},
	29: {what: "prints for ever and ignores the signal", verdict: killed, cause: execute.CauseOutput},
	30: {what: "terminates itself", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGTERM)},
	31: {what: "is wrong where only the second test comes", site: 1, verdict: killed, cause: execute.CauseExit},
	32: {what: "sits where no test comes", site: 2, verdict: survived},
	33: {what: "moves all memory behind its arrays", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	34: {what: "clears all memory behind its arrays", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	35: {what: "forks for ever", verdict: killed, cause: execute.CauseWork},
	36: {what: "smashes its stack", verdict: killed, cause: execute.CauseSignal, status: int(syscall.SIGSEGV)},
	37: {what: "jumps out of a signal's handler and goes on", verdict: survived},
	38: {what: "fills up the counter of its work", site: 1, verdict: killed, cause: execute.CauseTime},
	39: {what: "answers its crash with a handler that returns", site: 1, verdict: killed, cause: execute.CauseTime},
	40: {what: "is refused memory and makes do with less", verdict: survived},
	41: {what: "is refused memory and gives up", verdict: killed, cause: execute.CauseMemory},
	42: {what: "is refused memory and uses it", verdict: killed, cause: execute.CauseMemory},
}

func zooMutants() []execute.Mutant {
	var out []execute.Mutant
	for selector := 1; selector < len(zoo); selector++ {
		out = append(out, execute.Mutant{Selector: int32(selector), Site: zoo[selector].site})
	}
	return out
}

func zooOptions() execute.Options {
	return execute.Options{Workers: 1, WallFloor: 250 * time.Millisecond, Memory: 64 << 20, OutputBytes: 1 << 20, AuditEvery: 3}
}

// zooTests runs on three and on five numbers, with a file as a victim.
func zooTests(t testing.TB) (tests []execute.Test, victim string) {
	victim = filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests = inputs(t, "1 2 3\n", "4 5 6 7 8\n")
	for i := range tests {
		tests[i].Args = []string{victim}
	}
	return tests, victim
}

func TestEveryMutantOfTheZooGetsItsVerdictAndLeavesNothing(t *testing.T) {
	tests, victim := zooTests(t)
	e := start(t, link(t, "zoo.c"), tests, zooOptions())
	t.Log(e.Sandbox())
	result := kill(t, e, zooMutants())
	noneLeft(t, e)

	for m, mutant := range result.Mutants {
		w := zoo[mutant.Selector]
		for test := range tests {
			reached := w.site == 0 || w.site == 1 && test == 1
			if result.Reached[m].Has(test) != reached {
				t.Errorf("mutant %d, which %s, test %d: reached %v", mutant.Selector, w.what, test, !reached)
			}
			wanted := w.verdict
			if !reached {
				wanted = survived
			}
			cell, _ := result.Cell(m, test)
			if got := result.Verdict(m, test); got != wanted {
				t.Errorf("mutant %d, which %s, test %d: %v (%+v), want %v", mutant.Selector, w.what, test, got, cell, wanted)
			} else if got == killed && (cell.Cause != w.cause || int(cell.Status) != w.status) {
				t.Errorf("mutant %d, which %s, test %d: %v %d, want %v %d", mutant.Selector, w.what, test, cell.Cause, cell.Status, w.cause, w.status)
			}
		}
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
		t.Errorf("the victim was touched: %q, %v", text, err)
	}
	if beside, err := os.ReadDir(filepath.Dir(victim)); err != nil || len(beside) != 1 {
		t.Errorf("files beside the victim: %v, %v", beside, err)
	}
	if result.Audit.Checked < 10 || len(result.Audit.Disagreements) > 0 {
		t.Errorf("audit: %+v", result.Audit)
	}
}

func TestResultsAgreeAcrossTiersAndNumbersOfWorkers(t *testing.T) {
	tests, _ := zooTests(t)
	binary := link(t, "zoo.c")
	variants := map[string]func(*execute.Options){
		"in-process, one worker": func(*execute.Options) {},
		"in-process, three":      func(o *execute.Options) { o.Workers = 3 },
		"fork, two workers":      func(o *execute.Options) { o.Workers, o.Tier = 2, execute.Fork },
		"fresh, two workers":     func(o *execute.Options) { o.Workers, o.Tier = 2, execute.Fresh },
	}
	var mu sync.Mutex
	results := map[string]*execute.Result{}
	t.Run("run", func(t *testing.T) {
		for name, change := range variants {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				o := zooOptions()
				change(&o)
				result := kill(t, start(t, binary, tests, o), zooMutants())
				mu.Lock()
				defer mu.Unlock()
				results[name] = result
			})
		}
	})
	first := results["in-process, one worker"]
	if diff := cmp.Diff(first, results["in-process, three"], cmpopts.IgnoreFields(execute.Result{}, "HandedOn")); diff != "" {
		t.Errorf("one and three workers (-one +three)\n%s", diff)
	}
	if first.HandedOn == 0 || first.HandedOn == first.Runs {
		t.Errorf("in-process handed on %d of %d pairs", first.HandedOn, first.Runs)
	}
	for _, name := range []string{"fork, two workers", "fresh, two workers"} {
		if diff := cmp.Diff(first, results[name], cmpopts.IgnoreFields(execute.Result{}, "Audit", "HandedOn")); diff != "" {
			t.Errorf("the tiers (-in-process +%s)\n%s", name, diff)
		}
	}
}

func TestOutputsAgreeAcrossTiersToTheByte(t *testing.T) {
	tests, _ := zooTests(t)
	binary := link(t, "zoo.c")
	e := start(t, binary, tests, zooOptions())
	for _, selector := range []int32{0, 2, 4, 25, 27} {
		outcome, output, err := e.Observe(t.Context(), selector, 0)
		if err != nil {
			t.Fatal(err)
		}
		again, outputAgain, err := e.Observe(t.Context(), selector, 0)
		if err != nil {
			t.Fatal(err)
		}
		outcome.Wall, again.Wall = 0, 0
		if diff := cmp.Diff(outcome, again); diff != "" || string(output) != string(outputAgain) {
			t.Errorf("selector %d: %s%q then %q", selector, diff, output, outputAgain)
		}
	}
	_, output, err := e.Observe(t.Context(), 4, 1)
	if err != nil || string(output) != "30 of 5 \t \n\n\n" {
		t.Errorf("Observe changed the output: %q, %v", output, err)
	}
}

// The original on several tests, by servers that make run after run, is what it is with a server
// for each.
func TestTheOriginalDoesOnManyTestsWhatItDoesOnOne(t *testing.T) {
	tests, _ := zooTests(t)
	e := start(t, link(t, "zoo.c"), tests, zooOptions())
	asked := []int{1, 0}
	looked := map[int]string{}
	err := e.ObserveTests(t.Context(), asked, func(test int, o execute.Outcome, output []byte) {
		o.Wall = 0
		looked[test] += fmt.Sprintf("%v %q", o, output)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range asked {
		o, output, err := e.Observe(t.Context(), 0, test)
		if err != nil {
			t.Fatal(err)
		}
		o.Wall = 0
		if want := fmt.Sprintf("%v %q", o, output); looked[test] != want {
			t.Errorf("test %d: %s, alone %s", test, looked[test], want)
		}
	}
	if err := e.ObserveTests(t.Context(), []int{0, len(tests)}, func(int, execute.Outcome, []byte) {}); err == nil {
		t.Error("there is no such test, and it was run")
	}
}
