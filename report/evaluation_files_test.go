package report

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
)

// readCSV returns the lines of a file as maps by the header.
func readCSV(t *testing.T, path string) (out []map[string]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		out = append(out, line)
	}
	return out
}

func TestAnEvaluationIsWrittenAsTablesForPrograms(t *testing.T) {
	nan := number.Float(0)
	nan /= nan
	auc := func(x number.Float) experiment.AUC {
		return experiment.AUC{Pooled: x, Low: x - 0.125, High: x + 0.125, Within: nan}
	}
	s := &experiment.Evaluation{
		Comparison: &simulate.Comparison{Rows: []simulate.ComparisonRow{{Measure: "APFD", Strategy: "random", Mean: 0.5}}},
		Qualities:  []*crossval.Quality{{Learnt: "killable", Judged: "killable", AUC: 0.75}},
		Importance: []*experiment.Importance{{Label: "killable", Families: []experiment.Worth{{Name: "syntax", Columns: 3, Gain: 0.25, Loss: 0.5}}, Features: []experiment.Worth{{Name: "c_depth", Columns: 1, Gain: 0.125}}}},
		Ablation: []*experiment.Ablation{{Label: "killable", Sample: 60, Columns: 10, All: auc(0.75), Families: []experiment.AblatedFamily{
			{Name: "syntax", Columns: 3, Alone: auc(0.5), Without: auc(0.625)}, {Name: "whole", Columns: 10, Alone: auc(0.75)}}}},
		LearningCurve: []*experiment.LearningCurve{{Label: "fault-revealing", Judged: "fault-revealing", Points: []experiment.CurvePoint{{Share: 0.5, Groups: 4.5, Mutants: 90, AUC: auc(0.5)}}}},
	}
	dir := filepath.Join(t.TempDir(), "made")
	if err := WriteEvaluationFiles(dir, s); err != nil {
		t.Fatal(err)
	}
	type line struct{ file, key, value, column, want string }
	for _, want := range []line{
		{"qualities.csv", "learnt", "killable", "auc", "0.75"},
		{"comparison.csv", "strategy", "random", "mean", "0.5"},
		{"importance.csv", "name", "syntax", "gain", "0.25"},
		{"importance.csv", "name", "syntax", "of", "family"},
		{"importance.csv", "name", "c_depth", "of", "feature"},
		{"ablation.csv", "learnt_from", "all", "columns", "10"},
		{"ablation.csv", "learnt_from", "without", "columns", "7"},
		{"ablation.csv", "learnt_from", "without", "auc_low", "0.5"},
		{"ablation.csv", "learnt_from", "alone", "subject_auc_mean", ""},
		{"learning-curve.csv", "label", "fault-revealing", "share", "0.5"},
		{"learning-curve.csv", "label", "fault-revealing", "groups", "4.5"},
	} {
		lines := readCSV(t, filepath.Join(dir, want.file))
		at := slices.IndexFunc(lines, func(l map[string]string) bool { return l[want.key] == want.value })
		if at < 0 || lines[at][want.column] != want.want {
			t.Errorf("%s: %s of %s is not %q in %v", want.file, want.column, want.value, want.want, lines)
		}
	}
	if n := len(readCSV(t, filepath.Join(dir, "ablation.csv"))); n != 4 {
		t.Errorf("%d lines of an ablation with nothing left without one family", n)
	}
	text, err := os.ReadFile(filepath.Join(dir, "evaluation.json"))
	var back experiment.Evaluation
	if err != nil || json.Unmarshal(text, &back) != nil || back.Ablation[0].Sample != 60 || back.LearningCurve[0].Points[0].Groups != 4.5 {
		t.Errorf("%v: %s", err, text)
	}

	s.Importance, s.Ablation, s.LearningCurve = nil, nil, nil
	other := t.TempDir()
	if err := WriteEvaluationFiles(other, s); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(other); err != nil || len(files) != 3 {
		t.Errorf("%v, %v where no more was asked for", files, err)
	}
}
