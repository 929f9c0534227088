package report

import (
	"io"

	"github.com/winnow-mutants/winnow/experiment"
)

// WriteLearningCurves writes a table a label.
func WriteLearningCurves(w io.Writer, list []*experiment.LearningCurve) error {
	for _, c := range list {
		rows := [][]string{{c.Label + ", learnt from", "groups", "mutants", "AUC", "95 % interval", "within a fault"}}
		for _, p := range c.Points {
			rows = append(rows, []string{figure(100*p.Share, 1) + " %", figure(p.Groups, 1), figure(p.Mutants, 0), figure(p.AUC.Pooled, 3), between(p.AUC), figure(p.AUC.Within, 3)})
		}
		if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
			return err
		}
	}
	return nil
}
