package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/studies/criterion"
)

// criteria compares test criteria by the faults that suites find.
var criteria = Study{
	Name:     "criteria",
	Title:    "Criteria and fault revelation",
	Question: "Do suites with higher scores find more faults, by which criterion, and does it matter whether the fixed version stands in for the faulty one?",
	Source:   "T. Titcheu Chekam, dissertation, chapter 4",
	Run:      runCriteria,
}

// The sizes of suites, in permille of the pool, and the top shares of scores,
// in percent, that are compared. The published tables are at 7.5 %.
var (
	suiteSizes    = []int{25, 50, 75, 100, 125, 150}
	topShares     = []int{20, 10, 5}
	publishedSize = 75
)

const everySuite = 100

// finds is how many of a subject's suites of one size find the fault, as shares.
type finds struct {
	random float64
	top    [3]float64 // by topShares
}

// criteriaOf is what one subject's suites find by one criterion, and whether its fault
// is coupled with it.
type criteriaOf struct {
	bySize  map[int]finds
	coupled bool
}

func runCriteria(ctx context.Context, m *Material) (*report.Answer, error) {
	suites := m.Suites
	if suites == 0 {
		suites = 10000
	}
	r := &report.Answer{Notes: []string{
		fmt.Sprintf("%d suites for each fault and size, drawn uniformly without replacement, the same for all criteria; a size is rounded to whole tests, one at least. Elements that no test of the pool covers are left out of scores.", suites),
		"Highest x %: the x % of the suites with the highest scores, chance deciding among equal ones. A12 and differences are of random against highest, as in the source: below .5 and below 0 the highest find more.",
		"p is the rank-sum test of the source; p signed-rank compares the same faults.",
		"Statements are those that hold a mutant: the history records what tests reach by mutant.",
	}}
	smallPools(m, r)
	known, subjects, err := m.comparable(r)
	if err != nil {
		return nil, err
	}
	task := m.Display.Start("sampling suites", len(subjects))
	defer task.Done()
	all, err := parallel.Map(ctx, m.Workers, subjects, func(_ context.Context, _ int, s *subject.Subject) ([]criteriaOf, error) {
		defer task.Add(1)
		return play(s, known, suites, m.Seed)
	})
	if err != nil {
		return nil, err
	}
	if err := levels(r, all, known); err != nil {
		return nil, err
	}
	if err := pairs(r, all, known); err != nil {
		return nil, err
	}
	coupling(r, all, known)
	return r, m.cleanProgram(ctx, r, subjects, known, suites)
}

// smallPools notes how coarse the sizes are.
func smallPools(m *Material, r *report.Answer) {
	var sizes []float64
	for i := range m.Faulty {
		sizes = append(sizes, float64(m.Faulty[i].Tests()))
	}
	middle := significance.Median(sizes)
	r.Notes = append(r.Notes, fmt.Sprintf("Pools hold %.0f tests in the median, so that 7.5 %% of one is %d tests; the source's pools hold hundreds.", middle, criterion.Size(int(middle), publishedSize)))
}

// fewUnknown is the share of the faults, in percent, of which a criterion may be unknown:
// those are then left out. A criterion that is unknown of more is left out itself.
const fewUnknown = 10

// comparable returns the criteria that can be compared and the subjects of which all of
// them are known, and says in the result what is left out.
func (m *Material) comparable(r *report.Answer) (known []criterion.Criterion, subjects []*subject.Subject, err error) {
	left := map[int]bool{}
	for _, c := range criterion.All() {
		var unknown []int
		var why error
		for i := range m.Faulty {
			if _, err := c.Elements(&m.Faulty[i]); errors.Is(err, criterion.ErrNotRecorded) {
				unknown, why = append(unknown, i), cmp.Or(why, err)
			} else if err != nil {
				return nil, nil, err
			}
		}
		if 100*len(unknown) > fewUnknown*len(m.Faulty) {
			r.Missing = append(r.Missing, fmt.Sprintf("%s: not known of %d faults: %v.", c.Name, len(unknown), why))
			continue
		}
		known = append(known, c)
		for _, i := range unknown {
			left[i] = true
		}
	}
	for i := range m.Faulty {
		if !left[i] {
			subjects = append(subjects, &m.Faulty[i])
		}
	}
	if len(left) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d faults are left out, of which one of the criteria is not known.", len(left), len(m.Faulty)))
	}
	return known, subjects, nil
}

