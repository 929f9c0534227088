// Package scope says which mutants of a program are asked for: those in the
// files, functions and lines that the user named, on the lines that a change
// touched, and not those that the source itself suppresses.
//
// A Scope is built once from Options (New), told the source of each file
// (AddSource), and then asked about each mutant (Decide). The criteria are
// joined by "and"; the values of one criterion by "or". Decide is a pure
// function of the mutant, so the answer depends on no order and no worker.
//
// A comment suppresses mutants, and must say why:
//
//	if (n > LIMIT)                // winnow:ignore a larger table is only slower
//	/* winnow:ignore[relational] both sides are equal here */
//	while (low < high)
//	// winnow:ignore-function generated code
//	static int next_state(int state) {
//
// The first form is for the line that it ends, the second for the line of the
// code that follows, the third for a function: directly before its definition,
// in its header or on the line of its opening brace. Brackets limit a
// suppression to operators ("relational"), or to mutants of a type ("LT!LE").
// Suppressed mutants are counted with their reasons (Summary).
package scope

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant"
)

// Options are what a user asks for. The zero value asks for everything.
type Options struct {
	// Config is a scope file of Mart: {"Source-Files":[…],"Functions":[…]}.
	Config string
	// Files are paths and globs of source files. A relative pattern matches
	// whole trailing parts of a path: "list.c", "src/*.c", "src/**".
	Files []string
	// Functions are names and globs of functions.
	Functions []string
	// Except, when not nil, says which functions of the rest are left out, by their files.
	Except func(file, function string) bool
	// Lines are "FILE:10-20,35", FILE as in Files, or "10-20" for the only
	// input.
	Lines []string
	// Diff is a file with a unified diff, or a git revision that the working
	// tree is compared with; "" for none.
	Diff string
	// Folder is where git runs and where a diff's paths are looked for; "" is
	// that of the first input, or the current folder.
	Folder string
	// Inputs are the program's files; Lines without a file need exactly one.
	Inputs []string
}

// Scope decides which mutants are asked for. It is safe for concurrent use
// once built.
type Scope struct {
	files, functions []filter
	except           func(file, function string) bool
	lines            []lineRange
	diff             *Diff
	diffName         string
	suppressions     []*Suppression
}

// filter is one criterion over names: a mutant passes that one pattern matches.
type filter struct {
	source   string // what asked for it, for messages: "--files"
	patterns []pattern
}

// Criterion says what left a mutant out.
type Criterion string

// The criteria, in the order in which they are applied.
const (
	Kept       Criterion = ""
	ByFile     Criterion = "file"
	ByFunction Criterion = "function"
	ByLine     Criterion = "line"
	ByDiff     Criterion = "diff"
	BySource   Criterion = "suppressed"
)

// New reads what Options name. Errors carry exit codes: Usage for a malformed
// value, Input for a file or revision that cannot be read, Tool for a missing
// git.
func New(ctx context.Context, o Options) (*Scope, error) {
	s := &Scope{diffName: o.Diff, except: o.Except}
	if o.Config != "" {
		c, err := ReadConfig(o.Config)
		if err != nil {
			return nil, err
		}
		if err := s.filterBy(o.Config, c.SourceFiles, c.Functions); err != nil {
			return nil, err
		}
	}
	if err := s.filterBy("", o.Files, o.Functions); err != nil {
		return nil, err
	}
	for _, text := range o.Lines {
		ranges, err := parseLines(text, o.Inputs)
		if err != nil {
			return nil, err
		}
		s.lines = append(s.lines, ranges...)
	}
	var err error
	s.diff, err = o.Change(ctx)
	return s, err
}

// Change is the change that Options.Diff names; nil where it names none.
func (o Options) Change(ctx context.Context) (*Diff, error) {
	if o.Diff == "" {
		return nil, nil
	}
	return readDiff(ctx, o.Diff, o.folders())
}

// filterBy adds filters by file and function; source is the scope file, or ""
// for flags.
func (s *Scope) filterBy(source string, files, functions []string) error {
	add := func(to *[]filter, flag string, texts []string) error {
		if len(texts) == 0 {
			return nil
		}
		f := filter{source: source}
		if source == "" {
			f.source = flag
		}
		for _, text := range texts {
			p, err := parsePattern(text)
			if err != nil {
				return exit.Usagef("%s: %v", f.source, err)
			}
			f.patterns = append(f.patterns, p)
		}
		*to = append(*to, f)
		return nil
	}
	if err := add(&s.files, "the files asked for", files); err != nil {
		return err
	}
	return add(&s.functions, "the functions asked for", functions)
}

// Decision is what a scope says of one mutant.
type Decision struct {
	// By is the first criterion that leaves the mutant out; Kept for none.
	By Criterion
	// Why is a phrase for users, "" for a mutant that is kept. For a
	// suppressed mutant it is the reason given in the source.
	Why string
	// Suppression is the comment that suppresses the mutant, or nil.
	Suppression *Suppression
}

// Keep reports whether the mutant is asked for.
func (d Decision) Keep() bool { return d.By == Kept }

