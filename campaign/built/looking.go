package built

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// Looking. Of many projects the tests run less than half of the code. A run that has not time
// for all mutants would spend it on code that no test comes to, of which a list of lines says as
// much as a thousand survivors do. So it looks first which lines the tests run: a build with one
// mutant a line, which ends the program there, none of them compared or run, on which each test runs once. Rounds then take up
// sources with such lines first, and spread most mutants over these lines alone.

const (
	// lookShare of the time that there is looking may take, as long as tests take less.
	lookShare = 4
	// lookBytes a second of that time are how much C is looked at.
	lookBytes = 40_000
)

// looked is what the tests run, as far as that was looked at.
type looked struct {
	// sources are those looked at, by path, with the share of their lines that tests run.
	sources map[string]float64
	lines
	// copies are the lines of sources that a test program takes in as text, as that runs them (variantName).
	copies map[string]*lines
	// spare are the variants of which the tests run nothing, where they run another variant of the
	// source that has all of their lines (variantName): their mutants are the other's, and none is run.
	spare map[string]bool
}

// lines are those of some code.
type lines struct {
	// run has those that begin statements; true where a test runs one of them.
	run map[place]bool
	// known are the numbers of these lines, by file, in order.
	known map[string][]int
}

type place struct {
	file string
	line int
}

// unreached reports whether it is known that no test runs a line. One that begins no statement,
// as the second line of a call, is run where one of the two beside it is that do. Of no lines nothing is known.
func (l *lines) unreached(file string, line int) bool {
	if l == nil {
		return false
	}
	if reached, known := l.run[place{file, line}]; known {
		return !reached
	}
	known := l.known[file]
	at, _ := slices.BinarySearch(known, line)
	return at > 0 && !l.run[place{file, known[at-1]}] && (at == len(known) || !l.run[place{file, known[at]}])
}

// sort fills known.
func (l *lines) sort() {
	l.known = map[string][]int{}
	for at := range l.run {
		l.known[at.file] = append(l.known[at.file], at.line)
	}
	for _, lines := range l.known {
		slices.Sort(lines)
	}
}

// rank orders sources: those of which tests run a good part, those of which they run some, those
// of which that is not known, those of which they run hardly anything, and the others. What is
// mutated of a source costs as much where tests run little of it.
func (l *looked) rank(source string) int {
	share, known := l.sources[source]
	switch {
	case l.sources == nil || share >= 1./2:
		return 0
	case share >= 1./8:
		return 1
	case !known:
		return 2
	case share > 0:
		return 3
	}
	return 4
}

// look finds out which lines the tests run. Of tests that take too long it counts what they have
// run by then; where they had not begun, or it cannot be found out, nothing is known, and the rounds do without.
func (r *recording) look(ctx context.Context, suite *suite) error {
	left := time.Until(r.opts.Until) / lookShare
	if suite.took > left {
		return nil
	}
	start := time.Now()
	done := r.during("looking which lines the tests run")
	defer done()
	found, all, err := r.lookAt(ctx, suite, r.sourcesOf(int64(left.Seconds()*lookBytes)), start.Add(left))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	done()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil // the first round says the same
	}
	reached := 0
	if err == nil {
		for _, is := range found.run {
			if is {
				reached++
			}
		}
	}
	took := time.Since(start).Seconds()
	if !all && reached == 0 {
		r.say("which lines the tests run was not found out in %.0f s", took)
		return nil
	}
	r.looked = *found
	r.stage("look", start)
	run := "the tests run"
	if !all {
		run = "the tests have not all ended, and run so far"
	}
	r.say("%s %d of %d lines; the others have one mutant a line at most (%.1f s)", run, reached, len(found.run), took)
	return nil
}

// sourcesOf is a size of as many sources as hold so many bytes, and of one at least.
func (r *recording) sourcesOf(bytes int64) size {
	sources := r.sources()
	for n, source := range sources {
		if info, err := os.Stat(r.build.Path(source)); err == nil { // what cannot be read costs nothing yet
			bytes -= info.Size()
		}
		if bytes < 0 {
			return size{files: max(1, n)}
		}
	}
	return size{files: len(sources)}
}

