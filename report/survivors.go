package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Survivors is what the tests of a run did not notice, for the tester who is to
// write the next one. Mutants of one line that the same tests see in the same way stand
// together: a test for one of them is likely to tell the others, too.
type Survivors struct {
	Program string `json:"program"`
	Fault   string `json:"fault,omitempty"`
	Tests   int    `json:"tests"`
	Mutants int    `json:"mutants"`
	Killed  int    `json:"killed"`
	// Unknown mutants have no verdict: their runs could not be made, or there was no
	// time for them.
	Unknown int `json:"unknown"`
	// Equivalent mutants survive, and are proved to do so on every test.
	Equivalent int `json:"equivalent,omitempty"`
	// Survived counts the mutants below, Unreached those of them that no test executes.
	Survived  int                 `json:"survived"`
	Unreached int                 `json:"unreached"`
	Functions []FunctionSurvivors `json:"functions"`
}

// FunctionSurvivors is one function's, in the order of its lines.
type FunctionSurvivors struct {
	File      string     `json:"file"`
	Function  string     `json:"function"`
	Mutants   int        `json:"mutants"`
	Survived  int        `json:"survived"`
	Unreached int        `json:"unreached"`
	Groups    []Survivor `json:"survivors"`
}

// Change is a mutant as programs read it: its place, and what it makes of the C text.
type Change struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
}

// ComparePlaces orders changes by file, line and column, and those of one place by id.
func ComparePlaces(a, b Change) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.ID, b.ID))
}

// Survivor is a mutant that no test kills.
type Survivor struct {
	Change
	// IROnly changes have no C text that does the same.
	IROnly bool   `json:"ir_only,omitempty"`
	Diff   string `json:"diff,omitempty"`
	// Reached are the tests that execute the place, Infected those of them on which
	// the mutant may compute something else than the original.
	Reached  []string `json:"reached"`
	Infected []string `json:"infected"`
	// Told is what tells the mutant, and what it comes to: an input of the program, or a call of the
	// function, which the program may never make; "" where none is known. Given is the whole of the
	// input.
	Told string `json:"told,omitempty"`
	inputs.Given
	// Alike are the ids of the other survivors of the line that the same tests reach and
	// infect, and of the same change where the file is compiled with other flags. A group is shown by
	// one that an input or a call tells, if there is one.
	Alike []string `json:"alike,omitempty"`
}

// Why says in words how far the tests come.
func (s *Survivor) Why() string { return WhyAlive(len(s.Reached), len(s.Infected), s.Told) }

// WhyAlive says in words how far tests come that do not kill a mutant: how many run it, and
// in how many of them it may compute something else than the original, or what would tell it, if
// that is known.
func WhyAlive(reached, infected int, told string) string {
	switch {
	case told != "" && reached == 0:
		return "no test runs it; " + told
	case told != "":
		return "run by " + Tests(reached) + "; " + told
	case reached == 0:
		return "no test runs it"
	case infected == 0:
		return "run by " + Tests(reached) + ", never with values that make a difference"
	case infected == reached:
		return "run by " + Tests(reached) + ", and none notices"
	}
	return fmt.Sprintf("run by %s, makes a difference in %d, and none notices", Tests(reached), infected)
}

// Tests counts tests in words.
func Tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// NewSurvivors reads the survivors of a recorded run, which must hold mutants and kills.
func NewSurvivors(s *dataset.Subject) (*Survivors, error) {
	if s.Mutants == nil || s.Kills == nil {
		return nil, errors.New("the run holds no mutants, or no kills")
	}
	out := &Survivors{Program: s.Manifest.Program, Fault: s.Manifest.Fault, Tests: len(s.Kills.Tests()), Functions: []FunctionSurvivors{}}
	described := map[string]Survivor{}
	var order []string
	for row := range s.Mutants.Rows() {
		m := survivorOf(s.Mutants, row)
		described[m.ID] = m
		order = append(order, m.ID)
	}
	places := map[string]int{}
	for k, id := range s.Kills.Mutants() {
		places[id] = k
	}
	proved, examples := s.Proved(), s.Examples()
	functions := map[[2]string]*FunctionSurvivors{}
	groups := map[string]int{} // by function, line and tests: place among the function's
	for _, id := range order {
		k, run := places[id]
		if !run {
			continue
		}
		if _, ok := proved[id]; ok {
			out.Mutants++
			out.Equivalent++
			continue
		}
		m := described[id]
		m.Told, m.Given = examples[id].Reason, examples[id].Given
		of := [2]string{m.File, m.Function}
		f := functions[of]
		if f == nil {
			f = &FunctionSurvivors{File: m.File, Function: m.Function}
			functions[of] = f
		}
		f.Mutants++
		out.Mutants++
		switch s.Kills.Verdict(k) {
		case matrix.Killed:
			out.Killed++
		case matrix.Unknown:
			out.Unknown++
		default:
			f.add(m, s.Kills, k, groups)
		}
	}
	for _, f := range functions {
		out.Survived += f.Survived
		out.Unreached += f.Unreached
		if f.Survived > 0 {
			f.sort()
			out.Functions = append(out.Functions, *f)
		}
	}
	slices.SortFunc(out.Functions, func(a, b FunctionSurvivors) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Groups[0].Line, b.Groups[0].Line), strings.Compare(a.Function, b.Function))
	})
	return out, nil
}

