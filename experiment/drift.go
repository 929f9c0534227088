package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/models"
)

// programsOf shows subjects as a model's card asks for them, in groups that no fold splits.
func programsOf(subjects []subject.Subject) []models.Program {
	out := make([]models.Program, len(subjects))
	for i := range subjects {
		s := &subjects[i]
		out[i] = models.NewProgram(subject.ByProblem(s), s.Columns, s.Features.Len(), func(at int) []float64 { return s.Features.Column(at, nil) })
	}
	return out
}

// namedColumns is how many columns a warning names.
const namedColumns = 3

// driftWarning says that more of a history's programs are unlike those that a
// model learned from than chance explains; "" when not, or when the card does not
// allow to tell.
func driftWarning(bundle *models.Bundle, subjects []subject.Subject) string {
	foreign, judged := 0, 0
	often := map[string]int{}
	for _, p := range programsOf(subjects) {
		unlike := bundle.Unlike(p)
		if unlike == nil {
			continue
		}
		judged++
		if unlike.Foreign() {
			foreign++
			for _, name := range unlike.Most() {
				often[name]++
			}
		}
	}
	f := bundle.Card.Familiar
	if foreign == 0 || chanceOf(foreign, judged, max(f.FalseAlarms, 1/float64(f.Programs+1))) >= 0.05 {
		return ""
	}
	return fmt.Sprintf("%d of %d programs are unlike those that model %s learned from, where %.0f %% are further from the others than the limit: most often in %s; what it says of them may be off",
		foreign, judged, bundle.Card.Name, 100*f.FalseAlarms, strings.Join(mostOften(often, namedColumns), ", "))
}

// chanceOf is the probability of at least k successes of n, each of probability p.
func chanceOf(k, n int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		ln, _ := math.Lgamma(float64(n + 1))
		li, _ := math.Lgamma(float64(i + 1))
		lr, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(ln - li - lr + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(sum, 1)
}

// mostOften returns the names with the largest counts.
func mostOften(counts map[string]int, n int) []string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	return names[:min(n, len(names))]
}
