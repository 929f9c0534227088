package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment"
)

func TestAblationIsATableALabel(t *testing.T) {
	var text bytes.Buffer
	auc := experiment.AUC{Pooled: 0.8, Low: 0.7, High: 0.9, Within: 0.85}
	err := WriteAblation(&text, []*experiment.Ablation{{Label: "killable", Columns: 9, All: auc, Families: []experiment.AblatedFamily{{Name: "syntax", Columns: 9, Alone: auc}}}})
	if err != nil || !strings.Contains(text.String(), "0.700 to 0.900") || strings.Count(text.String(), "0.850") != 2 {
		t.Errorf("%v: %s", err, text.String())
	}
}

func TestALearningCurveIsATableALabel(t *testing.T) {
	var text bytes.Buffer
	auc := experiment.AUC{Pooled: 0.8, Low: 0.7, High: 0.9, Within: 0.85}
	err := WriteLearningCurves(&text, []*experiment.LearningCurve{{Label: "killable", Judged: "killable", Points: []experiment.CurvePoint{{Share: 0.125, Groups: 2, Mutants: 160, AUC: auc}}}})
	if err != nil || !strings.Contains(text.String(), "killable, learnt from") || !strings.Contains(text.String(), "12.5 %") || !strings.Contains(text.String(), "0.700 to 0.900") {
		t.Errorf("%v\n%s", err, text.String())
	}
}
