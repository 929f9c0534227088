package evaluate

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// writeJSON writes v as one indented JSON document.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// writeCSV writes rows, the first of which is the header.
func writeCSV(w io.Writer, rows [][]string) error {
	writer := csv.NewWriter(w)
	if err := writer.WriteAll(rows); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// writeAligned writes rows in columns: the first column to the left, the
// figures to the right, a rule under the header.
func writeAligned(w io.Writer, rows [][]string) error {
	var width []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(width) {
				width = append(width, 0)
			}
			width[c] = max(width[c], utf8.RuneCountInString(cell))
		}
	}
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
