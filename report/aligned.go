package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/internal/number"
)

// writeCSV writes rows, the first of which is the header.
func writeCSV(w io.Writer, rows [][]string) error {
	writer := csv.NewWriter(w)
	if err := writer.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// writeRuled writes rows in columns: the first column to the left, the
// figures to the right, a rule under the header.
func writeRuled(w io.Writer, rows [][]string) error {
	width := widths(rows)
	var out strings.Builder
	for r, row := range rows {
		var line strings.Builder
		for c, cell := range row {
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(cell))
			if c == 0 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString("  " + pad + cell)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if r == 0 {
			out.WriteString(strings.Repeat("-", utf8.RuneCountInString(line.String())) + "\n")
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// widths are those of the columns, in letters.
func widths(rows [][]string) (width []int) {
	for _, row := range rows {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
	return width
}

// digits writes the figure with all its digits.
func digits(n number.Float) string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}

// dashed writes the figure with so many decimals, an undefined one as a dash.
func dashed(n number.Float, decimals int) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	s := strconv.FormatFloat(float64(n), 'f', decimals, 64)
	if zero := strconv.FormatFloat(0, 'f', decimals, 64); s == "-"+zero {
		return zero
	}
	return s
}

// signed is dashed with a plus before what is larger than zero.
func signed(n number.Float, decimals int) string {
	s := dashed(n, decimals)
	if n > 0 && s != dashed(0, decimals) {
		return "+" + s
	}
	return s
}

// pValue writes a p-value: four decimals, and a bound for smaller ones.
func pValue(n number.Float) string {
	if n < 0.0001 {
		return "<.0001"
	}
	return dashed(n, 4)
}
