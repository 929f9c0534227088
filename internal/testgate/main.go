// Command testgate runs "go test" and lets nothing slip through.
//
//	go run ./internal/testgate [flags and packages of go test]
//
// It prints what go test prints without -v (one line for each package, and the
// output of tests that fail), the tests that took longest, and last a line that counts
// the tests: passed, failed, skipped. Subtests count as tests. It exits with status 1 when a test
// fails, when a package does not build, when no test ran, and, where the
// environment has REQUIRE_TOOLS=1, when a test was skipped: a test that is
// skipped for lack of a tool has not shown anything.
//
//	WINNOW_DEEP=1 go run ./internal/testgate -sampled [-within TIME -seed TEXT] [flags of go test]
//
// runs, in all packages, the tests that do more where everything is asked for
// (internal/deep), and no other. With a time it runs as many of them as it takes, in an order
// that the seed decides: where each commit is a seed, all have their turn in time.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	if run(os.Args[1:], os.Getenv("REQUIRE_TOOLS") == "1", os.Stdout) != nil {
		os.Exit(1) // run said why
	}
}

// run passes args to go test. It prints everything there is to say, also about
// the error it returns.
func run(args []string, requireTools bool, out io.Writer) error {
	t := newTally(out)
	var err error
	if len(args) > 0 && args[0] == "-sampled" {
		err = t.goTestSampled(args[1:])
	} else {
		err = t.goTest(args)
	}
	err = cmp.Or(err, t.verdict(requireTools), t.ended)
	if err != nil {
		fmt.Fprintf(out, "testgate: %v\n", err)
	}
	t.printLongest()
	// The summary comes last, whatever happened before it.
	fmt.Fprintln(out, t.summary())
	return err
}

// goTest runs go test, and notes how it ended.
func (t *tally) goTest(args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	reading := t.readAll(events)
	t.ended = cmp.Or(t.ended, cmd.Wait())
	if reading != nil {
		return fmt.Errorf("reading what go test -json printed: %w", reading)
	}
	return nil
}

// event is one line of go test -json ("go doc cmd/test2json").
type event struct {
	Action     string
	Package    string
	ImportPath string // in place of Package where a build fails
	Test       string // "" for what concerns the package
	Output     string
	Elapsed    float64 // seconds
}

// testID names a test within a run.
type testID struct{ pkg, test string }

// tally follows a run of go test.
type tally struct {
	out                     io.Writer
	passed, failed, skipped int
	skips                   []string            // "package: test: reason"
	brokenPackages          int                 // packages that failed, or did not build
	unfinished              map[testID][]string // output of tests that have not ended
	long                    []longTest
	ended                   error // how the first go test ended that did not end well
}

// longTest is a test that took a while.
type longTest struct {
	testID
	seconds float64
}

// longSeconds is what makes a test a long one; so many of these are told of.
const longSeconds, longTold = 5, 15

func newTally(out io.Writer) *tally {
	return &tally{out: out, unfinished: map[testID][]string{}}
}

func (t *tally) readAll(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "{") {
			var e event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				return fmt.Errorf("%w in %.200q", err, line)
			}
			t.note(e)
		} else {
			io.WriteString(t.out, line)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (t *tally) note(e event) {
	id := testID{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		io.WriteString(t.out, e.Output)
	case e.Test == "":
		t.notePackage(e)
	case e.Action == "run":
		t.unfinished[id] = nil
	case e.Action == "output":
		t.unfinished[id] = append(t.unfinished[id], e.Output)
	case e.Action == "pass":
		t.passed++
		if e.Elapsed >= longSeconds {
			t.long = append(t.long, longTest{id, e.Elapsed})
		}
		delete(t.unfinished, id)
	case e.Action == "skip":
		t.skipped++
		t.skips = append(t.skips, fmt.Sprintf("%s: %s: %s", e.Package, e.Test, reason(t.unfinished[id])))
		delete(t.unfinished, id)
	case e.Action == "fail":
		t.failed++
		t.print(id)
	}
}

func (t *tally) notePackage(e event) {
	switch e.Action {
	case "output":
		if line := strings.TrimSpace(e.Output); line != "PASS" && line != "" {
			io.WriteString(t.out, e.Output)
		}
	case "fail":
		t.brokenPackages++
		// Tests that a panic or the time limit cut off never ended: they failed.
		var cut []testID
		for id := range t.unfinished {
			if id.pkg == e.Package {
				cut = append(cut, id)
			}
		}
		slices.SortFunc(cut, func(a, b testID) int { return strings.Compare(a.test, b.test) })
		for _, id := range cut {
			t.failed++
			t.print(id)
		}
	}
}

// print shows the output of a failed test, without the lines that only -v has.
func (t *tally) print(id testID) {
	for _, line := range t.unfinished[id] {
		if !strings.HasPrefix(line, "=== ") {
			io.WriteString(t.out, line)
		}
	}
	delete(t.unfinished, id)
}

// printLongest tells where the time went: by the clock, in which other tests ran beside.
func (t *tally) printLongest() {
	slices.SortStableFunc(t.long, func(a, b longTest) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, l := range t.long[:min(len(t.long), longTold)] {
		fmt.Fprintf(t.out, "%6.1f s  %s: %s\n", l.seconds, l.pkg, l.test)
	}
}

// reason is what a skipped test said last before "--- SKIP".
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			return line
		}
	}
	return "no reason given"
}

// verdict is nil when everything ran and passed.
func (t *tally) verdict(requireTools bool) error {
	switch {
	case t.failed > 0 || t.brokenPackages > 0:
		return fmt.Errorf("%d tests failed, in %d packages", t.failed, t.brokenPackages)
	case t.passed == 0:
		return errors.New("no test ran")
	case requireTools && t.skipped > 0:
		return fmt.Errorf("tests were skipped, and REQUIRE_TOOLS=1 allows none:\n  %s", strings.Join(t.skips, "\n  "))
	}
	return nil
}

func (t *tally) summary() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", t.passed, t.failed, t.skipped)
}
