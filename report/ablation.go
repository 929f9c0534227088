package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/experiment"
)

// WriteAblation writes a table a label.
func WriteAblation(w io.Writer, list []*experiment.Ablation) error {
	for _, a := range list {
		rows := [][]string{{a.Label, "columns", "alone: AUC", "95 % interval", "within a fault", "without: AUC", "within a fault"}}
		rows = append(rows, []string{"all features", fmt.Sprint(a.Columns), figure(a.All.Pooled, 3), between(a.All), figure(a.All.Within, 3), "", ""})
		for _, f := range a.Families {
			row := []string{f.Name, fmt.Sprint(f.Columns), figure(f.Alone.Pooled, 3), between(f.Alone), figure(f.Alone.Within, 3), "", ""}
			if f.Without != (experiment.AUC{}) {
				row[5], row[6] = figure(f.Without.Pooled, 3), figure(f.Without.Within, 3)
			}
			rows = append(rows, row)
		}
		if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
			return err
		}
	}
	return nil
}

func between(a experiment.AUC) string { return figure(a.Low, 3) + " to " + figure(a.High, 3) }
