package experiment

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
)

// Leak is a feature that knows what only running the tests can tell.
type Leak struct {
	Column string
	// Of is what it knows, e.g. "what a revealing test kills".
	Of string
	// Agreement is the mean over subjects of |2 AUC - 1|: 1 when the feature
	// sorts the mutants of each subject perfectly.
	Agreement float64
}

// The audit's bounds. A subject counts when both classes have a few mutants,
// since two or three are sorted perfectly by chance; a column is judged when
// enough subjects count. No feature of the program's text comes near the
// agreement: killability, the easiest target, is told at .8 of it at best.
const (
	auditClass     = 3
	auditSubjects  = 3
	auditAgreement = 0.95
)

// Audit looks for features that hold the answer: columns that agree, subject
// by subject, with a label or with what a test that reveals the fault kills or
// infects. A feature computed from tests must come from tests that are not
// among those the labels rest on (see Subject.Without); one that saw a revealing
// test of the pool is found here, the best agreeing test of each subject being
// taken, since it is not known which one it saw.
//
// It finds columns that hold an answer as it is. A mixture of several is beyond
// it, and is found by the test with permuted labels only if it is learnt.
func Audit(ctx context.Context, subjects []subject.Subject, display *progress.Display) ([]Leak, error) {
	if err := subject.CheckFeatures(subjects); err != nil {
		return nil, fmt.Errorf("audit features: %w", err)
	}
	answers := make([][]answer, len(subjects))
	for i := range subjects {
		answers[i] = answersOf(&subjects[i])
	}
	columns := subjects[0].Columns
	task := display.Start("looking for features that know the answer", len(columns))
	defer task.Done()
	found, err := parallel.Map(ctx, 0, columns, func(_ context.Context, c int, name string) (*Leak, error) {
		defer task.Add(1)
		return auditColumn(subjects, answers, c, name), nil
	})
	if err != nil {
		return nil, fmt.Errorf("audit features: %w", err)
	}
	var leaks []Leak
	for _, leak := range found {
		if leak != nil {
			leaks = append(leaks, *leak)
		}
	}
	return leaks, nil
}

// LeakError says which columns hold the answer; nil when there is none.
func LeakError(leaks []Leak) error {
	if len(leaks) == 0 {
		return nil
	}
	var texts []string
	for _, l := range leaks {
		texts = append(texts, fmt.Sprintf("%s tells %s (agreement %.3f)", l.Column, l.Of, l.Agreement))
	}
	return fmt.Errorf("features that know the answer make every figure worthless: %s; leave the columns out, or compute them from tests that neither kill nor reveal in this history", strings.Join(texts, "; "))
}

// answer is one thing that a feature must not know.
type answer struct {
	of        string
	positives []int32 // places of mutants
}

func answersOf(s *subject.Subject) []answer {
	var out []answer
	add := func(of string, is func(m int) bool) {
		var positives []int32
		for m := range s.Mutants {
			if is(m) {
				positives = append(positives, int32(m))
			}
		}
		if n := len(positives); n >= auditClass && len(s.Mutants)-n >= auditClass {
			out = append(out, answer{of, positives})
		}
	}
	add("which mutants are killable", func(m int) bool { return !s.Kills[m].Empty() })
	add("which mutants are fault-revealing", func(m int) bool { return !s.Kills[m].Empty() && s.Kills[m].IsSubset(s.Reveals) })
	add("which mutants some revealing test kills", func(m int) bool { return s.Kills[m].Intersects(s.Reveals) })
	for test := range s.Reveals.All() {
		add("what a revealing test kills", func(m int) bool { return s.Kills[m].Get(test) })
		if s.Infected != nil {
			add("what a revealing test infects", func(m int) bool { return s.Infected[m].Get(test) })
		}
	}
	return out
}

// auditColumn returns the answer that a column knows best, if it knows one.
func auditColumn(subjects []subject.Subject, answers [][]answer, column int, name string) *Leak {
	sum, count := map[string]float64{}, map[string]int{}
	var order []string
	for i := range subjects {
		best := map[string]float64{}
		var ranks metric.Midranks // of a constant column none: it knows nothing
		if values, constant := finite(&subjects[i], column); !constant {
			ranks = metric.NewMidranks(values)
		}
		for _, a := range answers[i] {
			agreement := 0.0
			if ranks != nil {
				agreement = math.Abs(2*ranks.AUC(a.positives) - 1)
			}
			best[a.of] = max(best[a.of], agreement)
		}
		for _, a := range answers[i] {
			if got, first := best[a.of]; first {
				if count[a.of] == 0 {
					order = append(order, a.of)
				}
				sum[a.of] += got
				count[a.of]++
				delete(best, a.of)
			}
		}
	}
	var leak *Leak
	for _, of := range order {
		agreement := sum[of] / float64(count[of])
		if count[of] >= auditSubjects && agreement >= auditAgreement && (leak == nil || agreement > leak.Agreement) {
			leak = &Leak{Column: name, Of: of, Agreement: agreement}
		}
	}
	return leak
}

// finite returns a column of a subject with a value below all others where one
// is missing, and whether all are equal.
func finite(s *subject.Subject, column int) (values []float64, constant bool) {
	values = s.Features.Column(column, make([]float64, 0, s.Features.Len()))
	constant = true
	for m := range values {
		if math.IsNaN(values[m]) {
			values[m] = math.Inf(-1)
		}
		constant = constant && values[m] == values[0]
	}
	return values, constant
}
