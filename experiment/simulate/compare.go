package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/predict"
)

// CompareOptions says what to compare with and how. The zero value compares
// with random.
type CompareOptions struct {
	// Baseline names the strategy that the others are compared with; empty is
	// random.
	Baseline string
	// Bootstrap makes the intervals of the mean differences; its zero value
	// is 2,000 resamples of problems, at 95 %.
	Bootstrap significance.Bootstrap
	// Measures chooses by name, e.g. "revealed at 5%"; nil is all.
	Measures []string
	// Display shows how many measures are done; nil is silent.
	Display *progress.Display
}

// Comparison is the table of record of a simulation: for each measure and
// strategy, its level and its distance from the baseline. Shares are in
// percent, differences in points.
type Comparison struct {
	Baseline    string `json:"baseline"`
	Subjects    int    `json:"subjects"`
	Problems    int    `json:"problems"`
	Repetitions int    `json:"repetitions"`
	Seed        uint64 `json:"seed"`
	// Rows are ordered by measure, then by strategy.
	Rows []ComparisonRow `json:"rows"`
}

// ComparisonRow is one strategy by one measure.
type ComparisonRow struct {
	// Measure is what was measured, e.g. "revealed at 5%" or "APFD (mutants
	// analysed)".
	Measure  string `json:"measure"`
	Strategy string `json:"strategy"`
	// Median and Mean are over subjects.
	Median number.Float `json:"median"`
	Mean   number.Float `json:"mean"`

	// The remaining fields compare with the baseline, and are undefined for
	// the baseline itself.

	// MedianDifference is the difference of the medians, as FaRM reports it;
	// MeanDifference that of the means, with its confidence interval.
	MedianDifference number.Float `json:"median_difference"`
	MeanDifference   number.Float `json:"mean_difference"`
	Low              number.Float `json:"mean_difference_low"`
	High             number.Float `json:"mean_difference_high"`
	// A12 is the probability to do better than the baseline.
	A12 number.Float `json:"a12"`
	// RankSumP is the p-value of FaRM's test, for independent samples. P is
	// that of the signed-rank test over the same subjects, which this project
	// prefers, and HolmP is P corrected for the strategies compared by the
	// measure.
	RankSumP number.Float `json:"rank_sum_p"`
	P        number.Float `json:"p"`
	HolmP    number.Float `json:"holm_p"`
	// OracleShare is MeanDifference as a share (percent) of the oracle's: how
	// much of what the true ratio would gain was gained. Undefined where the
	// oracle gains nothing.
	OracleShare number.Float `json:"oracle_share"`
	// OracleLow and OracleHigh are its confidence interval: of the ratio of the
	// two means, resampled together.
	OracleLow  number.Float `json:"oracle_share_low"`
	OracleHigh number.Float `json:"oracle_share_high"`
}

// measure is one figure for each strategy and subject.
type measure struct {
	name string
	of   func(Outcome) float64 // in percent
}

func (sim *Simulation) measures() []measure {
	var out []measure
	for i, budget := range sim.Budgets {
		out = append(out, measure{"revealed at " + budget, func(o Outcome) float64 { return 100 * o.Revealed[i] }})
	}
	for c := range Cost(costs) {
		out = append(out, measure{"APFD (" + c.String() + ")", func(o Outcome) float64 { return 100 * o.APFD[c] }})
	}
	return out
}

func (m measure) values(outcomes []Outcome) []float64 {
	values := make([]float64, len(outcomes))
	for i, o := range outcomes {
		values[i] = m.of(o)
	}
	return values
}

// Compare sets every strategy of a simulation against a baseline.
func Compare(ctx context.Context, sim *Simulation, opts CompareOptions) (*Comparison, error) {
	if opts.Baseline == "" {
		opts.Baseline = predict.Random.Name
	}
	base := slices.Index(sim.Strategies, opts.Baseline)
	if base < 0 {
		return nil, fmt.Errorf("compare: the baseline %q was not simulated; the simulation has %s", opts.Baseline, strings.Join(sim.Strategies, ", "))
	}
	out := &Comparison{
		Baseline: opts.Baseline, Subjects: len(sim.Subjects), Repetitions: sim.Repetitions, Seed: sim.Seed,
		Problems: len(slices.Compact(slices.Sorted(slices.Values(sim.Problems)))),
	}
	measures := slices.DeleteFunc(sim.measures(), func(m measure) bool { return opts.Measures != nil && !slices.Contains(opts.Measures, m.name) })
	task := opts.Display.Start("comparing orders", len(measures))
	defer task.Done()
	for _, m := range measures {
		rows, err := compareBy(ctx, sim, m, base, opts.Bootstrap)
		if err != nil {
			return nil, fmt.Errorf("compare by %s: %w", m.name, err)
		}
		out.Rows = append(out.Rows, rows...)
		task.Add(1)
	}
	return out, nil
}

