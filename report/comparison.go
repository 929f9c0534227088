package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
)

// writeComparisonCSV writes one line for each measure and strategy, figures with all
// digits, undefined ones empty.
func writeComparisonCSV(w io.Writer, c *simulate.Comparison) error {
	rows := [][]string{{
		"measure", "strategy", "median", "mean", "median_difference", "mean_difference", "mean_difference_low", "mean_difference_high",
		"a12", "rank_sum_p", "p", "holm_p", "oracle_share", "oracle_share_low", "oracle_share_high",
	}}
	if c == nil { // no fault is known
		return writeCSV(w, rows)
	}
	for _, r := range c.Rows {
		row := []string{r.Measure, r.Strategy}
		for _, n := range []number.Float{
			r.Median, r.Mean, r.MedianDifference, r.MeanDifference, r.Low, r.High, r.A12, r.RankSumP, r.P, r.HolmP, r.OracleShare, r.OracleLow, r.OracleHigh,
		} {
			row = append(row, digits(n))
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// writeComparisonText writes one table for each measure, for people.
func writeComparisonText(w io.Writer, c *simulate.Comparison) error {
	if c == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "%d faults of %d problems, %d repetitions, seed %d; differences to %s in points\n",
		c.Subjects, c.Problems, c.Repetitions, c.Seed, c.Baseline)
	if err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	for start := 0; start < len(c.Rows); {
		end := start
		measure := c.Rows[start].Measure
		rows := [][]string{{measure, "median", "mean", "median diff", "mean diff", "interval", "A12", "p", "p (Holm)", "of oracle", "interval"}}
		for ; end < len(c.Rows) && c.Rows[end].Measure == measure; end++ {
			rows = append(rows, comparisonCells(c.Rows[end]))
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
		if err := writeRuled(w, rows); err != nil {
			return err
		}
		start = end
	}
	return nil
}

func comparisonCells(r simulate.ComparisonRow) []string {
	interval := "-"
	if r.Low == r.Low {
		interval = signed(r.Low, 1) + " to " + signed(r.High, 1)
	}
	share, shareInterval := dashed(r.OracleShare, 0), "-"
	if share != "-" {
		share += " %"
	}
	if r.OracleLow == r.OracleLow {
		shareInterval = dashed(r.OracleLow, 0) + " to " + dashed(r.OracleHigh, 0)
	}
	return []string{
		r.Strategy, dashed(r.Median, 1), dashed(r.Mean, 1), signed(r.MedianDifference, 1), signed(r.MeanDifference, 1), interval,
		dashed(r.A12, 2), pValue(r.P), pValue(r.HolmP), share, shareInterval,
	}
}
