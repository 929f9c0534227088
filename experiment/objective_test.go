package experiment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// A model that ranks within a fault is judged by its order, on no scale; what needs
// probabilities refuses it.
func TestAModelThatRanksIsJudgedByItsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	var subjects []subject.Subject
	for i := range 8 {
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"telling"}, Reveals: matrix.BitsOf(4, 0)}
		var rows [][]float64
		for m := range 60 {
			kill, x := matrix.NewBits(4), rng.Float64()
			if x > 0.8 {
				kill.Set(0) // by the test that reveals the fault
			} else if x > 0.4 {
				kill.Set(1)
			}
			s.Mutants, s.Kills = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill)
			rows = append(rows, []float64{x})
		}
		s.Features = subjecttest.Pack(rows)
		subjects = append(subjects, s)
	}
	for _, o := range train.Objectives() {
		if o.Listwise == nil {
			continue
		}
		opts := Options{Seed: 1, Folds: 4, Repetitions: 3, Objective: o, Train: train.Options{Rounds: 10}, Strategies: []predict.Strategy{predict.FaRM}}
		evaluation, _, err := judge(t.Context(), subjects, opts)
		if err != nil {
			t.Fatal(err)
		}
		if q := evaluation.Qualities[0]; q.SubjectAUCMean < 0.95 {
			t.Errorf("%s: AUC within a fault %.3f", o.Name, float64(q.SubjectAUCMean))
		}
		if _, _, err := Train(t.Context(), "unread", models.Card{}, opts); exit.Of(err) != exit.Usage {
			t.Errorf("%s: trained a model: %v", o.Name, err)
		}
	}
}
