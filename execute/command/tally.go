package command

import (
	"regexp"
	"strings"
)

// Many test programs count the checks that fail, print the number, and end with status 0 all the
// same: a person reads "Tests failed: 3", a machine that looks at the status does not. What such a
// program says of its failures is its verdict, too. So of a test that says when it passes that nothing
// failed, the lines that say so are compared beside how it ends. Other lines are not: what else
// a test prints need not be right or wrong.

var (
	// countsFailures finds a word for failures in a line that holds the number zero.
	countsFailures = regexp.MustCompile(`(?i)\b(?:fail(?:s|ed|ing|ures?)?|errors?)\b`)
	zero           = regexp.MustCompile(`\b0\b`)
	// allPassed finds "All 12 tests passed" and its like.
	allPassed = regexp.MustCompile(`(?i)\ball\b.*\b(?:pass(?:ed)?|ok|succeeded|successful(?:ly)?)\b`)
	// process is valgrind's name of the process that a line is about, another one in each run.
	process = regexp.MustCompile(`^==\d+== *`)
	// drawn are the sequences by which a terminal draws colours, and wipes a line.
	drawn = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)
)

// shown is what stands in a line at last: a program that counts as it goes on writes over what it wrote.
func shown(line string) string {
	over := strings.Split(drawn.ReplaceAllString(line, ""), "\r")
	for k := len(over) - 1; k >= 0; k-- {
		if text := strings.TrimSpace(over[k]); text != "" {
			return process.ReplaceAllString(text, "")
		}
	}
	return ""
}

// tally is the lines of what a test printed last that say that nothing failed; "" for none.
func tally(r *reply) string {
	var out []string
	for _, tail := range []string{r.Stdout.end(), r.Stderr.end()} {
		for _, line := range strings.Split(tail, "\n") {
			if line = shown(line); countsFailures.MatchString(line) && zero.MatchString(line) || allPassed.MatchString(line) {
				out = append(out, line)
			}
		}
	}
	return strings.Join(out, "\n")
}

// Tallies are, by test, what it said when Check or Original ran it last: of those that Check found
// fit to be used, what Test.Tally may be given. It is "" of tests that are compared otherwise.
func (e *Engine) Tallies() []string { return e.tallies }
