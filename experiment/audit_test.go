package experiment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
)

// audited is subjects of 120 mutants with three honest columns: noise, one that
// is good at telling the killable, and a constant.
func audited(rng *rand.Rand) []subject.Subject {
	var subjects []subject.Subject
	for i := range 12 {
		s := subjecttest.Random(rng, fmt.Sprint("s", i), 120, 12)
		s.Columns = []string{"noise", "hint", "constant"}
		var rows [][]float64
		for m := range s.Mutants {
			hint := rng.Float64()
			if !s.Kills[m].Empty() {
				hint += 0.5
			}
			rows = append(rows, []float64{rng.Float64(), hint, 1})
		}
		s.Features = subjecttest.Pack(rows)
		subjects = append(subjects, s)
	}
	return subjects
}

func withColumn(subjects []subject.Subject, name string, value func(s *subject.Subject, m int) float64) []subject.Subject {
	var out []subject.Subject
	for _, s := range subjects {
		s.Columns = append([]string{name}, s.Columns...)
		var rows [][]float64
		for m, row := range s.Features.Dense() {
			rows = append(rows, append([]float64{value(&s, m)}, row...))
		}
		s.Features = subjecttest.Pack(rows)
		out = append(out, s)
	}
	return out
}

func TestTheAuditCatchesFeaturesThatKnowTheAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	subjects := audited(rng)
	if leaks, err := Audit(t.Context(), subjects, nil); err != nil || len(leaks) != 0 {
		t.Fatalf("honest features: %v, %v", leaks, err)
	}
	for name, value := range map[string]func(s *subject.Subject, m int) float64{
		"the label": func(s *subject.Subject, m int) float64 {
			return one(!s.Kills[m].Empty() && s.Kills[m].IsSubset(s.Reveals))
		},
		"killability scaled": func(s *subject.Subject, m int) float64 { return 7 - 3*one(s.Kills[m].Empty()) },
		"a dynamic feature that saw the first revealing test": func(s *subject.Subject, m int) float64 {
			for test := range s.Reveals.All() {
				return one(s.Kills[m].Get(test))
			}
			return 0
		},
	} {
		leaks, err := Audit(t.Context(), withColumn(subjects, name, value), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(leaks) != 1 || leaks[0].Column != name {
			t.Errorf("%s: leaks %v", name, leaks)
		}
		if err := LeakError(leaks); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if LeakError(nil) != nil {
		t.Error("no leak is an error")
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
