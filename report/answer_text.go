package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/winnow-mutants/winnow/internal/number"
)

// heading is a column's name as readers see it. It says so wherever a number
// was not measured by the run that is reported.
func heading(name string, origin Origin) string {
	if origin == Measured {
		return name
	}
	return string(origin) + " " + name
}

// WriteAnswer writes a study's answer for people: every table, and what is
// missing.
func WriteAnswer(w io.Writer, r *Answer) error {
	text := fmt.Sprintf("%s: %s\n%s\nAfter %s.\n\n%s\n", r.Study, r.Title, r.Question, r.Source, sampleLine(r.Sample))
	if err := writeText(w, text+sentences("\nNot answered:", r.Missing)); err != nil {
		return err
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		if err := writeText(w, "\n"+t.Title+"\n\n"); err != nil {
			return err
		}
		if err := writeAligned(w, cellsOf(t), len(t.Keys)); err != nil {
			return err
		}
	}
	return writeText(w, sentences("\nNotes:", r.Notes))
}

func sampleLine(s Sample) string {
	line := fmt.Sprintf("%d faults of %d problems, %d mutants, %d tests; %d folds by %s, %d repetitions, seed %d.",
		s.Faults, s.Problems, s.Mutants, s.Tests, s.Folds, s.Grouped, s.Repetitions, s.Seed)
	if s.Skipped > 0 {
		line += fmt.Sprintf(" %d run folders lack a table and are passed over.", s.Skipped)
	}
	return line
}

func sentences(title string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return title + "\n- " + strings.Join(list, "\n- ") + "\n"
}

// cellsOf is a table as texts, its headings first.
func cellsOf(t *Table) [][]string {
	rows := [][]string{append([]string(nil), t.Keys...)}
	for _, c := range t.Columns {
		rows[0] = append(rows[0], heading(c.Name, c.Origin))
	}
	for _, row := range t.Rows {
		cells := append([]string(nil), row.Keys...)
		for i, n := range row.Values {
			cells = append(cells, cell(n, t.Columns[i]))
		}
		rows = append(rows, cells)
	}
	return rows
}

func cell(n number.Float, c Column) string {
	text := figure(n, c.Decimals)
	switch {
	case math.IsNaN(float64(n)):
		return missing
	case c.Format == PValue && n < 0.0001:
		return "<.0001"
	case c.Format == PValue:
		return figure(n, max(4, c.Decimals))
	case c.Format == Signed && n > 0 && strings.Trim(text, "0.") != "":
		return "+" + text
	case strings.Trim(text, "-0.") == "":
		return strings.TrimPrefix(text, "-")
	}
	return text
}
