package learn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/report"
)

// driftColumns is how many columns a warning of drift names.
const driftColumns = 3

// programOf shows features as a model's card asks for them.
func programOf(group string, columns []string, mutants int, column func(at int) []float64) models.Program {
	return models.Program{Group: group, Mutants: mutants, Column: func(name string) []float64 {
		at := slices.Index(columns, name)
		if at < 0 {
			return nil
		}
		return column(at)
	}}
}

// programsOf shows subjects so, in groups that no fold splits.
func programsOf(subjects []evaluate.Subject) []models.Program {
	out := make([]models.Program, len(subjects))
	for i := range subjects {
		s := &subjects[i]
		out[i] = programOf(evaluate.ByProblem(s), s.Columns, s.Features.Len(), func(at int) []float64 { return s.Features.Column(at, nil) })
	}
	return out
}

// DriftOf compares the mutants to rank with those that a model learned from; nil
// where the card does not allow it. column gives the values of a feature of the
// card's, by its place there.
func DriftOf(bundle *models.Bundle, mutants int, column func(at int) []float64) *report.Drift {
	unlike := bundle.Unlike(programOf("", bundle.Card.Features, mutants, column))
	if unlike == nil {
		return nil
	}
	out := &report.Drift{Foreign: unlike.Foreign(), Distance: unlike.Distance, Limit: unlike.Limit, FalseAlarms: unlike.FalseAlarms, Programs: unlike.Programs}
	for _, d := range unlike.Columns[:min(driftColumns, len(unlike.Columns))] {
		out.Columns = append(out.Columns, d.Name)
	}
	return out
}

// driftWarning says that more of a history's programs are unlike those that a
// model learned from than chance explains; "" when not, or when the card does not
// allow to tell.
func driftWarning(bundle *models.Bundle, subjects []evaluate.Subject) string {
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
			for _, d := range unlike.Columns[:min(driftColumns, len(unlike.Columns))] {
				often[d.Name]++
			}
		}
	}
	f := bundle.Card.Familiar
	if foreign == 0 || chanceOf(foreign, judged, max(f.FalseAlarms, 1/float64(f.Programs+1))) >= 0.05 {
		return ""
	}
	return fmt.Sprintf("%d of %d programs are unlike those that model %s learned from, where %.0f %% are further from the others than the limit: most often in %s; what it says of them may be off",
		foreign, judged, bundle.Card.Name, 100*f.FalseAlarms, strings.Join(mostOften(often, driftColumns), ", "))
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
