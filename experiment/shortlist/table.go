package shortlist

import (
	"context"
	"math"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
)

// Table is how good lists are: means over subjects.
type Table struct {
	Subjects int   `json:"subjects"`
	Problems int   `json:"problems"`
	Draws    int   `json:"draws"`
	Lengths  []int `json:"lengths"`
	// Rows are ordered by suite, reading, order and length.
	Rows []Row `json:"rows"`
}

// Row is one order beside one suite, read one way, at one length.
type Row struct {
	Suite   string `json:"suite"`
	Reading string `json:"reading"`
	Order   string `json:"order"`
	Length  int    `json:"length"`
	// Revealed is the chance that the fault was revealed, Minimal the share of the minimal
	// mutants killed.
	Revealed number.Float `json:"revealed"`
	Minimal  number.Float `json:"minimal"`
	// Unkilled is how many mutants listed no test kills; Statements and KillSets how many
	// different ones there are among those listed.
	Unkilled   number.Float `json:"unkilled"`
	Statements number.Float `json:"statements"`
	KillSets   number.Float `json:"kill_sets"`
	// RevealedWay and MinimalWay are the shares (percent) of the way from random order to the
	// coupling oracle; undefined where that is no way up.
	RevealedWay number.Float `json:"revealed_way"`
	MinimalWay  number.Float `json:"minimal_way"`
	// Low and High are the interval of the difference in Revealed from random order, MinimalLow
	// and MinimalHigh of that in Minimal.
	Low         number.Float `json:"revealed_difference_low"`
	High        number.Float `json:"revealed_difference_high"`
	MinimalLow  number.Float `json:"minimal_difference_low"`
	MinimalHigh number.Float `json:"minimal_difference_high"`
}

func tabulate(ctx context.Context, subjects []subject.Subject, found []map[key]worth, opts Options) (*Table, error) {
	out := &Table{Subjects: len(subjects), Draws: opts.Draws, Lengths: opts.Lengths}
	var problems []string
	for i := range subjects {
		problems = append(problems, subject.ByProblem(&subjects[i]))
	}
	_, out.Problems = significance.Number(problems)
	names := []string{TestsName}
	for _, s := range opts.Strategies {
		names = append(names, s.Name)
	}
	for _, c := range ceilings {
		names = append(names, c.name)
	}
	for _, suite := range Suites() {
		for _, reading := range []string{Printed, Passing} {
			for _, name := range names {
				for _, k := range opts.Lengths {
					at := key{suite.Name, reading, name, k}
					if _, there := found[0][at]; !there {
						continue
					}
					row, err := rowOf(ctx, at, found, problems, opts.Bootstrap)
					if err != nil {
						return nil, err
					}
					out.Rows = append(out.Rows, row)
				}
			}
		}
	}
	return out, nil
}

func rowOf(ctx context.Context, at key, found []map[key]worth, problems []string, boot significance.Bootstrap) (Row, error) {
	of := func(order string, what func(worth) float64) []float64 {
		reading := at.reading
		values := make([]float64, len(found))
		for i := range found {
			values[i] = what(found[i][key{at.suite, reading, order, at.length}])
		}
		return values
	}
	mean := func(what func(worth) float64) number.Float { return number.Float(meanDefined(of(at.order, what))) }
	way := func(what func(worth) float64) number.Float {
		own, random, most := of(at.order, what), of(predict.Random.Name, what), of(CouplingOracleName, what)
		from, to := meanDefined(random), meanDefined(most)
		if !(to > from) {
			return number.Float(math.NaN())
		}
		return number.Float(100 * (meanDefined(own) - from) / (to - from))
	}
	revealed, minimal := func(w worth) float64 { return w.revealed }, func(w worth) float64 { return w.minimal }
	row := Row{Suite: at.suite, Reading: at.reading, Order: at.order, Length: at.length,
		Revealed: mean(revealed), Minimal: mean(minimal), RevealedWay: way(revealed), MinimalWay: way(minimal),
		Unkilled:   mean(func(w worth) float64 { return w.unkilled }),
		Statements: mean(func(w worth) float64 { return w.statements }),
		KillSets:   mean(func(w worth) float64 { return w.sets }),
		Low:        number.Float(math.NaN()), High: number.Float(math.NaN()),
		MinimalLow: number.Float(math.NaN()), MinimalHigh: number.Float(math.NaN())}
	if at.order == predict.Random.Name || at.order == TestsName || at.order == simulate.OracleName {
		return row, nil
	}
	for _, d := range []struct {
		what      func(worth) float64
		low, high *number.Float
	}{{revealed, &row.Low, &row.High}, {minimal, &row.MinimalLow, &row.MinimalHigh}} {
		own, random := of(at.order, d.what), of(predict.Random.Name, d.what)
		for i := range own {
			own[i] -= random[i]
		}
		interval, err := boot.Interval(ctx, problems, significance.MeanOf(own))
		if err != nil {
			return row, err
		}
		*d.low, *d.high = number.Float(interval.Low), number.Float(interval.High)
	}
	return row, nil
}

// meanDefined is the mean of what is not NaN.
func meanDefined(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}
