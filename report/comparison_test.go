package report

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
)

// signal learns nothing: it scores by the first feature.
func signal(context.Context, crossval.TrainingSet) (crossval.Predictor, error) {
	return func(rows *crossval.Rows) ([]float64, error) {
		scores := rows.Column(0)
		for i := range scores {
			scores[i] /= 2
		}
		return scores, nil
	}, nil
}

// evaluated judges that and simulates orders made of it, on small made-up subjects.
func evaluated(t *testing.T) (*simulate.Comparison, []*crossval.Quality) {
	t.Helper()
	subjects := subjecttest.Learnable(rand.New(rand.NewPCG(8, 8)), 12)
	boot := significance.Bootstrap{Replicates: 100, Seed: 1}
	label, err := dataset.LookupLabel("fault-revealing")
	if err != nil {
		t.Fatal(err)
	}
	fault, err := crossval.Run(t.Context(), subjects, label, signal, crossval.Options{Folds: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	quality, err := crossval.Assess(t.Context(), subjects, label, fault, boot)
	if err != nil {
		t.Fatal(err)
	}
	scored, err := crossval.WithScores(subjects, fault, nil)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := simulate.Run(t.Context(), scored, simulate.Options{
		Strategies: []predict.Strategy{predict.FaRM, predict.FaRMStar, predict.Random}, Repetitions: 20, Seed: 1,
		Budgets: []simulate.Budget{simulate.Share(predict.Percent(5)), simulate.Share(predict.Percent(20))},
	})
	if err != nil {
		t.Fatal(err)
	}
	comparison, err := simulate.Compare(t.Context(), sim, simulate.CompareOptions{Bootstrap: boot})
	if err != nil {
		t.Fatal(err)
	}
	return comparison, []*crossval.Quality{quality}
}

func indented(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

func TestTheTablesLookLikeTheGoldenFiles(t *testing.T) {
	c, q := evaluated(t)
	for name, write := range map[string]func(*bytes.Buffer) error{
		"comparison.txt":  func(b *bytes.Buffer) error { return writeComparisonText(b, c) },
		"comparison.csv":  func(b *bytes.Buffer) error { return writeComparisonCSV(b, c) },
		"comparison.json": func(b *bytes.Buffer) error { return indented(b, c) },
		"quality.txt":     func(b *bytes.Buffer) error { return writeQualityText(b, q) },
		"quality.csv":     func(b *bytes.Buffer) error { return writeQualityCSV(b, q) },
		"quality.json":    func(b *bytes.Buffer) error { return indented(b, q) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("testdata", name+".golden"), out.Bytes())
	}
}

func TestJSONAndCSVHoldTheSameFigures(t *testing.T) {
	c, _ := evaluated(t)
	var asJSON, asCSV bytes.Buffer
	if err := errors.Join(indented(&asJSON, c), writeComparisonCSV(&asCSV, c)); err != nil {
		t.Fatal(err)
	}
	var back simulate.Comparison
	if err := json.Unmarshal(asJSON.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	exact := cmp.Comparer(func(a, b number.Float) bool { return a == b || a != a && b != b })
	if diff := cmp.Diff(*c, back, exact); diff != "" {
		t.Error("JSON does not read back:", diff)
	}
	rows, err := csv.NewReader(&asCSV).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(c.Rows)+1 {
		t.Fatalf("%d CSV lines for %d rows", len(rows), len(c.Rows))
	}
	for i, r := range c.Rows {
		if rows[i+1][0] != r.Measure || rows[i+1][1] != r.Strategy || rows[i+1][3] != digits(r.Mean) || len(rows[i+1]) != len(rows[0]) {
			t.Errorf("CSV line %v for %+v", rows[i+1], r)
		}
	}
}

func TestUndefinedFiguresAreNeverZeros(t *testing.T) {
	nan := number.Float(math.NaN())
	text, err := json.Marshal([]number.Float{nan, 0, number.Float(math.Inf(1))})
	if err != nil || string(text) != "[null,0,null]" {
		t.Errorf("JSON %s, %v", text, err)
	}
	if digits(nan) != "" || dashed(nan, 2) != "-" || signed(nan, 2) != "-" || pValue(nan) != "-" {
		t.Error("an undefined figure is printed as a number")
	}
	if dashed(-0.001, 1) != "0.0" || signed(0.001, 1) != "0.0" || signed(1.25, 1) != "+1.2" || signed(-3, 0) != "-3" {
		t.Error("signs of rounded figures")
	}
	if pValue(.00001) != "<.0001" || pValue(.05) != "0.0500" {
		t.Error("p-values")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAFailingWriterIsReported(t *testing.T) {
	c, q := evaluated(t)
	for name, err := range map[string]error{
		"text": writeComparisonText(fullDisk{}, c), "csv": writeComparisonCSV(fullDisk{}, c),
		"quality text": writeQualityText(fullDisk{}, q), "quality csv": writeQualityCSV(fullDisk{}, q),
	} {
		if err == nil {
			t.Errorf("%s: a full disk went unnoticed", name)
		}
	}
}
