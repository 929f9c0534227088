package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// Of two columns one tells which mutants are killed: alone it is worth all, and
// without it nothing is left.
func TestAblationTellsWhatOnlyOneFamilyTells(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	var subjects []subject.Subject
	for i := range 8 {
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"idle", "telling"}, Reveals: matrix.BitsOf(4, 0)}
		var rows [][]float64
		for m := range 100 {
			kill, x := matrix.NewBits(4), rng.Float64()
			if x+0.2*rng.Float64() > 0.6 {
				kill.Set(1)
			}
			s.Mutants, s.Kills = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill)
			rows = append(rows, []float64{rng.Float64(), x})
		}
		s.Features = subjecttest.Pack(rows)
		subjects = append(subjects, s)
	}
	opts := Options{Seed: 1, Folds: 4, Train: train.Options{Rounds: 10}}
	part := opts.parts()[1]
	choices := [][]int{{0, 1}, {1}, others([]int{1}, 2)}
	got, err := part.ablate(t.Context(), subjects, choices, opts)
	if err != nil {
		t.Fatal(err)
	}
	if all, alone, without := got[0].Pooled, got[1].Pooled, got[2].Pooled; all < 0.9 || alone < 0.9 || without > 0.6 {
		t.Errorf("AUC of all %.3f, of the telling one alone %.3f, without it %.3f", all, alone, without)
	}
	for k, places := range choices {
		if want := crossValidatedAUC(t, &part, withColumns(subjects, places), opts); got[k] != want {
			t.Errorf("columns %v: %+v, cross-validation gives %+v", places, got[k], want)
		}
	}
	// A sample judges, too; what is learnt from it is what cross-validation learns from it.
	opts.Sample = 40
	sampled, err := part.ablate(t.Context(), subjects, choices[:2], opts)
	if err != nil || sampled[0] == got[0] || sampled[0].Pooled < 0.85 || sampled[1].Pooled < 0.85 {
		t.Errorf("of 40 mutants a fault: %+v, %v", sampled, err)
	}
	if got := others([]int{0, 2}, 5); !slices.Equal(got, []int{1, 3, 4}) {
		t.Errorf("others %v", got)
	}
}

// crossValidatedAUC is what cross-validating one model gives, all mutants judging.
func crossValidatedAUC(t *testing.T, part *modelPart, subjects []subject.Subject, opts Options) AUC {
	t.Helper()
	_, judge, err := part.judgedBy()
	if err != nil {
		t.Fatal(err)
	}
	scores, err := part.crossValidate(t.Context(), subjects, opts, part.label, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := crossval.Assess(t.Context(), subjects, judge, scores, significance.Bootstrap{Seed: opts.Seed})
	if err != nil {
		t.Fatal(err)
	}
	return aucOf(q)
}
