package evaluate

import (
	"fmt"
	"io"
)

// WriteJSON writes the comparison as one JSON document; undefined figures are
// null.
func (c *Comparison) WriteJSON(w io.Writer) error { return writeJSON(w, c) }

// WriteCSV writes one line for each measure and strategy, figures with all
// digits, undefined ones empty.
func (c *Comparison) WriteCSV(w io.Writer) error {
	rows := [][]string{{
		"measure", "strategy", "median", "mean", "median_difference", "mean_difference", "mean_difference_low", "mean_difference_high",
		"a12", "rank_sum_p", "p", "holm_p", "oracle_share", "oracle_share_low", "oracle_share_high",
	}}
	for _, r := range c.Rows {
		row := []string{r.Measure, r.Strategy}
		for _, n := range []Number{
			r.Median, r.Mean, r.MedianDifference, r.MeanDifference, r.Low, r.High, r.A12, r.RankSumP, r.P, r.HolmP, r.OracleShare, r.OracleLow, r.OracleHigh,
		} {
			row = append(row, n.csv())
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// WriteText writes one table for each measure, for people.
func (c *Comparison) WriteText(w io.Writer) error {
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
			rows = append(rows, c.Rows[end].cells())
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return fmt.Errorf("write table: %w", err)
		}
		if err := writeAligned(w, rows); err != nil {
			return err
		}
		start = end
	}
	return nil
}

func (r ComparisonRow) cells() []string {
	interval := "-"
	if r.Low == r.Low {
		interval = r.Low.signed(1) + " to " + r.High.signed(1)
	}
	share, shareInterval := r.OracleShare.text(0), "-"
	if share != "-" {
		share += " %"
	}
	if r.OracleLow == r.OracleLow {
		shareInterval = r.OracleLow.text(0) + " to " + r.OracleHigh.text(0)
	}
	return []string{
		r.Strategy, r.Median.text(1), r.Mean.text(1), r.MedianDifference.signed(1), r.MeanDifference.signed(1), interval,
		r.A12.text(2), r.P.pValue(), r.HolmP.pValue(), share, shareInterval,
	}
}
