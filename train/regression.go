package train

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/winnow-mutants/winnow/models/tree"
)

// LogisticRegression is the linear baseline.
var LogisticRegression = Learner{
	Name: "logistic-regression",
	Doc:  "Logistic regression with a ridge penalty (L2, 1 where it is 0) on standardised columns; a value counts as the mean of its bin.",
	Fit:  fitRegression,
}

// A linear model is written as an ensemble so that everything that scores,
// explains and stores models works for it too: one tree a column, whose leaves
// are what each bin of the column adds to the log-odds. With at most 255 bins a
// column it is the linear model of the binned values, not of the values, which is
// no loss for columns that hold counts.

// regression is the linear model while it is fitted. Parameter 0 is the
// intercept, parameter offset[i] the slope of column i.
type regression struct {
	data    *Data
	table   *table
	ridge   float64
	offset  []int
	size    int
	codes   [][]float64 // per column and bin: the standardised mean value
	workers int
}

func fitRegression(ctx context.Context, data *Data, options Options) (*tree.Ensemble, error) {
	o := options.withDefaults()
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	if o.Objective.Link != tree.Binary {
		return nil, fmt.Errorf("training: logistic regression cannot learn the objective %s: choose logistic or cross-entropy", o.Objective.Name)
	}
	if err := checkData(data, &o); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	g, err := newRegression(data, &o)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	parameters, err := g.solve(ctx)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	e := newEnsemble(data, g.table.bins, &o)
	e.Trees = append(e.Trees, constantTree(parameters[0], data))
	for i := range data.Columns {
		if g.offset[i] >= 0 {
			e.Trees = append(e.Trees, g.tree(i, parameters))
		}
	}
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return e, nil
}

func newRegression(data *Data, o *Options) (*regression, error) {
	t, err := binData(data, o)
	if err != nil {
		return nil, err
	}
	g := &regression{data: data, table: t, ridge: o.L2, offset: make([]int, len(t.columns)), codes: make([][]float64, len(t.columns)), size: 1, workers: o.Workers}
	defaultTo(&g.ridge, 1)
	failed := make([]error, len(t.columns))
	parallel(o.Workers, len(t.columns), func(i int) {
		if t.usable(i, 1) {
			g.codes[i], failed[i] = g.code(i)
		}
	})
	for i := range t.columns {
		if failed[i] != nil {
			return nil, failed[i]
		}
		g.offset[i] = -1
		if g.codes[i] != nil {
			g.offset[i] = g.size
			g.size++
		}
	}
	return g, nil
}

// code returns what each bin of a column counts as: the mean of its
// values in standard deviations from the column's mean. What is missing counts as
// the mean. It is nil for a column that does not vary.
func (g *regression) code(i int) ([]float64, error) {
	c, err := g.data.column(i)
	if err != nil {
		return nil, err
	}
	b := &g.table.bins[i]
	sums, rows := make([]float64, b.count+1), make([]float64, b.count+1)
	for _, x := range c.Values {
		if x == x {
			at := b.bin(x)
			sums[at] += x
			rows[at]++
		}
	}
	rows[b.bin(0)] += float64(g.data.Rows() - len(c.Values)) // the zeros of a sparse column
	n, mean := floats.Sum(rows), 0.0
	if n == 0 {
		return nil, nil
	}
	for at := range sums {
		mean += sums[at] / n
		if rows[at] > 0 {
			sums[at] /= rows[at]
		}
	}
	variance := 0.0
	for at := range sums {
		variance += rows[at] / n * (sums[at] - mean) * (sums[at] - mean)
	}
	if variance == 0 || math.IsInf(variance, 0) {
		return nil, nil
	}
	for at := range sums {
		sums[at] = (sums[at] - mean) / math.Sqrt(variance)
		if rows[at] == 0 {
			sums[at] = 0
		}
	}
	return sums, nil
}

// adds returns what each bin of column i adds to the log-odds.
func (g *regression) adds(i int, parameters []float64) []float64 {
	out := make([]float64, len(g.codes[i]))
	for at, code := range g.codes[i] {
		out[at] = parameters[g.offset[i]] * code
	}
	return out
}