// Decide says whether a mutant is in the scope.
func (s *Scope) Decide(m *mutant.Mutant) Decision {
	file := cleanPath(m.File)
	for _, f := range s.files {
		if !slices.ContainsFunc(f.patterns, func(p pattern) bool { return p.matchesPath(file) }) {
			return Decision{By: ByFile, Why: fmt.Sprintf("%s is not among %s", orUnknown(file), f.source)}
		}
	}
	for _, f := range s.functions {
		if !slices.ContainsFunc(f.patterns, func(p pattern) bool { return p.matchesName(m.Function) }) {
			return Decision{By: ByFunction, Why: fmt.Sprintf("%s is not among %s", m.Function, f.source)}
		}
	}
	if s.except != nil && s.except(file, m.Function) {
		return Decision{By: ByFunction, Why: m.Function + " is left out"}
	}
	if s.lines != nil && !slices.ContainsFunc(s.lines, func(r lineRange) bool { return r.contains(file, m.Line) }) {
		return Decision{By: ByLine, Why: fmt.Sprintf("line %d is not among the lines asked for", m.Line)}
	}
	if s.diff != nil && !s.diff.Touches(file, m.Line) {
		return Decision{By: ByDiff, Why: "the change did not touch the line"}
	}
	for _, suppression := range s.suppressions {
		if suppression.covers(m, file) {
			return Decision{By: BySource, Why: suppression.Reason, Suppression: suppression}
		}
	}
	return Decision{}
}

func orUnknown(file string) string {
	if file == "" || file == "." {
		return "code without a place in the source"
	}
	return file
}

// Summary counts what a scope left out.
type Summary struct {
	// Total is how many mutants there were, Kept how many are asked for.
	Total, Kept int
	// Out counts the mutants left out, by the first criterion that did.
	Out map[Criterion]int
	// Suppressed are the suppressions of the source, each with how many
	// mutants it suppressed; those with none are out of use.
	Suppressed []Suppressed
}

// Suppressed is a suppression with its effect.
type Suppressed struct {
	Suppression
	Mutants int
}

// Apply returns the mutants that are asked for, in the same order and
// unchanged (their selectors and sites keep their numbers), and counts the
// others. It returns an error when none is left, which says what there is.
func (s *Scope) Apply(mutants []mutant.Mutant) ([]mutant.Mutant, Summary, error) {
	sum := Summary{Total: len(mutants), Out: map[Criterion]int{}}
	counts := map[*Suppression]int{}
	var kept []mutant.Mutant
	for i := range mutants {
		d := s.Decide(&mutants[i])
		if d.Keep() {
			kept = append(kept, mutants[i])
			continue
		}
		sum.Out[d.By]++
		counts[d.Suppression]++
	}
	sum.Kept = len(kept)
	for _, suppression := range s.suppressions {
		sum.Suppressed = append(sum.Suppressed, Suppressed{*suppression, counts[suppression]})
	}
	return kept, sum, s.Validate(mutants)
}

// Validate returns an error when mutants exist and none is in the scope. The
// error names the criterion that left out the last of them and lists what
// there is to name.
func (s *Scope) Validate(mutants []mutant.Mutant) error {
	w := s.Watch()
	for i := range mutants {
		if w.Decide(&mutants[i]).Keep() {
			return nil
		}
	}
	return w.Err()
}

// Watch decides on mutants that come one by one, and knows in the end whether any
// was asked for. It is for one goroutine.
type Watch struct {
	scope *Scope
	total int
	kept  bool
	// there lists, by criterion, what the mutants that it left out could be named
	// by.
	there map[Criterion]map[string]bool
}

// Watch returns a watch that has seen no mutant.
func (s *Scope) Watch() *Watch { return &Watch{scope: s, there: map[Criterion]map[string]bool{}} }

// Decide is the scope's.
func (w *Watch) Decide(m *mutant.Mutant) Decision {
	d := w.scope.Decide(m)
	w.total++
	switch {
	case w.kept:
	case d.Keep():
		w.kept, w.there = true, nil
	default:
		if w.there[d.By] == nil {
			w.there[d.By] = map[string]bool{}
		}
		w.there[d.By][nameFor(d, m)] = true
	}
	return d
}

// Err is what Validate says of all mutants that were decided on.
func (w *Watch) Err() error {
	if w.total == 0 || w.kept {
		return nil
	}
	deepest := ByFile
	for _, by := range []Criterion{ByFunction, ByLine, ByDiff, BySource} {
		if w.there[by] != nil {
			deepest = by
		}
	}
	there := sortedByPlace(w.there[deepest])
	if deepest == ByDiff {
		there = w.scope.diff.summary()
	}
	return &EmptyError{By: deepest, There: there, Total: w.total}
}

// nameFor is what a mutant that a criterion left out could be named by.
func nameFor(d Decision, m *mutant.Mutant) string {
	switch d.By {
	case ByFile:
		return orUnknown(cleanPath(m.File))
	case ByFunction:
		return m.Function
	case BySource:
		return d.Suppression.String()
	}
	return fmt.Sprintf("%s:%d", cleanPath(m.File), m.Line)
}

// EmptyError says that no mutant is in the scope.
type EmptyError struct {
	// By is the criterion that the last mutants failed.
	By Criterion
	// There lists what the criterion could name, sorted.
	There []string
	// Total is how many mutants the program has.
	Total int
}

// maxListed bounds what a message lists.
const maxListed = 20

func (e *EmptyError) Error() string {
	head := fmt.Sprintf("none of the %d mutants is in the scope", e.Total)
	listed := e.There[:min(len(e.There), maxListed)]
	there := strings.Join(listed, ", ")
	if more := len(e.There) - len(listed); more > 0 {
		there += fmt.Sprintf(" and %d more", more)
	}
	switch e.By {
	case ByFile:
		return head + ": no such file; there are mutants in " + there
	case ByFunction:
		return head + ": no such function; there are mutants in " + there
	case ByLine:
		return head + ": no mutant on these lines; there are mutants on " + there
	case ByDiff:
		return head + ": the change touches no line with a mutant; it touches " + there
	}
	return head + ": the source suppresses all of them: " + there
}

// ExitCode is the status that a command ends with.
func (e *EmptyError) ExitCode() exit.Code { return exit.Input }

// Hint says what to do.
func (e *EmptyError) Hint() string { return "widen the scope, or name what there is" }
