package findings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/report"
)

// Of reads the findings of a recorded run, which must hold mutants and kills. The ranking
// may be nil: then those come first that most tests come near to noticing.
func Of(s *dataset.Subject, ranking *report.Ranking) (*Run, error) {
	if s.Mutants == nil || s.Kills == nil {
		return nil, errors.New("the run holds no mutants, or no kills")
	}
	r := &Run{Program: s.Manifest.Program, Fault: s.Manifest.Fault, Tool: s.Manifest.Tool, Tests: s.Kills.Tests(), Whole: s.Manifest.Options["build"] == ""}
	r.run(s)
	if err := r.leftOut(s.Removed); err != nil {
		return nil, err
	}
	if err := r.sources(s); err != nil {
		return nil, err
	}
	r.order(ranking)
	r.group()
	r.functions()
	return r, nil
}

// row reads columns of a table by their names.
type row struct {
	t *table.Table
	n int
}

func (r row) text(name string) string { return r.t.Value(r.n, r.t.Schema().Index(name)).(string) }
func (r row) number(name string) int {
	return int(r.t.Value(r.n, r.t.Schema().Index(name)).(int64))
}

func (r row) finding() Finding {
	return Finding{ID: r.text("id"), File: r.text("file"), Line: r.number("line"), Column: r.number("column"), Function: r.text("function"),
		Operator: r.text("operator"), Rule: r.text("rule"), Original: r.text("original"), Replacement: r.text("replacement"), PFault: math.NaN(), PKill: math.NaN(), Gap: -1}
}

// run reads the mutants that were to be run.
func (r *Run) run(s *dataset.Subject) {
	places := make(map[string]int, len(s.Kills.Mutants()))
	for k, id := range s.Kills.Mutants() {
		places[id] = k
	}
	proved, examples, undefined := s.Proved(), s.Examples(), s.MayBeUndefined()
	for n := range s.Mutants.Rows() {
		f := row{s.Mutants, n}.finding()
		k, run := places[f.ID]
		if !run {
			f.Status, f.Why = Unknown, "it was not among those that were run"
			r.Findings = append(r.Findings, f)
			continue
		}
		f.Reached, f.Infected, f.KilledBy = s.Kills.Reached(k), s.Kills.Infected(k), s.Kills.Killed(k)
		proof, equivalent := proved[f.ID]
		switch verdict := s.Kills.Verdict(k); {
		case equivalent:
			f.Status, f.Why = Equivalent, "no test can kill it: "+proof.Reason
		case verdict == matrix.Killed:
			f.Status, f.Why = Killed, killedBy(s, k)
		case verdict == matrix.Unknown:
			f.Status, f.Why = Unknown, "its runs gave no verdict, or there was no time for them"
		default:
			f.Status = Survived
			if f.Reached.Empty() {
				f.Status = Unreached
			}
			example := examples[f.ID]
			f.Told, f.UnitTest = example.Reason != "", example.UnitTest
			f.Why = report.WhyAlive(f.Reached.Count(), f.Infected.Count(), example.Reason)
		}
		if what, is := undefined[f.ID]; is && !equivalent {
			f.Undefined = what
			f.Why += "; C may not define what it does (" + what + ")"
		}
		r.Findings = append(r.Findings, f)
	}
}

// killedBy says what the killing tests saw.
func killedBy(s *dataset.Subject, k int) string {
	counts := map[string]int{}
	total := 0
	for t := range s.Kills.Killed(k).All() {
		counts[seen(s.Kills.Cell(k, t).Cause)]++
		total++
	}
	var parts []string
	for what, n := range counts {
		if n == total {
			return fmt.Sprintf("killed by %s: %s", report.Tests(total), what)
		}
		parts = append(parts, fmt.Sprintf("%s in %d", what, n))
	}
	slices.Sort(parts)
	return fmt.Sprintf("killed by %s: %s", report.Tests(total), strings.Join(parts, ", "))
}

// seen says in words what told a mutant from the original.
func seen(c matrix.Cause) string {
	switch c {
	case matrix.Output:
		return "other output"
	case matrix.Exit:
		return "another exit status"
	case matrix.Signal:
		return "a crash"
	case matrix.Work, matrix.Time:
		return "it does not end"
	case matrix.Memory:
		return "too much memory"
	case matrix.OutputLimit:
		return "too much output"
	case matrix.Trap:
		return "a check stopped it"
	}
	return c.String()
}

// leftOut reads the mutants that were left out before anything was run.
func (r *Run) leftOut(removed *table.Table) error {
	if removed == nil {
		return nil
	}
	for n := range removed.Rows() {
		at := row{removed, n}
		f := at.finding()
		f.Status, f.Of = Status(at.text("kind")), at.text("of")
		if !slices.Contains(Statuses(), f.Status) {
			return fmt.Errorf("mutant %s was left out as %q, which this version does not know", f.ID, f.Status)
		}
		f.Why = whyLeftOut(f.Status, f.Of, at.text("evidence"))
		r.Findings = append(r.Findings, f)
	}
	return nil
}

