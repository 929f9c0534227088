package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
)

// The measures of the summary, as simulate names them. Orders are compared by
// atFive.
const (
	atTwo  = "revealed at 2%"
	atFive = "revealed at 5%"
	atTen  = "revealed at 10%"
	apfd   = "APFD (mutants analysed)"
)

// WriteSummary writes the figures that most readers want.
func WriteSummary(w io.Writer, e *experiment.Evaluation) error {
	models := [][]string{{"model", "AUC", "95 % interval", "AUC within a program", "base rate", "calibration error"}}
	for _, q := range e.Qualities {
		models = append(models, []string{q.Learnt, figure(q.AUC, 3), interval(q.AUCLow, q.AUCHigh, 3), figure(q.SubjectAUCMean, 3), figure(q.BaseRate, 3), figure(q.ECE, 3)})
	}
	c := e.Comparison
	if c == nil {
		return firstError(writeColumns(w, models), writeKillLists(w, e.KillLists))
	}
	orders := [][]string{{"order", "2 %", "5 %", "10 %", "APFD", "gain at 5 %", "95 % interval", "A12", "p (Holm)", "of oracle: 2 %", "5 %", "APFD"}}
	for _, row := range c.Rows {
		if row.Measure == atFive {
			orders = append(orders, ordersRow(c, row))
		}
	}
	return firstError(
		writeColumns(w, models),
		writeLists(w, e.Lists),
		writeKillLists(w, e.KillLists),
		writeText(w, fmt.Sprintf(`
Found the fault after analysing a share of the mutants: percent of %d simulated
testers for each of %d faults of %d problems. The gain is over %s order, in
points; A12 and p belong to it. Of what the oracle gains over %s order, the last
columns say how much an order gains, at 2 %%, at 5 %% and in APFD. The last orders
are made of the truth, as ceilings: the killable oracle puts the mutants that can be
killed first, in random order, the oracle ranks by what reveals the fault.

`, c.Repetitions, c.Subjects, c.Problems, c.Baseline, c.Baseline)),
		writeColumns(w, orders),
	)
}

func ordersRow(c *simulate.Comparison, at5 simulate.ComparisonRow) []string {
	mean := func(measure string) string {
		for _, row := range c.Rows {
			if row.Measure == measure && row.Strategy == at5.Strategy {
				return figure(row.Mean, 1)
			}
		}
		return missing
	}
	share := func(measure string) string {
		for _, row := range c.Rows {
			if row.Measure == measure && row.Strategy == at5.Strategy && !math.IsNaN(float64(row.OracleShare)) {
				return figure(row.OracleShare, 0) + " %"
			}
		}
		return missing
	}
	p := figure(at5.HolmP, 4)
	if at5.HolmP < 0.0001 {
		p = "<.0001"
	}
	return []string{at5.Strategy, mean(atTwo), mean(atFive), mean(atTen), mean(apfd),
		figure(at5.MeanDifference, 1), interval(at5.Low, at5.High, 1), figure(at5.A12, 2), p, share(atTwo), share(atFive), share(apfd)}
}

// WriteDetails writes every figure of an evaluation, one table a measure.
func WriteDetails(w io.Writer, e *experiment.Evaluation) error {
	return firstError(
		writeQualityText(w, e.Qualities),
		writeText(w, "\n"),
		writeComparisonText(w, e.Comparison),
	)
}

// missing stands for a figure that is not defined.
const missing = "–"

func figure(n number.Float, decimals int) string {
	if math.IsNaN(float64(n)) {
		return missing
	}
	return strconv.FormatFloat(float64(n), 'f', decimals, 64)
}

func interval(low, high number.Float, decimals int) string {
	if math.IsNaN(float64(low)) || math.IsNaN(float64(high)) {
		return missing
	}
	return figure(low, decimals) + " to " + figure(high, decimals)
}

// writeColumns writes rows in columns: the first to the left, figures to the
// right.
func writeColumns(w io.Writer, rows [][]string) error { return writeAligned(w, rows, 1) }

// writeAligned writes rows in columns, the first so many to the left.
func writeAligned(w io.Writer, rows [][]string, texts int) error {
	width := widths(rows)
	var out strings.Builder
	for _, row := range rows {
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
			if c > 0 {
				out.WriteString("  ")
			}
			if c < texts {
				out.WriteString(cell + pad)
			} else {
				out.WriteString(pad + cell)
			}
		}
		out.WriteByte('\n')
	}
	return writeText(w, out.String())
}

func writeText(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing a report: %w", err)
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
