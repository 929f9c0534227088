package predict

import (
	"bufio"
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/dmitryikh/leaves"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
)

// inLeaves hands a model to leaves, an independent reader of LightGBM's text.
func inLeaves(t testing.TB, e *tree.Ensemble) *leaves.Ensemble {
	t.Helper()
	var text bytes.Buffer
	if err := lightgbm.Write(&text, e); err != nil {
		t.Fatal(err)
	}
	const withLink = true // probabilities instead of log-odds
	model, err := leaves.LGEnsembleFromReader(bufio.NewReader(&text), withLink)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// rowsFor draws rows from the range that a model has seen, some of their values
// missing.
func rowsFor(e *tree.Ensemble, n int) [][]float64 {
	rng := rand.New(rand.NewPCG(41, 1))
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, len(e.Features))
		for k, f := range e.Features {
			switch rng.IntN(10) {
			case 0:
				rows[i][k] = math.NaN()
			case 1, 2, 3:
				rows[i][k] = f.Min + rng.Float64()*(f.Max-f.Min)
			}
		}
	}
	return rows
}

func releasedModel(t testing.TB) (fault, kill *tree.Ensemble) {
	t.Helper()
	b, err := models.Load("../models/released/codeflaws")
	if err != nil {
		t.Fatal(err)
	}
	return b.Fault, b.Kill
}

func TestTheReleasedModelScoresAsInLeaves(t *testing.T) {
	fault, kill := releasedModel(t)
	s, err := scorerOfTwo(fault, kill)
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsFor(fault, 3000)
	gotFault, gotKill, err := s.scores(rows)
	if err != nil {
		t.Fatal(err)
	}
	slowFault, slowKill := inLeaves(t, fault), inLeaves(t, kill)
	for i, row := range rows {
		wantFault, wantKill := slowFault.PredictSingle(row, 0), slowKill.PredictSingle(row, 0)
		if gotFault[i] != wantFault || gotKill[i] != wantKill {
			t.Fatalf("row %d: %v and %v, leaves says %v and %v", i, gotFault[i], gotKill[i], wantFault, wantKill)
		}
	}
}

// The benchmarks score the same rows, with the released fault model and with a
// thousand trees of the released model: those of its ensembles, one after the other,
// and of the first again.
func BenchmarkScore(b *testing.B)         { compiled(b, releasedTrees(b, 200)) }
func BenchmarkScoreByLeaves(b *testing.B) { byLeaves(b, releasedTrees(b, 200)) }

func BenchmarkScoreThousandTrees(b *testing.B)         { compiled(b, releasedTrees(b, 1000)) }
func BenchmarkScoreThousandTreesByLeaves(b *testing.B) { byLeaves(b, releasedTrees(b, 1000)) }

// releasedTrees is so many trees of the released model as one ensemble.
func releasedTrees(b *testing.B, trees int) *tree.Ensemble {
	model, err := models.Load("../models/released/codeflaws")
	if err != nil {
		b.Fatal(err)
	}
	out := *model.Fault
	for _, more := range []*tree.Ensemble{model.Kill, model.Reveal, model.Late, model.Fault} {
		out.Trees = slices.Concat(out.Trees, more.Trees)
	}
	out.Trees = out.Trees[:trees]
	return &out
}

func compiled(b *testing.B, e *tree.Ensemble) {
	rows := rowsFor(e, 4096)
	model, err := tree.Compile(e)
	if err != nil {
		b.Fatal(err)
	}
	perSecond(b, len(rows), func() {
		if _, err := model.PredictAll(rows); err != nil {
			b.Fatal(err)
		}
	})
}

func byLeaves(b *testing.B, e *tree.Ensemble) {
	rows := rowsFor(e, 4096)
	model := inLeaves(b, e)
	perSecond(b, len(rows), func() {
		for _, row := range rows {
			model.PredictSingle(row, 0)
		}
	})
}

// perSecond reports rows by the second of CPU, which other work on the machine does
// not change as much as that of the clock.
func perSecond(b *testing.B, rows int, score func()) {
	start := cpuTime(b)
	for b.Loop() {
		score()
	}
	b.ReportMetric(float64(rows*b.N)/(cpuTime(b)-start).Seconds(), "rows/CPU-s")
}

func cpuTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
