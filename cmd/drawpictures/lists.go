package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/report"
)

// orders are those that the picture shows, with what they are called there.
var orders = map[string]string{"random": "random order", "winnow": "winnow", "coupling oracle": "who knows every kill"}

// shares are two cells of a row: "first 5 / first 20".
var shares = regexp.MustCompile(`^(\.\d+|1\.0+) / (\.\d+|1\.0+)$`)

// lists draws the first table of docs/results/first-twenty.md: how often a test for each of the
// first mutants reveals the fault.
func lists(in io.Reader, out io.Writer) error {
	figure := report.Figure{
		Name: "lists", Title: "Chance that tests for the first mutants of a list reveal the fault (640 faults of Codeflaws)", X: "", Y: "share of the faults",
		Kind: report.Bars, Labels: []string{"first 5, no tests", "first 20, no tests", "first 5, beside tests", "first 20, beside tests"},
	}
	scan := bufio.NewScanner(in)
	for scan.Scan() && len(figure.Series) < len(orders) {
		cells := strings.Split(scan.Text(), "|")
		if len(cells) < 7 {
			continue
		}
		name, shown := orders[strings.Trim(cells[1], " *")]
		series := report.Series{Name: name, Origin: report.Measured}
		for _, cell := range []string{cells[2], cells[5], cells[6]} {
			for _, text := range submatches(shares, cell) {
				x, err := strconv.ParseFloat(text, 64)
				if err != nil {
					return err
				}
				series.Y = append(series.Y, number.Float(x))
			}
		}
		if shown && len(series.Y) == len(figure.Labels) {
			figure.Series = append(figure.Series, series)
		}
	}
	if err := scan.Err(); err != nil {
		return err
	}
	if len(figure.Series) != len(orders) {
		return fmt.Errorf("the table has %d of the rows of %d orders", len(figure.Series), len(orders))
	}
	return report.WriteFigure(out, &figure, "svg")
}

// submatches are the groups of a cell that matches as a whole.
func submatches(pattern *regexp.Regexp, cell string) []string {
	found := pattern.FindStringSubmatch(strings.TrimSpace(cell))
	if found == nil {
		return nil
	}
	return found[1:]
}
