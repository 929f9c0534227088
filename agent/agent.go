// Package agent is what a coding agent that writes tests asks of winnow: the next gaps, all
// about one, whether a test tells it from the original, and a place to say what it found out.
//
// It works on a recorded run and the project that was run. A test that an agent brings is data,
// never a command: standard input and arguments for the project's own program, which runs under
// the limits of every mutant. The tests of a project with a build of its own are commands that
// the project names; those are run, and nothing that an agent says. What an agent marks goes to the
// run's feedback, from which models learn, with the agent's words.
//
// A hint is a test that winnow makes of the project's own, and that tells a mutant.
//
// server.go offers it by the Model Context Protocol; the same calls with the same JSON are
// made from the command line.
package agent

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report/findings"
)

// MostAtOnce bounds what Next lists: more is not read.
const MostAtOnce = 40

// Limits of a test that an agent brings.
const (
	MostInput    = 1 << 20 // bytes of standard input
	MostArgs     = 64
	MostFiles    = 8
	MostArgument = 1 << 12 // bytes
	MostNote     = 1 << 12
)

// Refused is the error of a request that is not carried out.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return r.Reason }

func refusef(format string, args ...any) error { return &Refused{fmt.Sprintf(format, args...)} }

// Session is one agent's work on one run. Its methods may be called at the same time; runs are
// made one after the other.
type Session struct {
	found *findings.Run
	dir   string // the run folder
	tools *clang.Toolchain
	of    *project.Case
	// project is the folder with winnow.toml; "" where only what was recorded can be asked.
	project string
	rules   *rule.Set
	// mutation is what made the mutants of the run, for tests on all of them.
	mutation program.Mutation
	tool     string

	running sync.Mutex // a run at a time
	built   *prepared  // nil until a test was tried
	ahead   sync.WaitGroup
	stop    context.CancelFunc // what Ahead started; nil is nothing
	mu      sync.Mutex
	hints   map[string]campaign.Distinguishing // by mutant
	settled map[string]string                  // mutants that need no more work, and why
	tried   int                                // checks since the last that told something new
	// again orders the mutants anew, given how many new tests each has survived (since); rank is
	// their places in that order, nil before the first.
	again func(ctx context.Context, since map[string]int) ([]string, error)
	since map[string]int
	rank  map[string]int
}

// Options are what a session works on.
type Options struct {
	// Run is the run folder.
	Run string
	// Project is the folder with winnow.toml; "" where only what was recorded can be asked.
	Project string
	// Rules are those that the run was made with; nil means the default ones.
	Rules *rule.Set
	// Mutation is what made its mutants, for Try.
	Mutation program.Mutation
	// Again orders the mutants of the run, by their ids, where since says how many tests that the
	// run does not know infect each and do not kill it; nil leaves them in the order of the findings.
	Again func(ctx context.Context, since map[string]int) ([]string, error)
	// Tool is the version of winnow, Tools run the compiler.
	Tool  string
	Tools *clang.Toolchain
}

// Open makes a session of a run's findings.
func Open(found *findings.Run, opts Options) (*Session, error) {
	dir, folder := opts.Run, opts.Project
	s := &Session{found: found, dir: dir, tools: opts.Tools, project: folder, rules: opts.Rules, mutation: opts.Mutation, tool: opts.Tool, settled: map[string]string{}, hints: map[string]campaign.Distinguishing{}, again: opts.Again, since: map[string]int{}}
	told, err := dataset.ReadFeedback(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range told {
		s.settled[f.Mutant] = string(f.Told)
	}
	if folder == "" {
		return s, nil
	}
	cases, err := project.CasesOf([]string{folder}, false)
	if err != nil {
		return nil, err
	}
	if s.of = &cases[0]; s.of.Program != found.Program {
		return nil, refusef("the run is of %s, and %s holds %s", found.Program, folder, s.of.Program)
	}
	return s, nil
}

// Card is a gap as an agent reads it.
type Card struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	// Status is what became of it; Why says so in words.
	Status string `json:"status"`
	Why    string `json:"why"`
	// Unprotected is what no test holds the code to.
	Unprotected string `json:"unprotected"`
	// Suggestion is what a test has to do.
	Suggestion string `json:"suggestion"`
	Alike      int    `json:"alike"`
	// UnitTest are statements of C that the original passes and the mutant fails; "" where none are known.
	UnitTest string   `json:"unit_test,omitempty"`
	PFault   *float64 `json:"predicted_fault_probability,omitempty"`
	PKill    *float64 `json:"predicted_kill_probability,omitempty"`
}

// List is what Next gives.
type List struct {
	Mutants []Card `json:"mutants"`
	// Left is how many gaps there are beside these.
	Left int `json:"left"`
	// Advice says when to stop.
	Advice string `json:"advice"`
}

