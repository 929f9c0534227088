package ci

import (
	"fmt"
	"io"
	"strings"

	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/exchange"
	"github.com/winnow-mutants/winnow/report/findings"
)

// mostListed bounds the gaps of a text.
const mostListed = 20

// WriteText writes a result for a terminal or a log: the new gaps, one a line, and what was
// done to find them.
func WriteText(w io.Writer, r *Result) error {
	var out strings.Builder
	found := r.Findings
	if r.InScope == 0 {
		fmt.Fprintf(&out, "%s: nothing that changed can be mutated\n", found.Name())
	} else {
		fmt.Fprintf(&out, "%s: %d of the best %d mutants of %d survive %s; %d gaps are new\n", found.Name(),
			found.Count(findings.Survived)+found.Count(findings.Unreached), found.Ran(), r.InScope, report.Tests(len(found.Tests)), len(r.New))
	}
	listed := 0
	for _, g := range found.News() {
		if listed++; listed > mostListed {
			fmt.Fprintf(&out, "… and %d more\n", len(found.News())-mostListed)
			break
		}
		f := &found.Findings[g.Lead]
		fmt.Fprintf(&out, "%s:%d:%d: %s [%s]\n", found.Path(f.File), f.Line, f.Column, exchange.Message(found, g), f.ID)
	}
	fmt.Fprintf(&out, "%d mutants were run, %d verdicts are from earlier runs (%.1f s)\n", r.Ran, r.Reused, r.Seconds)
	if len(r.Unstable) > 0 {
		fmt.Fprintf(&out, "%d survivors were killed when they were run again: %s\n", len(r.Unstable), strings.Join(r.Unstable, ", "))
	}
	if r.NotRun > 0 {
		fmt.Fprintf(&out, "%d mutants were not run, for the time was up\n", r.NotRun)
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// Description is a result for programs.
type Description struct {
	Program  string   `json:"program"`
	InScope  int      `json:"in_scope"`
	Chosen   int      `json:"chosen"`
	Ran      int      `json:"ran"`
	Reused   int      `json:"reused"`
	NotRun   int      `json:"not_run"`
	Killed   int      `json:"killed"`
	Survived int      `json:"survived"`
	Score    *float64 `json:"score"` // null without any verdict
	New      []Gap    `json:"new"`
	Unstable []string `json:"unstable,omitempty"`
	Seconds  float64  `json:"seconds"`
}

// Gap is a new gap for programs.
type Gap struct {
	report.Change
	Why   string   `json:"why"`
	Rank  int      `json:"rank"`
	Alike []string `json:"alike,omitempty"`
}

// Describe makes a result one for programs.
func Describe(r *Result) *Description {
	found := r.Findings
	out := &Description{Program: found.Name(), InScope: r.InScope, Chosen: found.Ran(), Ran: r.Ran, Reused: r.Reused, NotRun: r.NotRun, Killed: found.Count(findings.Killed),
		Survived: found.Count(findings.Survived) + found.Count(findings.Unreached), New: []Gap{}, Unstable: r.Unstable, Seconds: r.Seconds}
	if score, ok := r.Score(); ok {
		out.Score = &score
	}
	for _, g := range found.News() {
		f := &found.Findings[g.Lead]
		gap := Gap{Why: f.Why, Rank: f.Rank,
			Change: report.Change{ID: f.ID, File: found.Path(f.File), Line: f.Line, Column: f.Column, Function: f.Function, Operator: f.Operator,
				Original: f.Original, Replacement: f.Replacement}}
		for _, i := range g.Alike {
			gap.Alike = append(gap.Alike, found.Findings[i].ID)
		}
		out.New = append(out.New, gap)
	}
	return out
}
