package experiment

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// revealing are subjects of which a column tells, with noise, what analysing a mutant
// is worth: above .8 it is killed by the test that reveals the fault, half of them by
// another too, above .4 by others alone.
func revealing(problems int) []subject.Subject {
	rng := rand.New(rand.NewPCG(17, 1))
	var out []subject.Subject
	for i := range problems {
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"telling", "noise"}, Reveals: matrix.BitsOf(4, 0)}
		var rows [][]float64
		for m := range 60 {
			kill, x := matrix.NewBits(4), rng.Float64()
			if x > 0.8 {
				kill.Set(0)
			}
			if x > 0.4 && (x <= 0.8 || m%2 == 0) {
				kill.Set(1 + m%3)
			}
			s.Mutants, s.Kills = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m), Statement: m}), append(s.Kills, kill)
			rows = append(rows, []float64{x + 0.1*rng.NormFloat64(), rng.Float64()})
		}
		s.Features = subjecttest.Pack(rows)
		out = append(out, s)
	}
	return out
}

func smallOptions() Options {
	return Options{Seed: 1, Folds: 4, Repetitions: 2, Train: train.Options{Rounds: 12, MinLeafSamples: 5}, Strategies: []predict.Strategy{predict.Winnow}}
}

// bundleOf does what Train does once a history is read.
func bundleOf(t *testing.T, subjects []subject.Subject, opts Options) (*models.Bundle, *crossValidated) {
	t.Helper()
	_, scores, err := judge(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	b := &models.Bundle{Card: models.Card{Name: "m", Version: "1", CreatedBy: "a test", Data: "drawn", Features: subjects[0].Columns,
		Schema: models.HashColumns(columnsCalled(subjects[0].Columns))}}
	for _, part := range opts.parts() {
		if *part.ensemble(b), err = part.fit(t.Context(), subjects, opts); err != nil {
			t.Fatal(err)
		}
	}
	if b.Card.Calibrations, err = calibrate(subjects, scores, opts); err != nil {
		t.Fatal(err)
	}
	return b, scores
}

func columnsCalled(names []string) (out []models.Column) {
	for _, name := range names {
		out = append(out, models.Column{Name: name})
	}
	return out
}

// scoredBy is what a bundle, saved and loaded again, says of a subject's mutants.
func scoredBy(t *testing.T, b *models.Bundle, s *subject.Subject) []predict.Score {
	t.Helper()
	dir := t.TempDir() + "/m"
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	loaded, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := predict.NewBundleScorer(loaded, columnsCalled(s.Columns))
	if err != nil {
		t.Fatal(err)
	}
	out := slices.Clone(s.Mutants)
	if err := scorer.Apply(out, s.Features.Dense()); err != nil {
		t.Fatal(err)
	}
	return out
}

// By default the model of revelation ranks, and yet what the bundle says of a mutant is
// a probability, by which orders and budgets go.
func TestATrainedModelRanksByRevelationAndSaysProbabilities(t *testing.T) {
	subjects := revealing(10)
	learnt, fresh := subjects[:8], &subjects[8]
	b, scores := bundleOf(t, learnt, smallOptions())
	if b.Reveal.Objective != tree.Ranking || !scores.ranked {
		t.Fatalf("the model of revelation gives %s", b.Reveal.Objective)
	}
	mutants := scoredBy(t, b, fresh)
	worth, err := worthOf(subjects)
	if err != nil {
		t.Fatal(err)
	}
	expected, there := 0.0, 0.0
	for m := range mutants {
		if p := mutants[m].Reveal; !(p > 0 && p < 1) {
			t.Fatalf("mutant %d: revelation %v", m, p)
		}
		expected, there = expected+mutants[m].Reveal, there+worth[8][m].Target
	}
	if expected < there/2 || expected > 2*there {
		t.Errorf("%.1f revelations expected, there are %.1f", expected, there)
	}
	order, err := predict.Winnow.Order(mutants, 1)
	if err != nil {
		t.Fatal(err)
	}
	head := 0.0
	for _, m := range order[:6] {
		head += worth[8][m].Target
	}
	if head < 3 { // of 60 mutants, about 9 are worth analysing
		t.Errorf("the first six of the order are worth %.1f", head)
	}
	cost := slices.Repeat([]float64{1}, len(mutants))
	bought := predict.Afford(mutants, cost, 12)
	if bought.Count != 12 || !(bought.LostRevelation > 0 && bought.LostRevelation < 0.8) {
		t.Errorf("a budget for 12 of 60 buys %d and loses %.2f of the revelation", bought.Count, bought.LostRevelation)
	}
}

func TestTheModelOfRevelationIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	subjects, opts := revealing(8), smallOptions()
	var texts [2]bytes.Buffer
	var curves [2]models.Calibration
	var probabilities [2][][]float64
	for k, workers := range []int{1, 3} {
		opts.Workers = workers
		b, scores := bundleOf(t, subjects, opts)
		if err := lightgbm.Write(&texts[k], b.Reveal); err != nil {
			t.Fatal(err)
		}
		curves[k], probabilities[k] = b.Calibration(models.RevealFile), scores.revelation
	}
	if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) || !cmp.Equal(curves[0], curves[1]) || !cmp.Equal(probabilities[0], probabilities[1]) {
		t.Error("three workers make another model of revelation than one")
	}
}

