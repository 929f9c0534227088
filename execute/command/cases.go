package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
