package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/evaluate"
)

// Ablation is how well one label is learnt with each family of features alone and
// with all but it.
type Ablation struct {
	Label string `json:"label"`
	// Sample bounds the mutants of a fault that were learnt from, and judged; 0 is
	// all.
	Sample int `json:"sample,omitempty"`
	// All is with all features, of which there are Columns.
	Columns  int             `json:"columns"`
	All      AUC             `json:"all"`
	Families []AblatedFamily `json:"families"`
}

// AblatedFamily is one family of features.
type AblatedFamily struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Alone is with this family only, Without with all the others; zero where
	// there are no others.
	Alone   AUC `json:"alone"`
	Without AUC `json:"without"`
}

// AUC is the area under the ROC curve over all mutants of all programs, with its
// 95 % interval, and its mean within a program.
type AUC struct {
	Pooled evaluate.Number `json:"pooled"`
	Low    evaluate.Number `json:"low"`
	High   evaluate.Number `json:"high"`
	Within evaluate.Number `json:"within"`
}

// WriteAblation writes a table a label.
func WriteAblation(w io.Writer, list []*Ablation) error {
	for _, a := range list {
		rows := [][]string{{a.Label, "columns", "alone: AUC", "95 % interval", "within a fault", "without: AUC", "within a fault"}}
		rows = append(rows, []string{"all features", fmt.Sprint(a.Columns), figure(a.All.Pooled, 3), a.All.interval(), figure(a.All.Within, 3), "", ""})
		for _, f := range a.Families {
			row := []string{f.Name, fmt.Sprint(f.Columns), figure(f.Alone.Pooled, 3), f.Alone.interval(), figure(f.Alone.Within, 3), "", ""}
			if f.Without != (AUC{}) {
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

func (a AUC) interval() string { return figure(a.Low, 3) + " to " + figure(a.High, 3) }