func compareBy(ctx context.Context, sim *Simulation, m measure, base int, boot significance.Bootstrap) ([]ComparisonRow, error) {
	baseline := m.values(sim.Outcomes[base])
	rows := make([]ComparisonRow, len(sim.Strategies))
	p := make([]float64, len(sim.Strategies))
	oracleGain := math.NaN()
	var oracle []float64
	for k, name := range sim.Strategies {
		values := m.values(sim.Outcomes[k])
		row, err := compareValues(ctx, values, baseline, sim.Problems, boot)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		row.Measure, row.Strategy = m.name, name
		if k == base {
			row = ComparisonRow{Measure: m.name, Strategy: name, Median: row.Median, Mean: row.Mean}.alone()
		}
		if name == OracleName {
			oracleGain, oracle = float64(row.MeanDifference), values
		}
		rows[k] = row
		p[k] = float64(row.P)
		if IsCeiling(name) {
			p[k] = math.NaN()
		}
	}
	for k, adjusted := range significance.Holm(p) {
		rows[k].HolmP = number.Float(adjusted)
		nan := number.Float(math.NaN())
		rows[k].OracleShare, rows[k].OracleLow, rows[k].OracleHigh = nan, nan, nan
		if !(oracleGain > 0) || k == base {
			continue
		}
		rows[k].OracleShare = 100 * rows[k].MeanDifference / number.Float(oracleGain)
		interval, err := oracleShare(ctx, m.values(sim.Outcomes[k]), baseline, oracle, sim.Problems, boot)
		if err != nil {
			return nil, fmt.Errorf("share of the oracle of %s: %w", rows[k].Strategy, err)
		}
		rows[k].OracleLow, rows[k].OracleHigh = number.Float(interval.Low), number.Float(interval.High)
	}
	return rows, nil
}

// oracleShare resamples 100 * (strategy - baseline) / (oracle - baseline), in
// means. It is undefined on a resample whose faults leave the oracle nothing to
// gain.
func oracleShare(ctx context.Context, values, baseline, oracle []float64, clusters []string, boot significance.Bootstrap) (significance.Interval, error) {
	return boot.Interval(ctx, clusters, func(count []int) float64 {
		gain, most := 0.0, 0.0
		for i, times := range count {
			gain += float64(times) * (values[i] - baseline[i])
			most += float64(times) * (oracle[i] - baseline[i])
		}
		if !(most > 0) {
			return math.NaN()
		}
		return 100 * gain / most
	})
}

// compareValues fills in everything that needs one strategy and the baseline.
func compareValues(ctx context.Context, values, baseline []float64, clusters []string, boot significance.Bootstrap) (ComparisonRow, error) {
	differences := make([]float64, len(values))
	for i := range values {
		differences[i] = values[i] - baseline[i]
	}
	interval, err := boot.Interval(ctx, clusters, significance.MeanOf(differences))
	if err != nil {
		return ComparisonRow{}, err
	}
	signed, err := significance.SignedRank(values, baseline, significance.Options{})
	if err != nil {
		return ComparisonRow{}, err
	}
	sum, err := significance.RankSum(values, baseline, significance.Options{})
	if err != nil {
		return ComparisonRow{}, err
	}
	median, mean := significance.Median(values), significance.Mean(values)
	return ComparisonRow{
		Median:           number.Float(median),
		Mean:             number.Float(mean),
		MedianDifference: number.Float(median - significance.Median(baseline)),
		MeanDifference:   number.Float(mean - significance.Mean(baseline)),
		Low:              number.Float(interval.Low),
		High:             number.Float(interval.High),
		A12:              number.Float(significance.A12(values, baseline)),
		RankSumP:         number.Float(sum.P),
		P:                number.Float(signed.P),
	}, nil
}

// alone marks the fields that compare with the baseline as undefined.
func (r ComparisonRow) alone() ComparisonRow {
	nan := number.Float(math.NaN())
	r.MedianDifference, r.MeanDifference, r.Low, r.High = nan, nan, nan, nan
	r.A12, r.RankSumP, r.P, r.HolmP = nan, nan, nan, nan
	r.OracleShare, r.OracleLow, r.OracleHigh = nan, nan, nan
	return r
}