// scores writes the log-odds of every row.
func (g *regression) scores(parameters, out []float64) {
	fill(out, parameters[0])
	base := 0.0
	for i := range g.table.columns {
		if g.offset[i] < 0 {
			continue
		}
		adds, c := g.adds(i, parameters), &g.table.columns[i]
		if c.dense != nil {
			for r, b := range c.dense {
				out[r] += adds[b]
			}
			continue
		}
		usual := adds[g.table.bins[i].usual]
		base += usual
		for at, r := range c.rows {
			out[r] += adds[c.bins[at]] - usual
		}
	}
	floats.AddConst(base, out)
}

// gradient turns the derivative of each row's loss by its score into that by the
// parameters.
func (g *regression) gradient(first, parameters, out []float64) {
	total := floats.Sum(first)
	out[0] = total
	parallel(g.workers, len(g.table.columns), func(i int) {
		if g.offset[i] < 0 {
			return
		}
		b, c := &g.table.bins[i], &g.table.columns[i]
		sums := make([]float64, b.count+1)
		if c.dense != nil {
			for r, at := range c.dense {
				sums[at] += first[r]
			}
		} else {
			rest := total
			for at, r := range c.rows {
				sums[c.bins[at]] += first[r]
				rest -= first[r]
			}
			sums[b.usual] += rest
		}
		out[g.offset[i]] = floats.Dot(g.codes[i], sums)
	})
	for k := 1; k < g.size; k++ {
		out[k] += g.ridge * parameters[k]
	}
}

// solve minimises the loss by L-BFGS, from the constant model.
func (g *regression) solve(ctx context.Context) ([]float64, error) {
	n := g.data.Rows()
	losses := pointwise{&CrossEntropy, g.data}
	scores, first, second := make([]float64, n), make([]float64, n), make([]float64, n)
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			g.scores(x, scores)
			sum := 0.0
			for r, s := range scores {
				sum += g.data.weight(r) * logLoss(s, g.data.Labels[r])
			}
			return sum + g.ridge/2*floats.Dot(x[1:], x[1:])
		},
		Grad: func(out, x []float64) {
			g.scores(x, scores)
			losses.Derivatives(scores, first, second, g.workers)
			g.gradient(first, x, out)
		},
		Status: func() (optimize.Status, error) {
			if ctx.Err() != nil {
				return optimize.Failure, ctx.Err()
			}
			return optimize.NotTerminated, nil
		},
	}
	start := make([]float64, g.size)
	start[0] = logit(meanLabel(g.data))
	settings := &optimize.Settings{
		GradientThreshold: 1e-5 * float64(n), MajorIterations: 500,
		Converger: &optimize.FunctionConverge{Relative: 1e-9, Iterations: 5},
	}
	result, err := optimize.Minimize(problem, start, settings, &optimize.LBFGS{})
	if cause := ctx.Err(); cause != nil {
		return nil, fmt.Errorf("stopped: %w", cause)
	}
	// A line search that cannot go lower in floating point has arrived.
	if err != nil && (result == nil || !errors.Is(err, optimize.ErrLinesearcherFailure) && !errors.Is(err, optimize.ErrNoProgress)) {
		return nil, err
	}
	return result.X, nil
}

// tree writes one column as a tree: missing values apart, then by halves.
func (g *regression) tree(i int, parameters []float64) tree.Tree {
	b := &g.table.bins[i]
	rows := g.table.count(i)
	w := treeWriter{column: int32(i), binning: b, adds: g.adds(i, parameters), rows: rows}
	for at, add := range w.adds {
		w.gain += float64(rows[at]) * add * add
	}
	w.build()
	return w.tree
}

// count returns the number of rows in each bin of a column.
func (t *table) count(i int) []int {
	b, c := &t.bins[i], &t.columns[i]
	rows := make([]int, b.count+1)
	if c.dense != nil {
		for _, at := range c.dense {
			rows[at]++
		}
		return rows
	}
	for _, at := range c.bins {
		rows[at]++
	}
	rows[b.usual] += t.rows - len(c.bins)
	return rows
}
