package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// knowing are subjects with one honest feature and one that says too much.
func knowing(name string, says func(s *subject.Subject, m int) bool) []subject.Subject {
	rng := rand.New(rand.NewPCG(10, 1))
	var out []subject.Subject
	for i := range 8 {
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"honest", name}, Reveals: matrix.BitsOf(4, 0, 1)}
		var rows [][]float64
		for m := range 80 {
			kill := matrix.NewBits(4)
			for test := range 4 {
				if rng.IntN(4) == 0 {
					kill.Set(test)
				}
			}
			s.Mutants, s.Kills = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill)
			row := []float64{rng.Float64(), 0}
			if says(&s, m) {
				row[1] = 1
			}
			rows = append(rows, row)
		}
		s.Features = subjecttest.Pack(rows)
		out = append(out, s)
	}
	return out
}

// Training warns of a feature that contains a label, and of a dynamic one that
// was measured with a test that reveals the fault.
func TestTrainingNamesFeaturesThatKnowTheAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		says  func(s *subject.Subject, m int) bool
		wants []string
	}{
		"reach_tests": {func(s *subject.Subject, m int) bool { return m%3 == 0 }, nil},
		"label": {func(s *subject.Subject, m int) bool { return !s.Kills[m].Empty() && s.Kills[m].IsSubset(s.Reveals) },
			[]string{"feature label tells which mutants are fault-revealing", `of fault-revealing, column "label" alone has an AUC of 1.000`}},
		"infect_tests": {func(s *subject.Subject, m int) bool { return s.Kills[m].Get(1) },
			[]string{"feature infect_tests tells what a revealing test kills"}},
	} {
		got, err := leakWarnings(t.Context(), knowing(name, c.says), Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(c.wants) {
			t.Errorf("%s: warnings %q", name, got)
			continue
		}
		for i, want := range c.wants {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: warning %q, want %q", name, got[i], want)
			}
		}
	}
}

// Trees that are free to memorise learn nothing from labels that were permuted,
// unless something leaks around the folds. The same trees on the labels as they
// are learn a lot, so that the test can fail.
func TestPermutedLabelsCannotBeLearnt(t *testing.T) {
	auc := func(permute bool) float64 {
		rng := rand.New(rand.NewPCG(9, 1))
		var subjects []subject.Subject
		for i := range 100 {
			s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i/2), Fault: "f", Columns: []string{"a", "b", "c", "d"}, Reveals: matrix.BitsOf(2, 0)}
			level := rng.Float64() // of the program: what leaks when a fold splits it
			var rows [][]float64
			for m := range 120 {
				row := []float64{rng.Float64(), rng.Float64(), level, float64(m % 7)}
				kill := matrix.NewBits(2)
				if row[0]+0.3*rng.Float64() > 0.6 {
					kill.Set(m % 2)
				}
				s.Mutants, s.Kills, rows = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill), append(rows, row)
			}
			s.Features = subjecttest.Pack(rows)
			if permute {
				rng.Shuffle(len(s.Kills), func(i, j int) { s.Kills[i], s.Kills[j] = s.Kills[j], s.Kills[i] })
			}
			subjects = append(subjects, s)
		}
		label, err := dataset.LookupLabel(KillLabel)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := crossval.Run(t.Context(), subjects, label, (&Options{Train: train.Options{Rounds: 15}, Seed: 1}).Fit(), crossval.Options{Folds: 4, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		judge, err := crossval.NewJudge(subjects, label)
		if err != nil {
			t.Fatal(err)
		}
		p, err := judge.Predictions(scores)
		if err != nil {
			t.Fatal(err)
		}
		return p.AUC()
	}
	if got := auc(true); math.Abs(got-0.5) > 0.02 {
		t.Errorf("AUC %.3f of permuted labels", got)
	}
	if got := auc(false); got < 0.85 {
		t.Errorf("AUC %.3f of the labels as they are", got)
	}
}