// ChangeOf is a row of mutants.parquet (dataset.MutantsSchema).
func ChangeOf(t *table.Table, row int) Change {
	text := func(name string) string { return t.Value(row, t.Schema().Index(name)).(string) }
	number := func(name string) int { return int(t.Value(row, t.Schema().Index(name)).(int64)) }
	return Change{text("id"), text("file"), number("line"), number("column"), text("function"), text("operator"), text("original"), text("replacement")}
}

func survivorOf(t *table.Table, row int) Survivor {
	return Survivor{Change: ChangeOf(t, row), Diff: t.Value(row, t.Schema().Index("diff")).(string), IROnly: t.Value(row, t.Schema().Index("ir_only")).(bool)}
}

// add adds a survivor, to a group of its like if there is one.
func (f *FunctionSurvivors) add(m Survivor, kills *kill.Matrix, k int, groups map[string]int) {
	f.Survived++
	if kills.Reached(k).Empty() {
		f.Unreached++
	}
	key := fmt.Sprintf("%s\x00%s\x00%d\x00%s\x00%s", f.File, f.Function, m.Line, kills.Reached(k).Key(), kills.Infected(k).Key())
	// A file that is compiled with several sets of flags has a change once for each.
	text := fmt.Sprintf("%s\x00%s\x00%d\x00%d\x00%s\x00%s", f.File, f.Function, m.Line, m.Column, m.Original, m.Replacement)
	at, known := groups[key]
	if !known {
		at, known = groups[text]
	}
	if known {
		// The group is shown by one of which it is known what tells it.
		if g := &f.Groups[at]; g.Told == "" && m.Told != "" {
			m.Reached, m.Infected, m.Alike = g.Reached, g.Infected, append(g.Alike, g.ID)
			*g = m
		} else {
			g.Alike = append(g.Alike, m.ID)
		}
		return
	}
	m.Reached, m.Infected = names(kills, kills.Reached(k)), names(kills, kills.Infected(k))
	groups[key], groups[text] = len(f.Groups), len(f.Groups)
	f.Groups = append(f.Groups, m)
}

func names(kills *kill.Matrix, tests matrix.Bits) []string {
	out := []string{}
	for t := range tests.All() {
		out = append(out, kills.Tests()[t])
	}
	return out
}

// sort puts the groups in the order of their lines; on one line those come first that
// most tests come near to noticing.
func (f *FunctionSurvivors) sort() {
	slices.SortStableFunc(f.Groups, func(a, b Survivor) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(len(b.Infected), len(a.Infected)), cmp.Compare(len(b.Reached), len(a.Reached)))
	})
}

// SurvivorsOptions choose what WriteText shows.
type SurvivorsOptions struct {
	// Unreached also lists mutants in code that no test runs, one by one.
	Unreached bool
	// Most bounds the lines, 0 does not: some of each function, of those with many first,
	// and on them what tests come nearest to noticing.
	Most int
}