// Next lists k gaps that nobody has settled: the best of each function before a function's
// second, and what tests reach before what none does.
func (s *Session) Next(k int) (*List, error) {
	if k < 1 || k > MostAtOnce {
		return nil, refusef("k is %d: want 1 to %d", k, MostAtOnce)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	type open struct {
		gap  findings.Gap
		turn int
	}
	var gaps []open
	turns := map[[3]string]int{}
	for _, g := range s.inOrder() {
		f := &s.found.Findings[g.Lead]
		if s.isSettled(g) {
			continue
		}
		of := [3]string{string(f.Status), f.File, f.Function}
		gaps = append(gaps, open{g, turns[of]})
		turns[of]++
	}
	late := func(o open) int {
		if s.found.Findings[o.gap.Lead].Status == findings.Unreached {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(gaps, func(a, b open) int { return cmp.Or(cmp.Compare(late(a), late(b)), cmp.Compare(a.turn, b.turn)) })
	out := &List{Mutants: []Card{}, Left: max(0, len(gaps)-k), Advice: s.advice(len(gaps))}
	for _, o := range gaps[:min(k, len(gaps))] {
		out.Mutants = append(out.Mutants, s.card(o.gap))
	}
	return out, nil
}

// inOrder are the gaps in the order in which to look at them, after the tests that were tried.
func (s *Session) inOrder() []findings.Gap {
	if s.rank == nil {
		return s.found.Gaps
	}
	best := func(g findings.Gap) int {
		rank := s.rank[s.found.Findings[g.Lead].ID]
		for _, i := range g.Alike {
			rank = min(rank, s.rank[s.found.Findings[i].ID])
		}
		return rank
	}
	gaps := slices.Clone(s.found.Gaps)
	slices.SortStableFunc(gaps, func(a, b findings.Gap) int { return cmp.Compare(best(a), best(b)) })
	return gaps
}

// Built says that the project's tests are programs of its own: no test can be typed in.
func (s *Session) Built() bool { return s.of != nil && s.of.Build != nil }

// isSettled says that the gap's lead, or one alike, was killed or marked: one test tells all.
func (s *Session) isSettled(g findings.Gap) bool {
	for _, i := range append([]int{g.Lead}, g.Alike...) {
		if _, ok := s.settled[s.found.Findings[i].ID]; ok {
			return true
		}
	}
	return false
}

// patience is after how many checks without a kill an agent is told to stop.
const patience = 10

func (s *Session) advice(open int) string {
	switch {
	case open == 0:
		return "No gap is left: stop."
	case s.tried >= patience:
		return fmt.Sprintf("The last %d checks killed nothing: mark what is equivalent or not worth a test, or stop.", s.tried)
	}
	return "Write one test for one gap, check it, and go on; change tests only, never the code and its tests together."
}

func (s *Session) card(g findings.Gap) Card {
	f := &s.found.Findings[g.Lead]
	c := Card{ID: f.ID, File: f.File, Line: f.Line, Function: f.Function, Operator: f.Operator, Original: f.Original, Replacement: f.Replacement,
		Status: string(f.Status), Why: f.Why, UnitTest: f.UnitTest, Alike: len(g.Alike), PFault: known(f.PFault), PKill: known(f.PKill)}
	c.Unprotected = fmt.Sprintf("%s in %s (line %d) could be %s, and every test would still pass", f.Original, f.Function, f.Line, f.Replacement)
	if f.Replacement == ";" {
		c.Unprotected = fmt.Sprintf("%s in %s (line %d) could be deleted, and every test would still pass", f.Original, f.Function, f.Line)
	}
	switch {
	case f.UnitTest != "":
		c.Suggestion = "make its unit test one of the project's, if what it asserts is right"
	case f.Status == findings.Unreached:
		c.Suggestion = fmt.Sprintf("first make a test run line %d of %s", f.Line, f.File)
	case f.Infected.Empty():
		c.Suggestion = "choose values for which the two differ: in no test so far do they"
	default:
		c.Suggestion = "the two differ in a test already: make that difference visible in what the test looks at"
	}
	return c
}

func known(p float64) *float64 {
	if math.IsNaN(p) {
		return nil
	}
	return &p
}

// Detail is all that is known of one mutant.
type Detail struct {
	Card
	Column   int      `json:"column"`
	Diff     string   `json:"diff,omitempty"`
	Settled  string   `json:"settled,omitempty"`
	Reached  []string `json:"reached"`
	Infected []string `json:"infected"`
	KilledBy []string `json:"killed_by"`
	AlikeIDs []string `json:"alike_ids,omitempty"`
}

// Show is all about the mutant with an id, or the only one whose id begins so.
func (s *Session) Show(id string) (*Detail, error) {
	i, err := s.find(id)
	if err != nil {
		return nil, err
	}
	f := &s.found.Findings[i]
	g := findings.Gap{Lead: i}
	if f.Gap >= 0 {
		for _, k := range append([]int{s.found.Gaps[f.Gap].Lead}, s.found.Gaps[f.Gap].Alike...) {
			if k != i {
				g.Alike = append(g.Alike, k)
			}
		}
	}
	out := &Detail{Card: s.card(g), Column: f.Column, Diff: s.found.Diff(f), Reached: s.tests(f.Reached), Infected: s.tests(f.Infected), KilledBy: s.tests(f.KilledBy)}
	if f.Status != findings.Survived && f.Status != findings.Unreached {
		out.Unprotected, out.Suggestion = "", ""
	}
	for _, k := range g.Alike {
		out.AlikeIDs = append(out.AlikeIDs, s.found.Findings[k].ID)
	}
	s.mu.Lock()
	out.Settled = s.settled[f.ID]
	s.mu.Unlock()
	return out, nil
}

// tests names the tests of a set, which mutants that were not run lack.
func (s *Session) tests(set matrix.Bits) []string {
	out := []string{}
	if set.Empty() {
		return out
	}
	for t := range set.All() {
		out = append(out, s.found.Tests[t])
	}
	return out
}

func (s *Session) find(id string) (int, error) {
	if id == "" || len(id) > 64 {
		return 0, refusef("an id is 12 hexadecimal digits, or their beginning")
	}
	ids := make([]string, len(s.found.Findings))
	for k := range ids {
		ids[k] = s.found.Findings[k].ID
	}
	at, other := mutant.Find(ids, id)
	switch {
	case other >= 0:
		return 0, refusef("%s is the beginning of several ids", id)
	case at < 0:
		return 0, refusef("no mutant of the run has the id %q", id)
	}
	return at, nil
}

// Marks are what Mark takes.
func Marks() []string {
	return []string{string(dataset.ToldEquivalent), string(dataset.ToldWorthless), "simplify"}
}

// Mark notes that a mutant needs no test: that none can tell it (equivalent), that it is not
// worth one (worthless), or that the code is to be simplified instead. The reason is kept.
func (s *Session) Mark(id, as, reason string) (*Detail, error) {
	i, err := s.find(id)
	if err != nil {
		return nil, err
	}
	reason = strings.TrimSpace(reason)
	if !slices.Contains(Marks(), as) {
		return nil, refusef("a mutant is marked %s, not %q", strings.Join(Marks(), ", "), as)
	}
	if reason == "" || len(reason) > MostNote {
		return nil, refusef("say why, in at most %d bytes", MostNote)
	}
	told := dataset.Told(as)
	if as == "simplify" { // the code is what is wrong, so that no test is
		told, reason = dataset.ToldWorthless, "simplify the code: "+reason
	}
	f := &s.found.Findings[i]
	if err := dataset.AppendFeedback(s.dir, dataset.Feedback{Mutant: f.ID, Told: told, Note: reason, Time: time.Now().UTC().Truncate(time.Second)}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.settled[f.ID] = as
	s.mu.Unlock()
	return s.Show(f.ID)
}

// Test is a test as data: what the program is given.
type Test struct {
	Name  string        `json:"name,omitempty" jsonschema:"a name for the test"`
	Input string        `json:"input,omitempty" jsonschema:"the program's standard input"`
	Args  []string      `json:"args,omitempty" jsonschema:"the program's arguments; they are data, no shell reads them"`
	Files []inputs.File `json:"files,omitempty" jsonschema:"files in the folder in which the program runs, each with a name and a text"`
}

func (t *Test) check() error {
	switch {
	case len(t.Input) > MostInput:
		return refusef("the input has %d bytes: %d are the most", len(t.Input), MostInput)
	case len(t.Args) > MostArgs:
		return refusef("%d arguments: %d are the most", len(t.Args), MostArgs)
	case len(t.Name) > 200 || strings.ContainsAny(t.Name, "/\x00\n"):
		return refusef("a test's name is a line without slashes, of at most 200 bytes")
	}
	if len(t.Files) > MostFiles {
		return refusef("%d files: %d are the most", len(t.Files), MostFiles)
	}
	for k, f := range t.Files {
		switch {
		case len(f.Text) > MostInput:
			return refusef("a file has %d bytes: %d are the most", len(f.Text), MostInput)
		case f.Name == "." || !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, "/\\\x00\n"):
			return refusef("%q is no name of a file in the folder of a run", f.Name)
		case slices.ContainsFunc(t.Files[:k], func(other inputs.File) bool { return other.Name == f.Name }):
			return refusef("two files are called %s", f.Name)
		}
	}
	for _, a := range t.Args {
		if len(a) > MostArgument || strings.ContainsRune(a, 0) {
			return refusef("an argument has %d bytes, or a zero byte: %d are the most, and it has none", len(a), MostArgument)
		}
	}
	return nil
}

// asTest is the test for the engine.
func (t *Test) asTest() execute.Test {
	out := execute.Test{Name: cmp.Or(t.Name, "check"), Text: []byte(t.Input), Args: t.Args}
	for _, f := range t.Files {
		out.Files = append(out.Files, execute.File{Name: f.Name, Text: f.Text})
	}
	return out
}

// errNoProject says that nothing can be run.
var errNoProject error = &Refused{"no project was named, so that nothing can be run: start winnow with one"}

// runs says whether runs can be made.
func (s *Session) runs(ctx context.Context) error {
	if s.of == nil {
		return errNoProject
	}
	return ctx.Err()
}