// play samples the suites of one subject and scores them by each criterion.
func play(s *subject.Subject, known []criterion.Criterion, suites int, seed uint64) ([]criteriaOf, error) {
	out := make([]criteriaOf, len(known))
	elements := make([][]matrix.Bits, len(known))
	for k, c := range known {
		var err error
		if elements[k], err = c.Elements(s); err != nil {
			return nil, err
		}
		out[k] = criteriaOf{bySize: map[int]finds{}, coupled: criterion.AnyCoupled(elements[k], s.Reveals)}
	}
	for _, size := range suiteSizes {
		drawn := criterion.Sample(seed, s.Name(), s.Tests(), criterion.Size(s.Tests(), size), suites)
		reveals := criterion.Revealing(s.Reveals, drawn)
		for k, c := range known {
			scores := criterion.Scores(elements[k], drawn)
			rng := stream.New(seed, "evaluate/study/criteria/"+c.Name+"/"+s.Name(), size)
			t := finds{random: criterion.Top(scores, reveals, everySuite, rng)}
			for i, share := range topShares {
				t.top[i] = criterion.Top(scores, reveals, share, rng)
			}
			out[k].bySize[size] = t
		}
	}
	return out, nil
}

// publishedLevels is table 4.2: by criterion and top share, mean revelation, p,
// A12 and difference of random against highest.
var publishedLevels = map[string][3][4]float64{
	"statement":       {{.507, .673, .478, -.009}, {.523, .408, .456, -.024}, {.541, .230, .437, -.041}},
	"branch":          {{.512, .527, .467, -.014}, {.530, .374, .453, -.031}, {.553, .123, .419, -.054}},
	"weak mutation":   {{.501, .978, .498, -.001}, {.523, .619, .474, -.023}, {.541, .388, .455, -.041}},
	"strong mutation": {{.551, .163, .427, -.054}, {.625, .009, .364, -.128}, {.674, .001, .334, -.176}},
}

// levels is table 4.2 for every size.
func levels(r *report.Answer, all [][]criteriaOf, known []criterion.Criterion) error {
	t := report.Table{Name: "levels", Title: "Random suites against those with the highest scores: mean share of suites that reveal", Keys: []string{"size", "criterion", "suites"}, Columns: []report.Column{
		{Name: "random", Origin: report.Measured, Decimals: 3}, {Name: "highest", Origin: report.Measured, Decimals: 3}, {Name: "difference", Origin: report.Measured, Decimals: 3, Format: report.Signed},
		{Name: "A12", Origin: report.Measured, Decimals: 3}, {Name: "p", Origin: report.Measured, Format: report.PValue}, {Name: "p signed-rank", Origin: report.Measured, Format: report.PValue},
		{Name: "highest", Origin: report.Published, Decimals: 3}, {Name: "difference", Origin: report.Published, Decimals: 3, Format: report.Signed}, {Name: "A12", Origin: report.Published, Decimals: 3}, {Name: "p", Origin: report.Published, Decimals: 3, Format: report.PValue},
	}}
	f := report.Figure{Name: "levels", Title: "Revelation by suites with the highest scores, 7.5 % of the pool", Y: "share of suites that reveal", Kind: report.Bars, Labels: []string{"random", "highest 20%", "highest 10%", "highest 5%"}}
	for _, size := range suiteSizes {
		for k, c := range known {
			random, top := column(all, k, size)
			bars := report.Series{Name: c.Name, Origin: report.Measured, Y: []number.Float{number.Float(significance.Mean(random))}}
			for i, share := range topShares {
				difference, err := against(random, top[i])
				if err != nil {
					return err
				}
				printed := [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
				if size == publishedSize {
					printed = publishedLevels[c.Name][i]
				}
				t.Add([]string{permille(size), c.Name, fmt.Sprintf("highest %d%%", share)},
					difference.meanA, difference.meanB, difference.meanA-difference.meanB, difference.a12, difference.p, difference.signed,
					number.Float(printed[0]), number.Float(printed[3]), number.Float(printed[2]), number.Float(printed[1]))
				bars.Y = append(bars.Y, difference.meanB)
			}
			if size == publishedSize {
				f.Series = append(f.Series, bars)
			}
		}
	}
	r.Tables = append(r.Tables, t)
	if len(f.Series) > 0 {
		r.Figures = append(r.Figures, f)
	}
	return nil
}

func permille(size int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(size)/10), ".0") + "%"
}

// column gathers one criterion and size over the subjects that have scores.
func column(all [][]criteriaOf, k, size int) (random []float64, top [3][]float64) {
	for _, of := range all {
		t := of[k].bySize[size]
		if math.IsNaN(t.random) {
			continue
		}
		random = append(random, t.random)
		for i := range top {
			top[i] = append(top[i], t.top[i])
		}
	}
	return random, top
}

// contrast is a comparison of two samples over the same faults.
type contrast struct{ meanA, meanB, a12, p, signed number.Float }

func against(a, b []float64) (contrast, error) {
	nan := number.Float(math.NaN())
	if len(a) == 0 {
		return contrast{nan, nan, nan, nan, nan}, nil
	}
	sum, err := significance.RankSum(a, b, significance.Options{})
	if err != nil {
		return contrast{}, err
	}
	signed, err := significance.SignedRank(a, b, significance.Options{})
	if err != nil {
		return contrast{}, err
	}
	return contrast{number.Float(significance.Mean(a)), number.Float(significance.Mean(b)), number.Float(significance.A12(a, b)), number.Float(sum.P), number.Float(signed.P)}, nil
}
