package predict

import (
	"bufio"
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dmitryikh/leaves"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

// scorerOf makes a scorer of a bundle whose features mean what they are called.
func scorerOf(t *testing.T, b *models.Bundle) *Scorer {
	t.Helper()
	var table []models.Column
	for _, name := range b.Fault.Names() {
		table = append(table, models.Column{Name: name})
	}
	b.Card.Features, b.Card.Schema = b.Fault.Names(), models.HashColumns(table)
	s, err := NewBundleScorer(b, table)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What leaves reads from reveal.txt are the scores; the card's curve makes
// probabilities of them that are in their order, whichever way rows come.
func TestARevelationThatRanksIsScoredAsInLeavesAndByItsCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	size := treetest.Size{Features: 5, Trees: 20, Leaves: 12}
	b := &models.Bundle{Fault: treetest.Ensemble(rng, size), Reveal: treetest.Ensemble(rng, size)}
	for i := range b.Fault.Features {
		b.Fault.Features[i].Name = string(rune('a' + i)) // leaves takes no '='
	}
	b.Reveal.Objective, b.Reveal.Features = tree.Ranking, b.Fault.Features
	b.Kill = b.Fault
	curve := models.Calibration{Method: models.PlattCalibration, Slope: 0.4, Intercept: -2}
	b.Card.Calibrations = map[string]models.Calibration{models.RevealFile: curve}
	var text bytes.Buffer
	if err := lightgbm.Write(&text, b.Reveal); err != nil {
		t.Fatal(err)
	}
	peer, err := leaves.LGEnsembleFromReader(bufio.NewReader(&text), false)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, 500)
	for i := range rows {
		rows[i] = treetest.Row(rng, b.Fault)
	}
	s := scorerOf(t, b)
	mutants, byColumns := make([]Score, len(rows)), make([]Score, len(rows))
	if err := s.Apply(mutants, rows); err != nil {
		t.Fatal(err)
	}
	columns := make([][]float64, size.Features)
	for k := range columns {
		for _, row := range rows {
			columns[k] = append(columns[k], row[k])
		}
	}
	if err := s.ApplyColumns(byColumns, columns); err != nil {
		t.Fatal(err)
	}
	raw := make([]float64, len(rows))
	for i, row := range rows {
		raw[i] = peer.PredictSingle(row, 0)
		want := 1 / (1 + math.Exp(2-0.4*raw[i]))
		if got := mutants[i].Reveal; math.Abs(got-want) > 1e-12 || got != byColumns[i].Reveal {
			t.Fatalf("row %d: %v, by columns %v, by leaves and the curve %v", i, got, byColumns[i].Reveal, want)
		}
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmpFloat(raw[i], raw[k]) })
	for at := 1; at < len(order); at++ {
		if i, k := order[at-1], order[at]; raw[k]-raw[i] > 1e-9 && !(mutants[i].Reveal < mutants[k].Reveal) {
			t.Fatalf("scores %v and %v become %v and %v", raw[i], raw[k], mutants[i].Reveal, mutants[k].Reveal)
		}
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// A reveal.txt of probabilities, as models before had them all, gives these as they are;
// one that ranks has its curve.
func TestTheReleasedModelRanksByTheRevelationOfItsFile(t *testing.T) {
	b, err := models.Load("../models/released/codeflaws")
	if err != nil {
		t.Fatal(err)
	}
	curve := b.Calibration(models.RevealFile)
	want := curve.Apply
	if b.Reveal.Objective == tree.Ranking {
		want = curve.ApplyScore
	}
	rows := rowsFor(b.Fault, 400)
	mutants := make([]Score, len(rows))
	for i := range mutants {
		mutants[i] = Score{ID: string(rune('a'+i/26)) + string(rune('a'+i%26)), Statement: i}
	}
	if err := scorerOf(t, b).Apply(mutants, rows); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if got, p := mutants[i].Reveal, want(b.Reveal.Predict(row)); got != p || !(got > 0 && got < 1) {
			t.Fatalf("row %d: %v, want %v", i, got, p)
		}
	}
	if order, err := Winnow.Order(mutants, 1); err != nil || len(order) != len(mutants) {
		t.Errorf("%d of %d ranked: %v", len(order), len(mutants), err)
	}
}
