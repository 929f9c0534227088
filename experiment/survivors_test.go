package experiment

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// lasting makes programs of which every third mutant is equivalent, which p(kill) knows nothing of. Tests infect mutants by
// chance, few of them or many, and kill two of three that they infect, unless it is equivalent.
func lasting(rng *rand.Rand, n int) (subjects []subject.Subject, kill *crossval.OutOfFold) {
	kill = &crossval.OutOfFold{}
	for i := range n {
		const tests = 16
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Reveals: matrix.NewBits(tests), Faultless: true}
		var scores []float64
		for m := range 90 {
			kills, infected := matrix.NewBits(tests), matrix.NewBits(tests)
			often := rng.Float64()
			for t := range tests {
				if rng.Float64() < often {
					infected.Set(t)
					if m%3 > 0 && rng.IntN(3) > 0 {
						kills.Set(t)
					}
				}
			}
			s.Mutants = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m), File: "a.c", Function: fmt.Sprint("f", m%4), Statement: m})
			s.Kills, s.Reached, s.Infected = append(s.Kills, kills), append(s.Reached, infected), append(s.Infected, infected)
			scores = append(scores, rng.Float64())
		}
		subjects = append(subjects, s)
		kill.Scores, kill.Fold = append(kill.Scores, scores), append(kill.Fold, i%2)
	}
	return subjects, kill
}

var fewTrees = Options{Seed: 1, Train: train.Options{Rounds: 40}}

// What many tests infect and none kills is rarely killed by another test. A model learns that from programs, and tells it of
// others.
func TestAModelOfSurvivorsTellsThoseThatAnotherTestKills(t *testing.T) {
	subjects, kill := lasting(stream.New(5, "test"), 20)
	known, err := crossSurvivors(t.Context(), subjects, kill, fewTrees)
	if err != nil {
		t.Fatal(err)
	}
	qualities, err := judgeSurvivors(t.Context(), subjects, known, significance.Bootstrap{Seed: 1, Replicates: 50})
	if err != nil {
		t.Fatal(err)
	}
	if q, before := qualities[1], qualities[0]; q.Learnt != SurvivorLabel || q.AUC < before.AUC+.2 || q.ECE > .1 || q.Mutants != before.Mutants || q.BaseRate != before.BaseRate {
		t.Errorf("judged %+v, and p(killable) alone %+v", q, before)
	}
	var told, before, best []float64
	var killed []bool
	var infecting []int
	var dies [9]struct{ of, killed float64 } // by how many of the eight tests infect
	half := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for i := range subjects {
		s := &subjects[i]
		scores := slices.Clone(s.Mutants)
		for m := range scores {
			scores[m].Kill = kill.Scores[i][m]
		}
		suite := survivor.SuiteOf(s).At(half)
		if err := known.of(s).Give(scores, suite); err != nil {
			t.Fatal(err)
		}
		for m := range scores {
			if scores[m].Another == 0 {
				continue
			}
			told, before, killed = append(told, scores[m].Another), append(before, scores[m].Kill), append(killed, !s.Kills[m].Empty())
			k := suite.Infected[m].Count()
			infecting = append(infecting, k)
			if dies[k].of++; !s.Kills[m].Empty() {
				dies[k].killed++
			}
		}
	}
	for _, k := range infecting {
		best = append(best, dies[k].killed/dies[k].of)
	}
	auc := func(scores []float64) float64 {
		p, err := metric.NewPredictions(scores, killed)
		if err != nil {
			t.Fatal(err)
		}
		return p.AUC()
	}
	if auc(told) < auc(best)-.03 || auc(best) < auc(before)+.2 {
		t.Errorf("AUC %.3f among %d survivors of unseen programs; %.3f by the tests that infect them, had one known what these say, and %.3f without the tests",
			auc(told), len(told), auc(best), auc(before))
	}
}

// A program has no part in the model that is asked about it, but by the scores that others have of it.
func TestSurvivorsOfAFoldAreNotLearntFromThere(t *testing.T) {
	subjects, kill := lasting(stream.New(6, "test"), 8)
	asked := func(i int) []float64 {
		known, err := crossSurvivors(t.Context(), subjects, kill, fewTrees)
		if err != nil {
			t.Fatal(err)
		}
		other, _ := lasting(stream.New(7, "test"), 1)
		for m := range other[0].Mutants {
			other[0].Mutants[m].Kill = .5
		}
		if err := known.of(&subjects[i]).Give(other[0].Mutants, survivor.SuiteOf(&other[0]).At([]int{0, 1, 2})); err != nil {
			t.Fatal(err)
		}
		var out []float64
		for m := range other[0].Mutants {
			out = append(out, other[0].Mutants[m].Another)
		}
		return out
	}
	first, second := asked(0), asked(1)
	for i := range subjects {
		if kill.Fold[i] == 0 {
			for m := range subjects[i].Kills {
				subjects[i].Kills[m] = subjects[i].Infected[m]
			}
		}
	}
	if again := asked(0); !slices.Equal(first, again) {
		t.Error("the model of the first fold changes when its kills do")
	}
	if again := asked(1); slices.Equal(second, again) {
		t.Error("the model of the second fold does not change when what it is learnt from does")
	}
}

func TestWorkersDoNotChangeTheModelOfSurvivors(t *testing.T) {
	subjects, kill := lasting(stream.New(8, "test"), 6)
	opts := fewTrees
	fit := func(workers int) *models.Ensemble {
		opts.Workers = workers
		e, err := fitAllSurvivors(t.Context(), subjects, kill, models.Calibration{}, opts)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	one, two := fit(1), fit(2)
	if len(one.Trees) == 0 || !reflect.DeepEqual(one, two) {
		t.Error("one worker makes other trees than two")
	}
}

// Where nothing is known of whom tests reach, and where no other test kills any, there is no model.
func TestWithoutSurvivorsThereIsNoModelOfThem(t *testing.T) {
	subjects, kill := lasting(stream.New(9, "test"), 2)
	for i := range subjects {
		subjects[i].Reached = nil
	}
	if e, err := fitAllSurvivors(t.Context(), subjects, kill, models.Calibration{}, fewTrees); e != nil || err != nil {
		t.Errorf("without what is reached: %v, %v", e, err)
	}
	subjects, kill = lasting(stream.New(9, "test"), 2)
	for i := range subjects {
		for m := range subjects[i].Kills {
			subjects[i].Kills[m] = matrix.NewBits(16)
		}
	}
	if e, err := fitAllSurvivors(t.Context(), subjects, kill, models.Calibration{}, fewTrees); e != nil || err != nil {
		t.Errorf("without kills: %v, %v", e, err)
	}
}