func whyLeftOut(s Status, of, evidence string) string {
	by := ""
	if evidence != "" {
		by = " (" + evidence + ")"
	}
	switch s {
	case Equivalent:
		return "no test can tell it from the original" + by
	case Duplicate:
		return "the same program as mutant " + of + by
	case Undefined:
		return "it does what C leaves undefined" + by
	case Suppressed:
		return "the source says why not: " + evidence
	}
	return "it is no valid program" + by
}

// sources reads the files and the mutants as changes of them. A run without them is shown
// without its sources.
func (r *Run) sources(s *dataset.Subject) error {
	if s.Sources == nil || s.Edits == nil {
		return nil
	}
	lengths := map[string]int{}
	for n := range s.Sources.Rows() {
		at := row{s.Sources, n}
		f := File{at.text("file"), at.text("text")}
		r.Files, lengths[f.Name] = append(r.Files, f), len(f.Text)
	}
	edits := make(map[string]*Edit, s.Edits.Rows())
	for n := range s.Edits.Rows() {
		at := row{s.Edits, n}
		e := &Edit{at.text("file"), at.number("start"), at.number("end"), at.text("text")}
		if e.Start < 0 || e.End < e.Start || e.End > lengths[e.File] {
			return fmt.Errorf("the change of mutant %s lies outside of %s", at.text("id"), e.File)
		}
		edits[at.text("id")] = e
	}
	for i := range r.Findings {
		r.Findings[i].Edit = edits[r.Findings[i].ID]
	}
	return nil
}

// order puts the findings in the order in which to look at them.
func (r *Run) order(ranking *report.Ranking) {
	r.Order = "no model was asked: survivors that most tests come near to noticing come first"
	if ranking != nil {
		r.Order = "strategy " + ranking.Strategy
		if ranking.Model != "" {
			r.Order += ", model " + ranking.Model
		}
		ranks := make(map[string]*report.Ranked, len(ranking.Mutants))
		for i := range ranking.Mutants {
			ranks[ranking.Mutants[i].ID] = &ranking.Mutants[i]
		}
		for i := range r.Findings {
			if m := ranks[r.Findings[i].ID]; m != nil {
				f := &r.Findings[i]
				f.Rank, f.PFault, f.PKill = m.Rank, float64(m.PFault), float64(m.PKill)
			}
		}
	}
	last := func(rank int) int {
		if rank == 0 {
			return math.MaxInt
		}
		return rank
	}
	near := func(f *Finding) int {
		switch {
		case f.Status != Survived:
			return 0
		case f.Infected.Empty():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(last(a.Rank), last(b.Rank)), cmp.Compare(near(&b), near(&a)), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// group finds the gaps.
func (r *Run) group() {
	known := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Status != Survived && f.Status != Unreached {
			continue
		}
		key := fmt.Sprintf("%s\x00%s\x00%d\x00%s\x00%s", f.File, f.Function, f.Line, f.Reached.Key(), f.Infected.Key())
		g, ok := known[key]
		if !ok {
			g = len(r.Gaps)
			known[key] = g
			r.Gaps = append(r.Gaps, Gap{Lead: i})
			continue
		}
		gap := &r.Gaps[g]
		if f.Told && !r.Findings[gap.Lead].Told {
			gap.Lead, i = i, gap.Lead
		}
		gap.Alike = append(gap.Alike, i)
		slices.Sort(gap.Alike)
	}
	slices.SortStableFunc(r.Gaps, func(a, b Gap) int {
		late := func(g Gap) int {
			switch f := &r.Findings[g.Lead]; {
			case f.Status == Unreached:
				return 2
			case !f.Told:
				return 1
			}
			return 0
		}
		return cmp.Compare(late(a), late(b))
	})
	for g, gap := range r.Gaps {
		r.Findings[gap.Lead].Gap = g
		for _, i := range gap.Alike {
			r.Findings[i].Gap = g
		}
	}
}

// functions sums up the functions.
func (r *Run) functions() {
	at := map[[2]string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Status.WasRun() {
			continue
		}
		name := [2]string{f.File, f.Function}
		k, ok := at[name]
		if !ok {
			k = len(r.Functions)
			at[name] = k
			r.Functions = append(r.Functions, Function{File: f.File, Name: f.Function, Line: f.Line})
		}
		r.Functions[k].count(f)
	}
	for _, g := range r.Gaps {
		f := &r.Findings[g.Lead]
		r.Functions[at[[2]string{f.File, f.Function}]].Gaps++
	}
	slices.SortFunc(r.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Gaps, a.Gaps), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Name, b.Name))
	})
}

func (fn *Function) count(f *Finding) {
	fn.Line = min(fn.Line, f.Line)
	fn.Mutants++
	switch f.Status {
	case Killed:
		fn.Killed++
	case Survived:
		fn.Survived++
	case Unreached:
		fn.Unreached++
	default:
		fn.Unknown++
	}
}
