package command

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/winnow-mutants/winnow/execute"
)

// Many test programs check one thing after the other and print a line for each: TAP's "ok 3 - name", automake's
// "PASS: name", "[ OK ] name" of cmocka and its like, "name ... ok" of whoever wrote their own. Each is a case: it passes
// where a run prints its line, as the original does. A test of which fewer cases pass than of the original fails, however
// it ends; a line that says something else where as many pass is no failure.
//
// Cases are columns of their own behind those of the tests (Engine.Columns). Of a run that ends early it is not known which
// of the later cases would have failed: the first that is missing is where it ended, and the others have no verdict. The
// programs with mutated code print line by line then (runtime/select.c), so that a crash takes no line with it.

// caseBytes is how much of an output may hold the lines of cases; what prints more has none. mostCases bounds them.
const (
	caseBytes = 1 << 20
	mostCases = 1000
)

const (
	passWords = `ok|okay|pass|passes|passed|succeeded|success|successful|✓|✔`
	failWords = `not ok|nok|fail|fails|failed|failure|error|✗|✘`
)

// resultWords are in each line of a result.
var resultWords = []string{"ok", "pass", "success", "succeeded", "fail", "error", "✓", "✔", "✗", "✘"}

var (
	// tapLine is a result of the Test Anything Protocol, version 13: https://testanything.org.
	tapLine = regexp.MustCompile(`^(not )?ok\b[ \t]*(\d*[ \t]*-?[ \t]*[^#]*)(#[ \t]*(?i:skip|todo))?`)
	// wordFirst is "PASS: name" and "[ OK ] name", wordLast "name ... ok" and "name: [PASSED]".
	wordFirst = regexp.MustCompile(`^[\[(*=>\s-]*(?i:(` + failWords + `)|` + passWords + `)(?:\s*[\])]|\s*[:>-]|\s{2,}|\t)[\s:>-]*(\S.*)$`)
	markFirst = regexp.MustCompile(`^(?:([✗✘])|[✓✔])\s*(\S.*)$`)
	wordLast  = regexp.MustCompile(`^(\S.*?)[\s.:=>|\[(<_-]+(?i:(` + failWords + `)|` + passWords + `)[\s\])>!.]*$`)
	// counted is a line that sums up: "12 tests passed", "All tests: OK".
	counted = regexp.MustCompile(`(?i)^\W*(?:all|\d+(?:\s*(?:/|of|out of)\s*\d+)?|total|summary|results?)\b.*\b(?:tests?|checks?|cases?|assert\w*|suites?|groups?)\b|^(?:all|tests?|checks?|cases?|summary|results?|total)\W*$`)
	// duration is what differs from run to run.
	duration = regexp.MustCompile(`[\[(]?\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?)\b[\])]?`)
	colours  = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// results are the cases of which a run printed a line, by name, in their order.
type results struct {
	passed []string
	failed map[string]bool
	// ends are where the lines of those that passed end on standard output, -1 for those printed elsewhere.
	ends []int64
}

// readResults reads both outputs of a run.
func readResults(r *reply) results {
	out := results{failed: map[string]bool{}}
	seen := map[string]int{}
	for k, output := range []printed{r.Stdout, r.Stderr} {
		if output.Length > int64(len(output.Tail)) {
			continue // the first lines are missing
		}
		end := int64(0)
		for line := range strings.Lines(string(output.Tail)) {
			end += int64(len(line))
			name, failed := readResult(line)
			if name == "" {
				continue
			}
			name = distinct(name, seen)
			if failed {
				out.failed[name] = true
			} else {
				out.passed = append(out.passed, name)
				if k == 0 {
					out.ends = append(out.ends, end)
				} else {
					out.ends = append(out.ends, -1)
				}
			}
		}
	}
	return out
}

// distinct is a name that was not seen before: itself, or with a number behind it.
func distinct(name string, seen map[string]int) string {
	out := name
	for seen[out] > 0 {
		seen[name]++
		out = fmt.Sprintf("%s (%d)", name, seen[name])
	}
	seen[out]++
	return out
}

// readResult is the case that a line is of, "" where it is of none.
func readResult(line string) (name string, failed bool) {
	if lower := strings.ToLower(line); !slices.ContainsFunc(resultWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return "", false // most lines of most tests
	}
	line = strings.TrimSpace(duration.ReplaceAllString(colours.ReplaceAllString(line, ""), ""))
	if len(line) > 500 {
		return "", false
	}
	if m := tapLine.FindStringSubmatch(line); m != nil && (m[2] == "" || m[2][0] >= '0' && m[2][0] <= '9' || m[2][0] == '-') {
		if m[3] != "" { // to be done, or skipped: neither passes nor fails
			return "", false
		}
		return named(m[2]), m[1] != ""
	}
	for _, form := range []struct {
		*regexp.Regexp
		name, failed int
	}{{markFirst, 2, 1}, {wordFirst, 2, 1}, {wordLast, 1, 2}} {
		if m := form.FindStringSubmatch(line); m != nil {
			return named(m[form.name]), m[form.failed] != ""
		}
	}
	return "", false
}

// nameRunes is how long the name of a case is at most.
const nameRunes = 80

// named is the name of a case without what is around it; "" where the line sums up.
func named(text string) string {
	text = strings.Join(strings.Fields(strings.Trim(text, " \t.:-=>|[(<*")), " ")
	if counted.MatchString(text) || !strings.ContainsFunc(text, letterOrDigit) {
		return ""
	}
	if runes := []rune(text); len(runes) > nameRunes {
		text = string(runes[:nameRunes-1]) + "…"
	}
	return text
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// both are the names that are in two lists, in the order of the first.
func both(one, other []string) []string {
	has := map[string]bool{}
	for _, name := range other {
		has[name] = true
	}
	var out []string
	for _, name := range one {
		if has[name] {
			out = append(out, name)
		}
	}
	return out
}

// casesOf are the cases of a run of the original; none where there are too few or too many to tell them apart.
func casesOf(r *reply) []string {
	passed := readResults(r).passed
	if len(passed) < 2 || len(passed) > mostCases {
		return nil
	}
	return passed
}

// Cases are, by test, the cases that passed each time that Check ran it: what Test.Cases may be given.
func (e *Engine) Cases() [][]string { return e.cases }

// Column is one thing that has a verdict on each mutant: a test, or a case of one.
type Column struct {
	Test int // its index
	Name string
	// SetAside is why a case has no verdict on any mutant; "" if it has.
	SetAside string
}

// Columns are those of the results of Kill, and of the sets of tests in them: the tests, and behind them their
// cases. The column of a test that has some is for what it says beside them. They are known when Original has run.
func (e *Engine) Columns() []Column {
	var out, cases []Column
	seen := map[string]int{}
	for test := range e.tests {
		seen[e.tests[test].Name]++
	}
	for test := range e.tests {
		t := &e.tests[test]
		name := t.Name
		if len(t.Cases) > 0 {
			name = distinct(name+" (outside its cases)", seen)
			for _, one := range t.Cases {
				c := Column{Test: test, Name: distinct(t.Name+"/"+one, seen)}
				if e.silent[test][one] {
					c.SetAside = "with the mutants built in, none selected, it does not say that it passes"
				}
				cases = append(cases, c)
			}
		}
		out = append(out, Column{Test: test, Name: name})
	}
	return append(out, cases...)
}

// columnsOf are, by test, the indices of its column and of those of its cases.
func (e *Engine) columnsOf() [][]int {
	out := make([][]int, len(e.tests))
	for at, c := range e.Columns() {
		out[c.Test] = append(out[c.Test], at)
	}
	return out
}

// mostSegments bounds, in bytes, what a run may reach line by line.
const mostSegments = 64 << 20

// caseProbe is what a case reaches, by site, and what is infected, by selector, when it has ended: by it or by one before.
type caseProbe struct{ reached, infected execute.Bits }

// probeCases runs a test on the probing build once more and finds out what each of its cases reaches: what the
// processes with mutated code reached while they printed the lines from the case before up to its own. What one reached that
// prints elsewhere, or that ended without saying so, counts for every case.
func (e *Engine) probeCases(ctx context.Context, c *client, test int, base *execute.TestBaseline, wall time.Duration) error {
	r := e.request(test, probeBuild, 0, 0, wall)
	r.Cases, r.Env = true, append(r.Env, "WINNOW_CASES="+casesPath)
	answer, err := c.do(ctx, r)
	if err != nil {
		return fmt.Errorf("probing the cases of test %s: %w", e.tests[test].Name, err)
	}
	seen := readTable(answer.Table, e.builds.Shape.Size)
	if answer.TimedOut || seen.full || !e.outcome(test, answer, seen).Same(base.Outcome, execute.ExitStatus) {
		return nil
	}
	e.probed[test] = e.segments(e.tests[test].Cases, answer, seen)
	return nil
}

// segments takes apart what a run reached line by line: note_case of runtime/select.c.
func (e *Engine) segments(cases []string, answer *reply, seen table) []caseProbe {
	shape := e.builds.Shape
	said := readResults(answer)
	ends := map[string]int64{}
	for k, name := range said.passed {
		ends[name] = said.ends[k]
	}
	for k, name := range cases {
		if ends[name] <= 0 || k > 0 && ends[name] <= ends[cases[k-1]] {
			return nil // not printed, printed elsewhere, or in another order
		}
	}
	out := make([]caseProbe, len(cases)+1) // the last is what comes behind them
	for k := range out {
		out[k] = caseProbe{execute.NewBits(shape.Sites), execute.NewBits(shape.Mutants + 1)}
	}
	add := func(to *caseProbe, at int) {
		if at < shape.Sites {
			to.reached.Set(at)
		} else if at -= shape.Sites; at <= shape.Mutants {
			to.infected.Set(at)
		}
	}
	size := 8 + (max(shape.Size, 1)+7)/8
	if len(answer.Cases) == 0 || len(answer.Cases)%size != 0 {
		return nil
	}
	for note := range slices.Chunk(answer.Cases, size) {
		printed := int64(binary.LittleEndian.Uint64(note))
		of := out // of every case
		if printed != -1 {
			if printed < -1 { // the end of a process: what it did belongs to the next line
				printed = -2 - printed + 1
			}
			k, _ := slices.BinarySearchFunc(cases, printed, func(name string, printed int64) int { return cmp.Compare(ends[name], printed) })
			of = out[k : k+1]
		}
		for at, bits := range note[8:] {
			for bit := 0; bits != 0; bits, bit = bits>>1, bit+1 {
				if bits&1 != 0 {
					for k := range of {
						add(&of[k], 8*at+bit)
					}
				}
			}
		}
	}
	for _, process := range seen.sites {
		for at, state := range process[:shape.Sites+shape.Mutants+1] {
			if state != 0 {
				for k := range out {
					add(&out[k], at)
				}
			}
		}
	}
	// A test that prints all results when everything is done does not say what is whose.
	if !slices.ContainsFunc(out[1:], func(p caseProbe) bool { return p.reached.Count() > 0 }) {
		return nil
	}
	// A probing build notes the first infection of a mutant and no other, so that a later case may infect it as well.
	for k := 1; k < len(out); k++ {
		for word, before := range out[k-1].infected {
			out[k].infected[word] |= before
		}
	}
	return slices.Concat(out[len(cases):], out[:len(cases)])
}

// caseFails reports a run of a test in which fewer cases pass than do of the original.
func (e *Engine) caseFails(test int, r *reply) bool {
	return len(e.tests[test].Cases) > 0 && len(readResults(r).passed) < e.passing[test]
}

// blame says which cases of a test a run that is not the original's fails, and of which nothing is known; silent are those
// that do not count. It blames none where the run lost its lines, or where all cases pass: then it is the test that fails.
func blame(cases []string, silent map[string]bool, r *reply) (failed, unknown []int) {
	said := readResults(r)
	passed := map[string]bool{}
	maps.Copy(passed, silent)
	for _, name := range said.passed {
		passed[name] = true
	}
	last := -1 // the last that passed
	for k, name := range cases {
		if passed[name] && !silent[name] {
			last = k
		}
	}
	early := r.TimedOut || r.Signal != 0 || r.Status > 128 // a shell's word for a signal
	if last < 0 && len(said.failed) == 0 && early && r.Stdout.Length == 0 {
		for k := range cases {
			unknown = append(unknown, k)
		}
		return nil, unknown
	}
	var open []int
	for k, name := range cases {
		switch {
		case passed[name]:
		case k < last || said.failed[name]:
			failed = append(failed, k)
		default:
			open = append(open, k)
		}
	}
	// The run ended in the first case after the last that says something, unless that one said that it failed.
	if len(open) > 0 && !slices.ContainsFunc(failed, func(k int) bool { return k > last }) {
		failed, open = append(failed, open[0]), open[1:]
	}
	return failed, open
}

// spread gives the verdict on a test to its columns: cell is that of the test, and first the column of its first case.
// Where cases say why the test fails, the test's own column, which is of what they do not say, survives.
func (e *Engine) spread(r *reply, cell execute.Cell, first int) []execute.Cell {
	cases := e.tests[cell.Test].Cases
	if len(cases) == 0 || cell.Verdict == execute.Survived {
		return []execute.Cell{cell}
	}
	at := func(k int, verdict execute.Verdict) execute.Cell {
		out := cell
		out.Test, out.Verdict = int32(first+k), verdict
		if verdict == execute.Unknown && cell.Verdict == execute.Killed {
			out.Cause, out.Status, out.Work = execute.CauseStopped, 0, -1
		}
		return out
	}
	var out []execute.Cell
	if cell.Verdict == execute.Unknown {
		out = append(out, cell)
		for k := range cases {
			out = append(out, at(k, execute.Unknown))
		}
		return out
	}
	failed, unknown := blame(cases, e.silent[cell.Test], r)
	if len(failed) == 0 {
		out = append(out, cell)
	}
	for _, k := range failed {
		out = append(out, at(k, execute.Killed))
	}
	for _, k := range unknown {
		out = append(out, at(k, execute.Unknown))
	}
	return out
}
