package report

import (
	"io"

	"github.com/winnow-mutants/winnow/evaluate"
)

// LearningCurve is how good the models of one label are that learn from a growing
// share of the groups that no fold splits. All are judged on the same folds.
type LearningCurve struct {
	Label string `json:"label"`
	// Judged is the label by whose truth the models are judged.
	Judged string       `json:"judged"`
	Points []CurvePoint `json:"points"`
}

// CurvePoint is one share.
type CurvePoint struct {
	Share evaluate.Number `json:"share"`
	// Groups and Mutants are what a model learns from: means over the folds.
	Groups  evaluate.Number `json:"groups"`
	Mutants evaluate.Number `json:"mutants"`
	AUC     AUC             `json:"auc"`
}

// WriteLearningCurves writes a table a label.
func WriteLearningCurves(w io.Writer, list []*LearningCurve) error {
	for _, c := range list {
		rows := [][]string{{c.Label + ", learnt from", "groups", "mutants", "AUC", "95 % interval", "within a fault"}}
		for _, p := range c.Points {
			rows = append(rows, []string{figure(100*p.Share, 1) + " %", figure(p.Groups, 1), figure(p.Mutants, 0), figure(p.AUC.Pooled, 3), p.AUC.interval(), figure(p.AUC.Within, 3)})
		}
		if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
			return err
		}
	}
	return nil
}
