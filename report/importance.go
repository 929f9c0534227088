package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/experiment"
)

// WriteImportance writes the families, the features that gain most, and FaRM's groups.
func WriteImportance(w io.Writer, list []*experiment.Importance) error {
	for _, i := range list {
		for _, part := range []struct {
			name string
			rows []experiment.Worth
		}{{"family", i.Families}, {"feature", i.Features}} {
			rows := [][]string{{i.Label + ", " + part.name, "columns", "gain %", "loss without +%"}}
			for _, r := range part.rows {
				rows = append(rows, []string{r.Name, fmt.Sprint(r.Columns), figure(100*r.Gain, 1), figure(100*r.Loss, 2)})
			}
			if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
				return err
			}
		}
		if i.Published == nil {
			continue
		}
		rows := [][]string{{i.Label + ", group of FaRM", "columns", "gain %", "published %"}}
		for _, r := range i.Published {
			rows = append(rows, []string{r.Name, fmt.Sprint(r.Columns), figure(100*r.Gain, 1), figure(100*r.Published, 1)})
		}
		if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
			return err
		}
	}
	return nil
}
