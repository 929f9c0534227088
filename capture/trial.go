package capture

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/winnow-mutants/winnow/capture/note"
)

// try runs every test once, one after the other, while there is time, and sees how
// it ends and which products it opens. Recipes that were parted wrongly are put together again.
func (s *session) try(ctx context.Context) error {
	s.begin("tests", "")
	if err := os.MkdirAll(filepath.Join(s.capture.Work, trialDir), 0o755); err != nil {
		return err
	}
	end := time.Now().Add(s.opts.TestTime)
	for i := range s.tests {
		if err := s.tryOne(ctx, &s.tests[i], i, end); err != nil {
			return err
		}
	}
	if err := s.repair(ctx, end); err != nil {
		return err
	}
	if err := s.tidy(); err != nil {
		return err
	}
	bare := slices.ContainsFunc(s.tests, func(t Test) bool { return t.Bare })
	for i := range s.tests {
		t := &s.tests[i]
		t.Bare = t.Bare || bare && t.Outcome == NotRun
		t.Failing = t.Outcome == Failed
		if t.Outcome == NotRun || t.Outcome == Late || !watches {
			t.Watched = false
			t.Reaches = slices.Compact(slices.Sorted(slices.Values(append(t.Reaches, s.named(t)...))))
		}
	}
	s.capture.Tests = s.tests
	s.capture.noteBare()
	return nil
}