// A mutant's probability must not rest on what the mutants of its own fold turned out
// to be worth, which is what evaluation measures.
func TestProbabilitiesOfAFoldDoNotRestOnItsOwnLabels(t *testing.T) {
	subjects := revealing(9)
	scores := &crossval.OutOfFold{Label: RevealLabel}
	rng := rand.New(rand.NewPCG(18, 1))
	for i := range subjects {
		scores.Fold = append(scores.Fold, i%3)
		raw := make([]float64, len(subjects[i].Mutants))
		for m := range raw {
			raw[m] = 5*rng.NormFloat64() - 10
		}
		scores.Scores = append(scores.Scores, raw)
	}
	before, err := crossCalibrate(t.Context(), subjects, scores, 2)
	if err != nil {
		t.Fatal(err)
	}
	for own := range 3 {
		changed := slices.Clone(subjects)
		for i := range changed {
			if scores.Fold[i] == own { // now every mutant reveals
				changed[i].Kills = slices.Repeat([]matrix.Bits{matrix.BitsOf(4, 0)}, len(changed[i].Kills))
			}
		}
		after, err := crossCalibrate(t.Context(), changed, scores, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := range subjects {
			if same := cmp.Equal(before[i], after[i]); same != (scores.Fold[i] == own) {
				t.Errorf("the labels of fold %d were changed; probabilities of fold %d are the same: %v", own, scores.Fold[i], same)
			}
		}
	}
	for i, raw := range scores.Scores {
		for m := range raw {
			for k := range raw {
				if raw[m] < raw[k] && before[i][m] >= before[i][k] {
					t.Fatalf("scores %v and %v become %v and %v", raw[m], raw[k], before[i][m], before[i][k])
				}
			}
		}
	}
}

// What evaluation simulates is on the scale of the bundle that is released: the
// probabilities expected and what there is agree.
func TestEvaluationExpectsWhatThereIs(t *testing.T) {
	subjects := revealing(12)
	scores, err := crossValidate(t.Context(), subjects, smallOptions())
	if err != nil {
		t.Fatal(err)
	}
	worth, err := worthOf(subjects)
	if err != nil {
		t.Fatal(err)
	}
	expected, there, n := 0.0, 0.0, 0.0
	attached := scores.attach(subjects)
	for i := range attached {
		for m := range attached[i].Mutants {
			p := attached[i].Mutants[m].Reveal
			if !(p > 0 && p < 1) {
				t.Fatalf("revelation %v", p)
			}
			expected, there, n = expected+p, there+worth[i][m].Target, n+1
		}
	}
	if math.Abs(expected-there) > 0.03*n {
		t.Errorf("%.1f expected of %v, there are %.1f", expected, n, there)
	}
}

// A model that is continued stays what it is, whichever loss models begin with today:
// those that were released before learnt probabilities.
func TestAContinuedModelOfRevelationKeepsItsLoss(t *testing.T) {
	subjects, opts := revealing(8), smallOptions()
	opts.RevealObjective = train.CrossEntropy
	older, scores := bundleOf(t, subjects, opts)
	if _, curve := older.Card.Calibrations[models.RevealFile]; older.Reveal.Objective != tree.Binary || curve || scores.ranked {
		t.Fatalf("by cross-entropy the model of revelation gives %s, with a curve: %v", older.Reveal.Objective, curve)
	}
	newer, _ := bundleOf(t, subjects, smallOptions())
	for _, from := range []*models.Bundle{older, newer} {
		opts := smallOptions()
		opts.WarmStart = from
		b, _ := bundleOf(t, subjects, opts)
		_, curve := b.Card.Calibrations[models.RevealFile]
		if b.Reveal.Objective != from.Reveal.Objective || curve != (b.Reveal.Objective == tree.Ranking) || len(b.Reveal.Trees) != 2*12 {
			t.Errorf("continued from %s: %s, %d trees, with a curve: %v", from.Reveal.Objective, b.Reveal.Objective, len(b.Reveal.Trees), curve)
		}
		for _, s := range scoredBy(t, b, &subjects[0]) {
			if !(s.Reveal > 0 && s.Reveal < 1) {
				t.Fatalf("continued from %s: revelation %v", from.Reveal.Objective, s.Reveal)
			}
		}
	}
	for from, asked := range map[*models.Bundle]train.Objective{older: train.Revelation, newer: train.CrossEntropy} {
		opts := smallOptions()
		opts.WarmStart, opts.RevealObjective = from, asked
		if _, _, err := Train(t.Context(), "unread", models.Card{}, opts); exit.Of(err) != exit.Usage {
			t.Errorf("%s continued by %s: %v", from.Reveal.Objective, asked.Name, err)
		}
	}
	codeflaws, err := released.Open("codeflaws")
	if err != nil {
		t.Fatal(err)
	}
	opts = Options{WarmStart: codeflaws}
	if got := opts.revealObjective(); got.Link != codeflaws.Reveal.Objective {
		t.Errorf("the released model, which gives %s, is continued by %s", codeflaws.Reveal.Objective, got.Name)
	}
}

// Learners that cannot rank learn probabilities, as all did; losses that no bundle could
// hold are refused before anything is read.
func TestTheLossOfRevelationIsOneThatTheLearnerKnows(t *testing.T) {
	for _, c := range []struct {
		learner train.Learner
		want    string
	}{{train.Learner{}, "revelation"}, {train.Boosting, "revelation"}, {train.LogisticRegression, "cross-entropy"}, {train.DecisionTree, "cross-entropy"}} {
		opts := smallOptions()
		opts.Learner = c.learner
		if got := opts.revealObjective().Name; got != c.want {
			t.Errorf("%s learns by %s", c.learner.Name, got)
		}
		if b, _ := bundleOf(t, revealing(8), opts); b.Validate() != nil {
			t.Errorf("%s: %v", c.learner.Name, b.Validate())
		}
	}
	for _, opts := range []Options{{RevealObjective: train.Squared}, {RevealObjective: train.Logistic}, {RevealObjective: train.NDCG, Learner: train.DecisionTree}} {
		if _, err := Evaluate(t.Context(), "unread", nil, opts); exit.Of(err) != exit.Usage {
			t.Errorf("%s: %v", opts.RevealObjective.Name, err)
		}
	}
}

// A history whose mutants reveal nothing has no order to learn, and its models of kills
// are worth having.
func TestAHistoryThatRevealsNothingStillMakesAModel(t *testing.T) {
	subjects := revealing(8)
	for i := range subjects {
		for m := range subjects[i].Kills {
			subjects[i].Kills[m] = matrix.BitsOf(4, 1+m%2)
			if m%3 == 0 {
				subjects[i].Kills[m] = matrix.NewBits(4)
			}
		}
	}
	subjects[0].Kills[0] = matrix.BitsOf(4, 0) // but for one: folds differ in what they see
	opts := smallOptions()
	b, _ := bundleOf(t, subjects, opts)
	for _, s := range scoredBy(t, b, &subjects[1]) {
		if !(s.Reveal > 0 && s.Reveal < 0.2) {
			t.Fatalf("revelation %v", s.Reveal)
		}
	}
	part := opts.parts()[3]
	if _, err := part.importance(t.Context(), subjects, opts); err != nil {
		t.Error(err)
	}
}
