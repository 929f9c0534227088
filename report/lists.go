package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/internal/number"
)

// The lists of the summary: what fits on a screen, as it is printed, without tests and beside
// half of the suite. The files of an evaluation have all of them.
var (
	summarisedSuites  = []string{"none", "half"}
	summarisedLengths = []int{5, 20}
)

// writeLists writes how good the first mutants of each order are.
func writeLists(w io.Writer, t *shortlist.Table) error {
	if t == nil {
		return nil
	}
	for _, suite := range summarisedSuites {
		beside := "without tests"
		if suite != "none" {
			beside = "beside\n" + suite + " of the tests that do not reveal the fault, without the mutants that they kill"
		}
		err := writeText(w, fmt.Sprintf(`
The first mutants, read as they are printed, %s: the chance
that a test for each reveals the fault, the share of the minimal mutants that the tests
kill, the way from random order to the coupling oracle, and of 20 how many no test kills
and on how many statements they are. Means over %d faults of %d problems, %d draws each.

`, beside, t.Subjects, t.Problems, t.Draws))
		if err == nil {
			err = writeColumns(w, listRows(t, suite))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeKillLists writes the same of programs of which no fault is known.
func writeKillLists(w io.Writer, t *shortlist.Table) error {
	if t == nil {
		return nil
	}
	for _, suite := range summarisedSuites {
		beside := "without tests"
		if suite != "none" {
			beside = "beside\n" + suite + " of the tests, without the mutants that they kill"
		}
		err := writeText(w, fmt.Sprintf(`
The first mutants where no fault is known, read as they are printed, %s: the share of the
minimal mutants that a test for each of them kills, the way from random order to the coupling
oracle, and of 20 how many no test kills and on how many statements they are. Means over the
%d programs whose tests kill in at least five ways, %d draws each.

`, beside, t.Subjects, t.Draws))
		if err == nil {
			err = writeColumns(w, killListRows(t, suite))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func killListRows(t *shortlist.Table, suite string) [][]string {
	out := [][]string{{"order", "minimal at 5", "way", "95 % less random", "at 20", "way", "95 % less random", "unkilled", "statements"}}
	orders, at := printed(t, suite)
	for _, order := range orders {
		a, b := at[order][summarisedLengths[0]], at[order][summarisedLengths[1]]
		out = append(out, []string{order, figure(a.Minimal, 3), wayText(a.MinimalWay), interval(a.MinimalLow, a.MinimalHigh, 3),
			figure(b.Minimal, 3), wayText(b.MinimalWay), interval(b.MinimalLow, b.MinimalHigh, 3), figure(b.Unkilled, 1), figure(b.Statements, 1)})
	}
	return out
}

// printed are the rows of a suite as lists are printed, by order and length, and the orders in
// their order.
func printed(t *shortlist.Table, suite string) (orders []string, at map[string]map[int]shortlist.Row) {
	at = map[string]map[int]shortlist.Row{}
	for _, r := range t.Rows {
		if r.Suite != suite || r.Reading != shortlist.Printed {
			continue
		}
		if at[r.Order] == nil {
			at[r.Order] = map[int]shortlist.Row{}
			orders = append(orders, r.Order)
		}
		at[r.Order][r.Length] = r
	}
	return orders, at
}

func listRows(t *shortlist.Table, suite string) [][]string {
	out := [][]string{{"order", "revealed at 5", "way", "at 20", "way", "95 % less random", "minimal at 5", "way", "at 20", "way", "unkilled", "statements"}}
	orders, at := printed(t, suite)
	for _, order := range orders {
		a, b := at[order][summarisedLengths[0]], at[order][summarisedLengths[1]]
		out = append(out, []string{order, figure(a.Revealed, 3), wayText(a.RevealedWay), figure(b.Revealed, 3), wayText(b.RevealedWay),
			interval(b.Low, b.High, 3), figure(a.Minimal, 3), wayText(a.MinimalWay), figure(b.Minimal, 3), wayText(b.MinimalWay),
			figure(b.Unkilled, 1), figure(b.Statements, 1)})
	}
	return out
}

func wayText(n number.Float) string {
	if math.IsNaN(float64(n)) {
		return missing
	}
	return figure(n, 0) + " %"
}

func listsTable(name string, t *shortlist.Table) *Table {
	out := newTable(name, []string{"suite", "reading", "order", "length"},
		"revealed", "minimal", "unkilled", "statements", "kill_sets", "revealed_way", "minimal_way", "revealed_difference_low", "revealed_difference_high",
		"minimal_difference_low", "minimal_difference_high")
	if t == nil {
		return out
	}
	for _, r := range t.Rows {
		out.Add([]string{r.Suite, r.Reading, r.Order, strconv.Itoa(r.Length)},
			r.Revealed, r.Minimal, r.Unkilled, r.Statements, r.KillSets, r.RevealedWay, r.MinimalWay, r.Low, r.High, r.MinimalLow, r.MinimalHigh)
	}
	return out
}