// WriteText writes the survivors for a terminal, function by function.
func (s *Survivors) WriteText(w io.Writer, opts SurvivorsOptions) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %d of %d mutants survive %s", s.name(), s.Survived, s.Mutants, Tests(s.Tests))
	if s.Unreached > 0 {
		fmt.Fprintf(&out, ", %d of them in code that no test runs", s.Unreached)
	}
	if s.Equivalent > 0 {
		fmt.Fprintf(&out, "; %d more no test can kill", s.Equivalent)
	}
	if s.Unknown > 0 {
		fmt.Fprintf(&out, "; %d have no verdict", s.Unknown)
	}
	out.WriteString("\n")
	chosen, hidden := s.chosen(opts)
	for i := range s.Functions {
		if opts.Most == 0 || len(chosen[i]) > 0 {
			s.Functions[i].writeText(&out, chosen[i], opts)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(&out, "\n… and %d lines more\n", hidden)
	}
	_, err := io.WriteString(w, out.String())
	if err != nil {
		return fmt.Errorf("writing the survivors: %w", err)
	}
	return nil
}

// chosen are the groups to list, by function, and how many are not. Where not all can be
// listed, functions take turns of a few lines.
func (s *Survivors) chosen(opts SurvivorsOptions) (chosen [][]Survivor, hidden int) {
	type candidate struct{ function, group, turn int }
	var all []candidate
	shown := make([][]Survivor, len(s.Functions))
	for i := range s.Functions {
		shown[i] = s.Functions[i].shown(opts)
		order := make([]int, len(shown[i]))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(shown[i][b].Infected), len(shown[i][a].Infected)) })
		for turn, k := range order {
			all = append(all, candidate{i, k, turn})
		}
	}
	if opts.Most == 0 || len(all) <= opts.Most {
		return shown, 0
	}
	const atOnce = 3
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.turn/atOnce, b.turn/atOnce), cmp.Compare(len(shown[b.function]), len(shown[a.function])))
	})
	hidden = len(all) - opts.Most
	all = all[:opts.Most]
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.function, b.function), cmp.Compare(a.group, b.group))
	})
	chosen = make([][]Survivor, len(s.Functions))
	for _, c := range all {
		chosen[c.function] = append(chosen[c.function], shown[c.function][c.group])
	}
	return chosen, hidden
}

func (s *Survivors) name() string {
	if s.Fault == "" {
		return s.Program
	}
	return s.Program + "/" + s.Fault
}

// shown are the groups that are listed one by one.
func (f *FunctionSurvivors) shown(opts SurvivorsOptions) []Survivor {
	var out []Survivor
	for _, m := range f.Groups {
		if opts.Unreached || len(m.Reached) > 0 {
			out = append(out, m)
		}
	}
	return out
}

func (f *FunctionSurvivors) writeText(out *strings.Builder, shown []Survivor, opts SurvivorsOptions) {
	fmt.Fprintf(out, "\n%s: %s, %d of %d survive", f.File, f.Function, f.Survived, f.Mutants)
	if f.Unreached == f.Survived && !opts.Unreached {
		out.WriteString(": no test runs it\n")
		return
	}
	if f.Unreached > 0 && !opts.Unreached {
		lines := f.unreachedLines()
		word := "lines"
		if !strings.ContainsAny(lines, ",-") {
			word = "line"
		}
		fmt.Fprintf(out, "; %d where no test comes (%s %s)", f.Unreached, word, lines)
	}
	out.WriteString("\n")
	tw := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, m := range shown {
		alike := ""
		if len(m.Alike) > 0 {
			alike = fmt.Sprintf("+%d alike", len(m.Alike))
		}
		fmt.Fprintf(tw, "  %d:%d\t%s\t%s\t%s\t%s\n", m.Line, m.Column, ChangeText(m.Original, m.Replacement), m.ID, alike, m.Why())
	}
	tw.Flush() // a Builder takes everything
}

// unreachedLines lists the lines of mutants that no test executes, as ranges.
func (f *FunctionSurvivors) unreachedLines() string {
	var lines []int
	for _, m := range f.Groups {
		if len(m.Reached) == 0 {
			lines = append(lines, m.Line)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	var out []string
	for at := 0; at < len(lines); {
		end := at
		for end+1 < len(lines) && lines[end+1] == lines[end]+1 {
			end++
		}
		if end == at {
			out = append(out, fmt.Sprint(lines[at]))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", lines[at], lines[end]))
		}
		at = end + 1
	}
	if len(out) > mostRanges {
		out = append(out[:mostRanges], "…")
	}
	return strings.Join(out, ", ")
}

// mostRanges of lines are listed of a function.
const mostRanges = 8
