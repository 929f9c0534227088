package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/ub"
)

// row is a program's row of tables 5.2 and 5.4 of Ebrahimipour (2016): the mutants, those that
// each analysis found, those that it could have been right about, and the seconds.
type row struct {
	name, version             string
	mutants                   int
	nga, mpa, sva             int
	ofNGA, ofMPA, ofSVA       int
	seconds                   float64
	ocng, ror, lcr, uoi       int // what NGA found, by operator (table 5.3)
	negated, compared, joined int // the operators' other mutants there: OCNG, ROR, LCR, UOI
	stepped                   int
}

// thesis is the published table. Its own sums have errors: the rate of all is 0.82 %, printed
// as 0.87, and the column of OCNG's other mutants sums to 58,858, printed as 77,758.
var thesis = []row{
	{"gzip", "1.6", 45412, 62, 2, 837, 25848, 19884, 14387, 19.32, 22, 0, 0, 40, 860, 3740, 1342, 19844},
	{"gsl", "1.16", 566853, 320, 724, 3178, 269394, 239256, 193140, 18.35, 2, 0, 32, 286, 2044, 23391, 4669, 238970},
	{"make", "4.0", 72132, 283, 28, 157, 53753, 43420, 12804, 16.24, 87, 0, 20, 176, 2229, 5314, 2683, 43244},
	{"msmtp", "1.4", 25260, 52, 2, 385, 12709, 10284, 8455, 0.22, 26, 0, 0, 26, 535, 1441, 423, 10258},
	{"git", "2.1", 679525, 1906, 72, 2408, 480325, 391124, 145409, 13.75, 1063, 0, 279, 564, 33806, 31090, 22963, 390560},
	{"grep", "2.24", 64289, 122, 18, 247, 44722, 35408, 14084, 5.10, 60, 0, 0, 62, 2184, 4478, 2592, 35346},
	{"vim", "7.4", 981599, 1762, 70, 7420, 643427, 483272, 244870, 516.13, 56, 0, 344, 1362, 17200, 90616, 51939, 481910},
}

// ofThesis is the published row of a folder, by its name.
func ofThesis(folder string) *row {
	for i := range thesis {
		if strings.HasPrefix(folder, thesis[i].name+"-") {
			return &thesis[i]
		}
	}
	return nil
}

// sum adds up what an analysis found.
func (t *tally) sum(analysis string) int {
	n := 0
	for k, found := range t.found {
		if k.analysis == analysis {
			n += found
		}
	}
	return n
}

// both are the definite and potential mutants of some categories.
func (t *tally) both(categories ...ub.Category) (definite, potential int) {
	for _, c := range categories {
		definite += t.definite[c]
		potential += t.potential[c]
	}
	return definite, potential
}

func write(out io.Writer, programs []*tally, compared bool) {
	all := append(slices.Clone(programs), total(programs))
	fmt.Fprint(out, "UB mutants and their share of all, published, and of the published analyses as rebuilt:\n\n"+
		"| program | mutants, published | NGA | MPA | SVA | share | files | mutants | NGA | MPA | SVA | share |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range all {
		nga, mpa, sva := t.sum("NGA"), t.sum("MPA"), t.sum("SVA")
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %s |\n", t.name, publishedCells(t, programs), t.files, t.mutants, nga, mpa, sva, percent(nga+mpa+sva, t.mutants))
	}
	fmt.Fprint(out, "\nAs rebuilt beside package ub, definite + potential:\n\n"+
		"| program | NGA | null | MPA + SVA | bounds | shifts, divisors | overflow | uninitialised | all rebuilt | all ub | of these definite | times |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range all {
		t.writeOurs(out)
	}
	if compared {
		writeTimes(out, all)
	}
	writeOperators(out, all[len(all)-1])
}

func (t *tally) writeOurs(out io.Writer) {
	cell := func(categories ...ub.Category) string {
		d, p := t.both(categories...)
		return fmt.Sprintf("%d + %d", d, p)
	}
	rebuilt := t.sum("NGA") + t.sum("MPA") + t.sum("SVA")
	definite, potential := t.both(ub.Categories()...)
	fmt.Fprintf(out, "| %s | %d | %s | %d | %s | %s | %s | %s | %d | %d | %d | %.1f |\n", t.name, t.sum("NGA"), cell(ub.NullDereference),
		t.sum("MPA")+t.sum("SVA"), cell(ub.OutOfBounds), cell(ub.ShiftTooFar, ub.DivisionByZero), cell(ub.Overflow), cell(ub.Uninitialised),
		rebuilt, definite+potential, definite, float64(definite+potential)/float64(max(1, rebuilt)))
}

// publishedCells are the published figures of a program, or of all that were looked at.
func publishedCells(t *tally, programs []*tally) string {
	r := ofThesis(t.name)
	if t.name == "all" {
		r = &row{}
		for _, p := range programs {
			if one := ofThesis(p.name); one != nil {
				r.mutants, r.nga, r.mpa, r.sva = r.mutants+one.mutants, r.nga+one.nga, r.mpa+one.mpa, r.sva+one.sva
			}
		}
	}
	if r == nil {
		return " |  |  |  | "
	}
	return fmt.Sprintf("%d | %d | %d | %d | %s", r.mutants, r.nga, r.mpa, r.sva, percent(r.nga+r.mpa+r.sva, r.mutants))
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(max(1, whole)))
}

func writeTimes(out io.Writer, all []*tally) {
	fmt.Fprint(out, "\nProcessor's time in seconds:\n\n| program | published | as rebuilt | package ub | clang -O2 |\n|---|--:|--:|--:|--:|\n")
	for _, t := range all {
		seconds := ""
		if r := ofThesis(t.name); r != nil {
			seconds = fmt.Sprintf("%.1f", r.seconds)
		}
		fmt.Fprintf(out, "| %s | %s | %.1f | %.1f | %.1f |\n", t.name, seconds, t.asPublished.Seconds(), t.judged.Seconds(), t.compiled.Seconds())
	}
}

// writeOperators writes the mutants by operator, and what the published analyses find of them.
func writeOperators(out io.Writer, all *tally) {
	fmt.Fprint(out, "\nBy operator, of all:\n\n| operator | mutants | NGA | MPA | SVA |\n|---|--:|--:|--:|--:|\n")
	for _, name := range operators {
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", name, all.by[name], all.found[published{"NGA", name}], all.found[published{"MPA", name}], all.found[published{"SVA", name}])
	}
}

// total is the sum of the programs.
func total(programs []*tally) *tally {
	out := &tally{name: "all", by: map[string]int{}, found: map[published]int{}, definite: map[ub.Category]int{}, potential: map[ub.Category]int{}}
	for _, t := range programs {
		out.files, out.refused, out.mutants = out.files+t.files, out.refused+t.refused, out.mutants+t.mutants
		out.judged, out.asPublished, out.compiled = out.judged+t.judged, out.asPublished+t.asPublished, out.compiled+t.compiled
		for k, n := range t.by {
			out.by[k] += n
		}
		for k, n := range t.found {
			out.found[k] += n
		}
		for k, n := range t.definite {
			out.definite[k] += n
		}
		for k, n := range t.potential {
			out.potential[k] += n
		}
	}
	return out
}
