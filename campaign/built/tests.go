package built

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/report"
)

// suite is the project's tests, and which of them say nothing.
type suite struct {
	tests   []command.Test
	failing []*command.Failing
	took    time.Duration // to run them before any mutant
}

// short is what a suite takes, as often as it is run before any mutant, of which most goes into
// starting processes: optimising what these run would cost more than it saves.
const short = 2 * time.Second

// how says how far the mutants are to be optimised for such tests.
func (s *suite) how() build.Optimizing {
	if s.took < short {
		return build.Soon
	}
	return build.Fast
}

// failingShown is how many tests that fail alike are told of as they are found.
const failingShown = 3

// tests runs the project's tests on what its build made.
func (r *recording) tests(ctx context.Context) (*suite, error) {
	start := time.Now()
	s := &suite{tests: r.commands()}
	if len(s.tests) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: the project has no tests that could be found", r.build.Subject.Name), "")
	}
	if left := len(r.build.Tests) - len(s.tests); left > 0 {
		r.say("%d of %s run other programs than what is mutated, and are left out", left, report.Tests(len(r.build.Tests)))
	}
	engine, err := command.Start(ctx, command.Builds{Base: r.build.Work}, s.tests, command.Options{Workers: r.opts.Workers, Until: r.halfTime()})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	done := r.during(fmt.Sprintf("running %s of %s without any mutant", report.Tests(len(s.tests)), r.build.Subject.Name))
	defer done()
	same := map[string]int{}
	s.failing, err = engine.Check(ctx, func(test int, f *command.Failing) {
		if f == nil {
			return
		}
		why := f.Reason + lastLine(f.Output)
		switch same[why]++; {
		case same[why] < failingShown:
			r.say("test not used: %s: %s", s.tests[test].Name, why)
		case same[why] == failingShown:
			r.say("test not used: %s: %s; more of these are counted at the end", s.tests[test].Name, why)
		}
	})
	if err != nil {
		return nil, err
	}
	used := 0
	for t, f := range s.failing {
		if f == nil {
			used++
			continue
		}
		r.summary.SetAside = append(r.summary.SetAside, s.tests[t].Name+": "+f.Reason)
	}
	if used == 0 && slices.ContainsFunc(s.failing, func(f *command.Failing) bool { return f.Reason == command.Late }) {
		return nil, exit.New(exit.Timeout, fmt.Errorf("%s: %w", r.build.Subject.Name, ErrSlowTests), "")
	}
	if used == 0 {
		return nil, exit.New(exit.Baseline, fmt.Errorf("%s: none of its %d tests passes without any mutant; the first: %s", r.build.Subject.Name, len(s.tests),
			s.failing[0].Reason+lastLine(s.failing[0].Output)), "")
	}
	r.cased(s, engine.Cases(), engine.Statuses())
	r.tallied(s, engine.Tallies())
	s.took = time.Since(start)
	r.stage("tests", start)
	done()
	r.say("%d of %d tests can be used (%.1f s)", used, len(s.tests), time.Since(start).Seconds())
	return s, nil
}

// halfTime is when half of the time that is left is up; zero where there is no end.
func (r *recording) halfTime() time.Time {
	if r.opts.Until.IsZero() {
		return time.Time{}
	}
	return time.Now().Add(time.Until(r.opts.Until) / 2)
}

// tallied has what tests say of their failures compared, and says so.
func (r *recording) tallied(s *suite, tallies []string) {
	var names []string
	for t := range s.tests {
		if s.failing[t] == nil && tallies[t] != "" {
			s.tests[t].Tally = tallies[t]
			if len(s.tests[t].Cases) > 0 {
				continue // said of its cases, in other words
			}
			names = append(names, s.tests[t].Name)
		}
	}
	switch {
	case len(names) == 1:
		line, _, _ := strings.Cut(tallies[slices.IndexFunc(s.tests, func(t command.Test) bool { return t.Name == names[0] })], "\n")
		r.say("test %s prints %q where nothing fails: it is taken to fail where it does not say so, however it ends", names[0], line)
	case len(names) > 1:
		r.say("%d tests print that nothing failed: they are taken to fail where they do not say so, however they end", len(names))
	}
}

// cased has the cases compared of which tests print a line each, and says so. Of tests that fail as they are, statuses
// are how they end.
func (r *recording) cased(s *suite, cases [][]string, statuses []int) {
	var names, partly []string
	all := 0
	for t := range s.tests {
		if s.failing[t] == nil && len(cases[t]) > 0 {
			s.tests[t].Cases, s.tests[t].Status = cases[t], statuses[t]
			if statuses[t] != 0 {
				partly = append(partly, s.tests[t].Name)
			}
			names, all = append(names, s.tests[t].Name), all+len(cases[t])
		}
	}
	const meaning = "each is a test of its own, and where fewer pass, the test fails, however it ends"
	switch {
	case len(names) == 1:
		r.say("test %s prints a line for each of %d cases that pass: %s", names[0], all, meaning)
	case len(names) > 1:
		r.say("%d tests print a line for each of their cases that pass, %d in all: %s", len(names), all, meaning)
	}
	switch {
	case len(partly) == 1:
		r.say("test %s fails without any mutant: those of its cases that pass are used", partly[0])
	case len(partly) > 1:
		r.say("%d tests fail without any mutant: those of their cases that pass are used", len(partly))
	}
}

// commands are the tests.
func (r *recording) commands() []command.Test {
	var out []command.Test
	for _, t := range r.build.Concerned() {
		out = append(out, r.test(t))
	}
	return out
}

// test is a test of the capture as a command.
func (r *recording) test(t *capture.Test) command.Test {
	out := command.Test{Name: t.Name, Argv: r.build.Expand(t.Argv...), Dir: r.build.Path(t.Dir), Env: r.build.Environment(t, os.Getenv("PATH")), Fails: t.Fails, Skip: t.Skip,
		Compare: r.opts.Compare, Files: r.opts.Files}
	if len(t.After) == 0 {
		return out
	}
	// What has to be run before is run before, in the same place.
	var script strings.Builder
	for _, name := range t.After {
		for k := range r.build.Tests {
			if before := &r.build.Tests[k]; before.Name == name {
				fmt.Fprintf(&script, "(cd %s && %s) >/dev/null 2>&1\n", quoted(r.build.Path(before.Dir)), quoted(r.build.Expand(before.Argv...)...))
			}
		}
	}
	fmt.Fprintf(&script, "exec %s\n", quoted(out.Argv...))
	out.Argv = []string{"/bin/sh", "-c", script.String()}
	return out
}

// quoted are words for a shell.
func quoted(words ...string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(out, " ")
}

// lastLine is the last line that says something, for a message.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if line := strings.TrimSpace(lines[len(lines)-1]); line != "" {
		return " (" + line + ")"
	}
	return ""
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// absolute resolves the paths in flags as seen from the folder of the compiler, since
// the C text is also read by a parser that does not run there.
func absolute(dir string, flags []string) []string {
	out := make([]string, len(flags))
	copy(out, flags)
	for i, f := range flags {
		switch {
		case i > 0 && (flags[i-1] == "-I" || flags[i-1] == "-isystem" || flags[i-1] == "-iquote" || flags[i-1] == "-idirafter"):
			out[i] = below(dir, f)
		case strings.HasPrefix(f, "-I") && len(f) > 2:
			out[i] = "-I" + below(dir, f[2:])
		}
	}
	return out
}

func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
