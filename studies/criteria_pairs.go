package studies

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/studies/criterion"
)

// publishedPairs is table 4.3: p, A12 and difference of the first against the
// second at the highest 5 %, suites of 7.5 % of the pool.
var publishedPairs = map[[2]string][3]float64{
	{"strong mutation", "statement"}:     {.013, .630, .134},
	{"strong mutation", "weak mutation"}: {.025, .618, .122},
	{"strong mutation", "branch"}:        {.012, .631, .134},
	{"weak mutation", "statement"}:       {.836, .489, -.001},
	{"weak mutation", "branch"}:          {.570, .470, -.013},
	{"branch", "statement"}:              {.722, .519, .012},
}

// pairs is table 4.3.
func pairs(r *report.Answer, all [][]criteriaOf, known []criterion.Criterion) error {
	t := report.Table{Name: "pairs", Title: "The criteria against each other: the highest 5 % of the scores, suites of 7.5 % of the pool", Keys: []string{"criterion", "against"}, Columns: []report.Column{
		{Name: "difference", Origin: report.Measured, Decimals: 3, Format: report.Signed}, {Name: "A12", Origin: report.Measured, Decimals: 3}, {Name: "p", Origin: report.Measured, Format: report.PValue}, {Name: "p signed-rank", Origin: report.Measured, Format: report.PValue},
		{Name: "difference", Origin: report.Published, Decimals: 3, Format: report.Signed}, {Name: "A12", Origin: report.Published, Decimals: 3}, {Name: "p", Origin: report.Published, Decimals: 3, Format: report.PValue},
	}}
	const highest5 = 2 // of topShares
	for a := len(known) - 1; a > 0; a-- {
		for b := range a {
			var x, y []float64
			for _, of := range all {
				v, w := of[a].bySize[publishedSize].top[highest5], of[b].bySize[publishedSize].top[highest5]
				if !math.IsNaN(v) && !math.IsNaN(w) {
					x, y = append(x, v), append(y, w)
				}
			}
			c, err := against(x, y)
			if err != nil {
				return err
			}
			printed, ok := publishedPairs[[2]string{known[a].Name, known[b].Name}]
			if !ok {
				printed = [3]float64{math.NaN(), math.NaN(), math.NaN()}
			}
			t.Add([]string{known[a].Name, known[b].Name}, c.meanA-c.meanB, c.a12, c.p, c.signed,
				number.Float(printed[2]), number.Float(printed[1]), number.Float(printed[0]))
		}
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// publishedCoupled is, of 61 faults, how many are coupled with an element of a
// criterion (figures 4.3 and 4.5; that of statement coverage is not printed).
var publishedCoupled = map[string]float64{"branch": 29, "weak mutation": 31, "strong mutation": 53}

const publishedFaults = 61

// coupling counts the faults that criteria are coupled with, alone and
// together.
func coupling(r *report.Answer, all [][]criteriaOf, known []criterion.Criterion) {
	t := report.Table{Name: "coupling", Title: "Faults coupled with some element of a criterion: all tests that cover it, one at least, reveal the fault", Keys: []string{"criterion"}, Columns: []report.Column{
		{Name: "faults", Origin: report.Measured}, {Name: "percent", Origin: report.Measured, Decimals: 1}, {Name: "faults", Origin: report.Published}, {Name: "percent", Origin: report.Published, Decimals: 1}}}
	regions := map[string]int{}
	counts := make([]int, len(known))
	for _, of := range all {
		var names []string
		for k, c := range known {
			if of[k].coupled {
				counts[k]++
				names = append(names, c.Name)
			}
		}
		if len(names) == 0 {
			names = []string{"none"}
		}
		regions[strings.Join(names, " + ")]++
	}
	for k, c := range known {
		printed, ok := publishedCoupled[c.Name]
		if !ok {
			printed = math.NaN()
		}
		t.Add([]string{c.Name}, number.Float(counts[k]), percent(number.Float(counts[k]), number.Float(len(all))), number.Float(printed), number.Float(100*printed/publishedFaults))
	}
	venn := report.Table{Name: "coupling-regions", Title: "Faults by the criteria that they are coupled with, and no others", Keys: []string{"criteria"}, Columns: []report.Column{{Name: "faults", Origin: report.Measured}}}
	var names []string
	for name := range regions {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		venn.Add([]string{name}, number.Float(regions[name]))
	}
	r.Tables = append(r.Tables, t, venn)
}

// publishedClean is section 4.5.1: the percent of faults for which the scores
// of the same suites on the faulty and on the fixed version differ
// significantly, and how many are coupled on the faulty version only and on the
// fixed one only.
var publishedClean = map[string][3]float64{
	"statement": {60, 1, 9}, "branch": {66, 2, 10}, "weak mutation": {74, 2, 4}, "strong mutation": {86, 2, 2},
}

// cleanProgram tests the clean program assumption where the history holds the
// fixed versions as well.
func (m *Material) cleanProgram(ctx context.Context, r *report.Answer, subjects []*subject.Subject, known []criterion.Criterion, suites int) error {
	var fixed map[string]*subject.Subject
	if m.Fixed != nil {
		var err error
		if fixed, err = m.Fixed(ctx); err != nil {
			return err
		}
	}
	var paired []*subject.Subject
	for _, s := range subjects {
		if twin := fixed[s.Name()]; twin != nil && twin.Tests() == s.Tests() {
			paired = append(paired, s)
		}
	}
	if len(paired) == 0 {
		r.Missing = append(r.Missing, "The clean program assumption: the history holds no runs of the fixed versions' mutants on the same tests; an import of what the study of criteria reads records them.")
		return nil
	}
	t := report.Table{Name: "clean-program", Title: fmt.Sprintf("The same suites scored on the faulty and on the fixed version (%d faults); A12 above .5: the faulty one scores higher", len(paired)), Keys: []string{"criterion"}, Columns: []report.Column{
		{Name: "faults", Origin: report.Measured}, {Name: "significant %", Origin: report.Measured, Decimals: 0}, {Name: "A12 median", Origin: report.Measured, Decimals: 3}, {Name: "A12 low", Origin: report.Measured, Decimals: 3}, {Name: "A12 high", Origin: report.Measured, Decimals: 3},
		{Name: "coupled on faulty only", Origin: report.Measured}, {Name: "coupled on fixed only", Origin: report.Measured},
		{Name: "significant %", Origin: report.Published}, {Name: "coupled on faulty only", Origin: report.Published}, {Name: "coupled on fixed only", Origin: report.Published},
	}}
	for _, c := range known {
		got, err := parallel.Map(ctx, m.Workers, paired, func(_ context.Context, _ int, s *subject.Subject) (twins, error) {
			return compareTwins(s, fixed[s.Name()], c, suites, m.Seed)
		})
		if err != nil {
			return err
		}
		addTwins(&t, c, got)
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// addTwins counts the comparisons by one criterion.
func addTwins(t *report.Table, c criterion.Criterion, got []twins) {
	faults, significant, onlyFaulty, onlyFixed := 0, 0, 0, 0
	var effects []float64
	for _, g := range got {
		if g.unknown {
			continue
		}
		faults++
		if g.p < 0.05 {
			significant++
		}
		if g.faulty && !g.fixed {
			onlyFaulty++
		}
		if g.fixed && !g.faulty {
			onlyFixed++
		}
		if !math.IsNaN(g.a12) {
			effects = append(effects, g.a12)
		}
	}
	low, high := math.NaN(), math.NaN()
	if len(effects) > 0 {
		low, high = slices.Min(effects), slices.Max(effects)
	}
	printed := publishedClean[c.Name]
	t.Add([]string{c.Name}, number.Float(faults), percent(number.Float(significant), number.Float(faults)), number.Float(significance.Median(effects)), number.Float(low), number.Float(high),
		number.Float(onlyFaulty), number.Float(onlyFixed), number.Float(printed[0]), number.Float(printed[1]), number.Float(printed[2]))
}

// twins is one fault's comparison of its two versions; p and a12 are NaN where
// a version has no score; unknown says that the criterion is not known of one.
type twins struct {
	unknown       bool
	p, a12        float64
	faulty, fixed bool // coupled
}

// compareTwins scores the same suites, of 7.5 % of the pool, on both versions.
// Reveals is the faulty version's for both: the same tests, the same oracle.
func compareTwins(faulty, fixed *subject.Subject, c criterion.Criterion, suites int, seed uint64) (twins, error) {
	a, err := c.Elements(faulty)
	if err != nil {
		return twins{}, err
	}
	b, err := c.Elements(fixed)
	if errors.Is(err, criterion.ErrNotRecorded) {
		return twins{unknown: true}, nil
	}
	if err != nil {
		return twins{}, err
	}
	drawn := criterion.Sample(seed, faulty.Name(), faulty.Tests(), criterion.Size(faulty.Tests(), publishedSize), suites)
	x, y := criterion.Scores(a, drawn), criterion.Scores(b, drawn)
	out := twins{p: math.NaN(), a12: math.NaN(), faulty: criterion.AnyCoupled(a, faulty.Reveals), fixed: criterion.AnyCoupled(b, faulty.Reveals)}
	if len(x) == 0 || math.IsNaN(x[0]) || math.IsNaN(y[0]) {
		return out, nil
	}
	test, err := significance.RankSum(x, y, significance.Options{})
	if err != nil {
		return twins{}, err
	}
	out.p, out.a12 = test.P, significance.A12(x, y)
	return out, nil
}