// tidy removes what lines of recipes have left, so that none finds what another wrote.
func (s *session) tidy() error {
	for _, path := range s.left() {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// tryOne runs one test.
func (s *session) tryOne(ctx context.Context, t *Test, number int, end time.Time) error {
	rest := time.Until(end)
	if rest <= 0 {
		return nil
	}
	if err := s.tidy(); err != nil {
		return err
	}
	rest = max(rest/2, time.Second) // one slow test leaves time for the others
	if t.Seconds > 0 {
		rest = min(rest, time.Duration(t.Seconds*float64(time.Second)))
	}
	t.Bare = s.bare != ""
	if err := s.tryIn(ctx, t, number, rest); err != nil {
		return err
	}
	started := slices.Contains(t.Reaches, s.bare) // by the stand-in
	t.Bare = started && (t.Outcome == Passed || t.Outcome == Late)
	t.Reaches = slices.DeleteFunc(t.Reaches, func(path string) bool { return path == s.bare })
	if started && !t.Bare { // it looks at what valgrind says
		return s.tryIn(ctx, t, number, rest)
	}
	return nil
}

// tryIn runs one test in so much time.
func (s *session) tryIn(ctx context.Context, t *Test, number int, limit time.Duration) error {
	seen := s.watch()
	out := filepath.Join(s.capture.Work, trialDir, strconv.Itoa(number)+".out")
	done, err := s.run(ctx, job{step: "tests", dir: s.capture.Path(t.Dir), argv: s.capture.Expand(t.Argv...),
		env: s.capture.Environment(t, os.Getenv("PATH")), plain: true, out: out, time: limit})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.Reaches, t.Watched = seen()
	t.Took = done.elapsed.Seconds()
	switch {
	case err != nil:
		t.Outcome, t.Said = Failed, firstLine(err) // the command is not there
	case done.late:
		t.Outcome = Late
	default:
		if t.Outcome = t.outcome(done.status); t.Outcome == Failed {
			t.Said = s.plain(saidLast(readText(out)))
		}
	}
	return nil
}

// mostSaid bounds what is told of a test that fails, in characters.
const mostSaid = 100

// saidLast is the line of an output by which a failure is known: make's reason, or the last that says something; ""
// where it draws on a terminal.
func saidLast(output string) string {
	line := lastLines(output, 1)
	if makeFailed.MatchString(line) {
		line = causeOf(output)
	}
	line = strings.TrimPrefix(strings.TrimSpace(line), "winnow: ") // of the kit, which starts programs
	if strings.ContainsFunc(line, unicode.IsControl) {
		return ""
	}
	if said := []rune(line); len(said) > mostSaid {
		return string(said[:mostSaid-1]) + "…"
	}
	return line
}

// repair puts recipes together again of which a part fails alone that passed as part
// of the target: first the lines of the target, then, if need be, the target of make
// itself.
func (s *session) repair(ctx context.Context, end time.Time) error {
	for group := 1; group <= len(s.recipes); group++ {
		if !s.parted(group) {
			continue
		}
		whole := s.merged(group)
		if err := s.tryOne(ctx, &whole, len(s.tests)+group, end); err != nil {
			return err
		}
		if whole.Outcome == Failed {
			r := s.recipes[group-1]
			whole = s.finish(Test{Name: whole.Name, From: "target", Dir: s.capture.relative(r.lines[0].Dir), Argv: []string{"make", r.target}, group: group})
			if err := s.tryOne(ctx, &whole, len(s.tests)+group, end); err != nil {
				return err
			}
		}
		first := slices.IndexFunc(s.tests, func(t Test) bool { return t.group == group })
		s.tests = slices.DeleteFunc(s.tests, func(t Test) bool { return t.group == group })
		s.tests = slices.Insert(s.tests, first, whole)
	}
	distinct(s.tests)
	return nil
}

// parted says whether a test of a recipe fails though all its lines have passed.
func (s *session) parted(group int) bool {
	passed := !slices.ContainsFunc(s.recipes[group-1].lines, func(e *note.Entry) bool { return e.Status != 0 })
	return passed && slices.ContainsFunc(s.tests, func(t Test) bool { return t.group == group && t.Outcome == Failed })
}

// watch has the products watched; the function that it returns says which were opened since, which
// running a program and loading a library do, and whether those are all: none has been made again
// meanwhile, whose new file nobody watches.
func (s *session) watch() func() (opened []string, all bool) {
	paths, before := map[string]string{}, map[string]os.FileInfo{}
	for _, p := range s.capture.Products {
		if !p.Gone {
			for _, path := range append([]string{p.Path}, p.Copies...) {
				file := s.capture.Path(path)
				paths[file] = p.Path
				if info, err := os.Stat(file); err == nil {
					before[file] = info
				}
			}
		}
	}
	products := slices.Collect(maps.Keys(paths))
	if s.bare != "" {
		paths[s.bare] = s.bare
	}
	seen, watched := watchOpens(paths)
	return func() ([]string, bool) {
		all := watched
		for _, file := range products {
			info, err := os.Stat(file)
			all = all && err == nil && before[file] != nil && os.SameFile(before[file], info) && before[file].ModTime().Equal(info.ModTime())
		}
		return slices.Compact(slices.Sorted(slices.Values(seen()))), all
	}
}

// named are products that a test's command names, or a script that it runs, or a file
// that this reads: the second best, for tests that were not run.
func (s *session) named(t *Test) []string {
	var text strings.Builder
	seen := map[string]bool{}
	var look func(dir string, words []string, depth int)
	look = func(dir string, words []string, depth int) {
		for _, word := range words {
			text.WriteString(word + "\n")
			for _, path := range []string{inFolder(dir, word), filepath.Join(dir, filepath.Base(word))} {
				info, err := os.Stat(path)
				if depth > 2 || seen[path] || err != nil || !info.Mode().IsRegular() || info.Size() > 1<<18 || s.capture.Product(s.capture.relative(path)) != nil {
					continue
				}
				seen[path] = true
				var inner []string
				for _, w := range shellWords(readText(path)) {
					inner = append(inner, w.text)
				}
				look(filepath.Dir(path), inner, depth+1)
			}
		}
	}
	look(s.capture.Path(t.Dir), s.capture.Expand(slices.Concat(t.Argv, t.Env)...), 0)
	var out []string
	for _, p := range s.capture.Products {
		name := strings.TrimPrefix(filepath.Base(p.Path), "lt-")
		if !p.Gone && p.Kind == "program" && regexp.MustCompile(`(^|[^\w.-])`+regexp.QuoteMeta(name)+`($|[^\w-])`).MatchString(text.String()) {
			out = append(out, p.Path)
		}
	}
	slices.Sort(out)
	return out
}
