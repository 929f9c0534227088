package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// proofs are the verdicts of winnow prove as JSON.
type proofs struct {
	Program string       `json:"program"`
	Stages  []proofStage `json:"stages"`
	Mutants []proof      `json:"mutants"`
}

type proofStage struct {
	Name       string  `json:"name"`
	Asked      int     `json:"asked"`
	Equivalent int     `json:"equivalent"`
	Duplicate  int     `json:"duplicate"`
	Different  int     `json:"different"`
	Seconds    float64 `json:"seconds"`
}

type proof struct {
	ID          string `json:"id"`
	Verdict     string `json:"verdict"`
	Of          string `json:"of,omitempty"`
	Evidence    string `json:"evidence,omitempty"`
	Reason      string `json:"reason,omitempty"`
	Function    string `json:"function"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
}

func proofsOf(p *program.Program, all []program.Proof) proofs {
	out := proofs{Program: p.Name, Mutants: []proof{}}
	for _, s := range p.Stages {
		out.Stages = append(out.Stages, proofStage{s.Stage, s.Mutants, s.Equivalent, s.Duplicate, s.Different, s.Busy.Seconds()})
	}
	for _, v := range all {
		m := &v.Mutant
		out.Mutants = append(out.Mutants, proof{m.ID, v.Verdict.String(), v.Of, v.Evidence, v.Reason,
			m.Function, paths.Relative("", m.File), m.Line, m.Column, m.Original, m.Replacement})
	}
	return out
}

// kindTitles are the groups of the table, in order. Bounded are the open ones that do not differ
// within the rounds of loops that were followed.
var kindTitles = []struct {
	kind    equiv.Kind
	bounded bool
	title   string
}{
	{equiv.Equivalent, false, "equivalent to the original: no test can kill them"},
	{equiv.Duplicate, false, "equal to another mutant: what kills one kills both"},
	{equiv.Invalid, false, "no valid programs"},
	{equiv.Undefined, false, "undefined whenever control comes to them: what a run shows means nothing"},
	{equiv.Different, false, "different: this call of the function, or input of the program, tells them from the original"},
	{equiv.Unknown, true, "bounded: no difference for so many rounds of loops, and open beyond them"},
	{equiv.Unknown, false, "open"},
}

// isBounded says that a verdict holds within a bound.
func isBounded(v *program.Proof) bool {
	return v.Verdict == equiv.Unknown && v.Evidence == bmc.Bounded
}

// writeProofs writes the verdicts for people.
func writeProofs(w io.Writer, p *program.Program, list []program.Proof, all bool) {
	counts := map[equiv.Kind]int{}
	bounded := 0
	for _, v := range list {
		counts[v.Verdict]++
		if isBounded(&v) {
			bounded++
		}
	}
	fmt.Fprintf(w, "%s: %d mutants: %d equivalent, %d duplicates, %d undefined, %d different, %d open\n",
		p.Name, len(list), counts[equiv.Equivalent], counts[equiv.Duplicate], counts[equiv.Undefined], counts[equiv.Different], counts[equiv.Unknown])
	for _, s := range p.Stages {
		fmt.Fprintf(w, "  %-11s asked about %d: %d equivalent, %d duplicates, %d different, in %.1f s\n", s.Stage, s.Mutants, s.Equivalent, s.Duplicate, s.Different, s.Busy.Seconds())
	}
	list = writeUnreachable(w, list)
	for _, group := range kindTitles {
		if n := counts[group.kind]; n == 0 || group.kind.Stays() && !all || group.bounded && bounded == 0 || group.kind == equiv.Unknown && !group.bounded && bounded == n {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", group.title)
		writeGroup(w, slices.DeleteFunc(slices.Clone(list), func(v program.Proof) bool {
			return v.Verdict != group.kind || isBounded(&v) != group.bounded
		}))
	}
	if n := counts[equiv.Unknown] + counts[equiv.Different]; !all && n > 0 {
		fmt.Fprintf(w, "\nwith --all: the %d that are different or open, and why\n", n)
	}
}

// writeUnreachable writes the code that control never comes to, and why, and returns the
// verdicts without those that rest on it.
func writeUnreachable(w io.Writer, list []program.Proof) (others []program.Proof) {
	type place struct {
		file        string
		first, last int
		why         string
		mutants     int
	}
	var places []place
	for _, v := range list {
		if v.Evidence != constraint.Unreachable {
			others = append(others, v)
			continue
		}
		m := &v.Mutant
		if n := len(places); n > 0 && places[n-1].file == m.File && places[n-1].why == v.Reason {
			places[n-1].last = m.Line
			places[n-1].mutants++
			continue
		}
		places = append(places, place{m.File, m.Line, m.Line, v.Reason, 1})
	}
	if len(places) > 0 {
		fmt.Fprintf(w, "\nnever executed: no test can kill what is changed there\n")
	}
	for _, p := range places {
		lines := fmt.Sprint(p.first)
		if p.last > p.first {
			lines += fmt.Sprintf("-%d", p.last)
		}
		fmt.Fprintf(w, "  %s:%s  %s  (mutants: %d)\n", paths.Relative("", p.file), lines, p.why, p.mutants)
	}
	return others
}

func writeGroup(w io.Writer, list []program.Proof) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range list {
		m := &v.Mutant
		why := v.Reason
		if why == "" && strings.HasPrefix(v.Evidence, "tce/") {
			why = "the optimiser makes the same code of both"
		}
		if v.Of != "" {
			why = strings.TrimSuffix("as "+v.Of+"; "+why, "; ")
		}
		fmt.Fprintf(table, "  %s:%d:%d\t%s\t%s\t%s\t%s\n", paths.Relative("", m.File), m.Line, m.Column, m.ID,
			report.ChangeText(m.Original, m.Replacement), v.Evidence, why)
	}
	table.Flush()
}