// lookAt looks at some of the sources until a moment. All says that each test had ended by then.
func (r *recording) lookAt(ctx context.Context, suite *suite, at size, until time.Time) (of *looked, all bool, err error) {
	limited, stop := context.WithDeadline(ctx, until)
	defer stop()
	one := r.round(at, nil)
	one.opts.Say = func(string) {}
	rules, err := rule.Parse("lines", []byte("STMT --> lines, TRAPSTMT;"))
	if err != nil {
		return nil, false, err
	}
	one.opts.Mutation.Rules, one.opts.Mutation.Most, one.opts.Mutation.PerLine, one.opts.Mutation.Unjudged = rules, 0, 1, true
	if one.variants, err = one.variantsOf(limited); err != nil {
		return nil, false, err
	}
	p, err := one.load(limited)
	if err != nil {
		return nil, false, err
	}
	objects, err := r.builder.MutantObjects(limited, p, "lines", build.Soon)
	if err != nil {
		return nil, false, err
	}
	base, err := one.original(limits{limited, ctx}, suite, p, objects, p.Sites, until)
	if err != nil {
		return nil, false, err
	}
	all = !slices.ContainsFunc(base.Tests, late)
	return linesOf(p, base, all), all, nil
}

// original runs the tests on the original, in a build of their own in which objects have the places
// of the project's: what they come to of so many sites, until a moment.
func (r *recording) original(l limits, suite *suite, p *program.Program, objects *build.Objects, sites int, until time.Time) (*execute.Baseline, error) {
	folder, err := r.layers()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	builds := command.Builds{Base: r.build.Work, Mutants: filepath.Join(folder, "original"), Sites: sites}
	if err := r.layer(l.preparing, p, builds.Mutants, objects); err != nil {
		return nil, err
	}
	engine, err := command.Start(l.running, builds, suite.tests, command.Options{Workers: r.opts.Workers, Until: until})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	base, err := engine.Original(l.running, suite.failing)
	if err != nil {
		return nil, fmt.Errorf("running the tests: %w", err)
	}
	return base, nil
}

// late says of a test that it had not ended when the time was up.
func late(t execute.TestBaseline) bool { return t.SetAside == command.NoTime }

// linesOf are the lines of a program's mutants, and which of them the tests come to. Where not all
// tests had ended, no variant is known to be spare.
func linesOf(p *program.Program, base *execute.Baseline, all bool) *looked {
	out := &looked{sources: map[string]float64{}, lines: lines{run: map[place]bool{}}, copies: map[string]*lines{}, spare: map[string]bool{}}
	reached := func(site int) bool {
		return slices.ContainsFunc(base.Tests, func(t execute.TestBaseline) bool {
			return (t.SetAside == "" || late(t)) && t.Reached.Has(site)
		})
	}
	runs, each := make([]int, len(p.Units)), make([]map[place]bool, len(p.Units))
	for k, u := range p.Units {
		mine := map[place]bool{}
		each[k] = mine
		for i := range u.Mutants {
			m := &u.Mutants[i]
			at, reached := place{m.File, m.Line}, reached(m.Site.Ordinal)
			mine[at] = mine[at] || reached
		}
		for at, reached := range mine {
			out.run[at] = out.run[at] || reached
			if reached {
				runs[k]++
			}
		}
		if u.Input.Only != nil && all {
			own := &lines{run: mine}
			own.sort()
			out.copies[variantName(u.Input)] = own
		}
		for source, share := range shares(u.Input.Path, mine) {
			out.sources[source] = max(out.sources[source], share)
		}
	}
	for k, u := range p.Units {
		for other, o := range p.Units {
			if all && runs[k] == 0 && runs[other] > 0 && o.Input.Path == u.Input.Path && holds(each[other], each[k]) {
				out.spare[variantName(u.Input)] = true
			}
		}
	}
	out.sort()
	return out
}

// shares are the shares of lines that are run: of all that a unit has, for its source, and of each file's.
func shares(source string, unit map[place]bool) map[string]float64 {
	run, all := map[string]int{}, map[string]int{source: 0}
	for at, is := range unit {
		names := []string{source}
		if at.file != source {
			names = append(names, at.file)
		}
		for _, name := range names {
			all[name]++
			if is {
				run[name]++
			}
		}
	}
	out := map[string]float64{}
	for name, count := range all {
		out[name] = float64(run[name]) / float64(max(1, count))
	}
	return out
}

// holds says whether all of some lines are among others.
func holds(all, some map[place]bool) bool {
	for at := range some {
		if _, is := all[at]; !is {
			return false
		}
	}
	return true
}

// asRun is a mutant for an engine.
func asRun(m *mutant.Mutant) execute.Mutant {
	return execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal}
}
