package train

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Growth is the order in which the leaves of a tree are split.
type Growth uint8

const (
	// LeafWise splits the leaf with the largest gain next, as LightGBM does.
	LeafWise Growth = iota
	// DepthWise finishes a level before it starts the next, the largest gain
	// first, as XGBoost does.
	DepthWise
)

// Options steer Fit. The zero value is FaRM's learner with a fifth of its trees:
// 200 trees of depth 5 with rate 0.1, each on half of the rows.
type Options struct {
	// Objective is the loss to minimise; default Logistic.
	Objective Objective
	// Rounds is the number of trees; default 200.
	Rounds int
	// LearningRate scales every tree; default 0.1.
	LearningRate float64
	// MaxDepth bounds the number of splits on the way to a leaf; default 5,
	// negative for no bound.
	MaxDepth int
	// Leaves bounds the leaves of a tree; default 32.
	Leaves int
	// Growth is the order of splitting. It matters only when Leaves ends a tree.
	Growth Growth

	// MinLeafSamples is the smallest number of training rows in a leaf; default
	// 20.
	MinLeafSamples int
	// MinLeafHessian is the smallest sum of second derivatives in a leaf;
	// default 0.001.
	MinLeafHessian float64
	// MinGain is the gain a split must exceed; default 0.
	MinGain float64
	// L1 and L2 penalise leaf values; default 0.
	L1, L2 float64

	// RowFraction is the share of the rows each tree sees, drawn without
	// replacement; default 0.5. Friedman, "Stochastic gradient boosting" (2002).
	RowFraction float64
	// ColumnFraction is the share of the columns each tree may split on; default
	// 1.
	ColumnFraction float64
	// Bins bounds the number of different values of a column that are told
	// apart, from 2 to 255; default 255.
	Bins int

	// CategoryLimit bounds the categories on the smaller side of a split;
	// default 32.
	CategoryLimit int
	// CategorySmoothing is added to the second derivatives of a category before
	// categories are sorted, so that rare ones end in the middle; default 10.
	CategorySmoothing float64
	// CategoryL2 is added to L2 when a split on more than two categories is
	// judged, because it has more freedom than one on a number; default 10.
	CategoryL2 float64

	// Monotone names numeric columns whose growth must never lower (1) or never
	// raise (-1) the score, all else equal.
	Monotone map[string]int

	// WarmStart, when set, is a model to continue: its trees come first in the
	// result and Rounds more are added. It must read a subset of the columns.
	WarmStart *tree.Ensemble

	// Seed decides every random draw. The same data, options and seed give the
	// same model, whatever Workers is.
	Seed uint64
	// Workers is the number of goroutines; default one per processor.
	Workers int

	// Validation, when set, is scored after every tree. Training stops when its
	// loss has not fallen for Patience trees (default 20), and the model is cut
	// after its best tree.
	Validation *Data
	Patience   int

	// Progress, when set, is called after every tree, from one goroutine.
	Progress func(done, total int)
}

// String returns "leaf-wise" or "depth-wise".
func (g Growth) String() string {
	if g == DepthWise {
		return "depth-wise"
	}
	return "leaf-wise"
}

// noInfluence are the options that cannot change a model, and the validation
// data, which are no setting.
var noInfluence = []string{"Workers", "Progress", "Validation"}

// warmStarted says on a card that there was an earlier model.
func warmStarted(e *tree.Ensemble) string {
	if e == nil {
		return "none"
	}
	return fmt.Sprintf("%d trees", len(e.Trees))
}

// Settings returns every option that can change the model, defaults filled in,
// as text for a model card. The keys are the names of the fields.
func (o Options) Settings() map[string]string {
	o = o.withDefaults()
	settings := map[string]string{}
	value := reflect.ValueOf(o)
	for i := range value.NumField() {
		name := value.Type().Field(i).Name
		if name == "Objective" {
			settings[name] = o.Objective.Name
		} else if name == "WarmStart" {
			settings[name] = warmStarted(o.WarmStart)
		} else if !slices.Contains(noInfluence, name) {
			settings[name] = fmt.Sprint(value.Field(i).Interface())
		}
	}
	return settings
}

// withDefaults returns a copy with every zero that means "default" filled in.
func (o Options) withDefaults() Options {
	if o.Objective.Name == "" {
		o.Objective = Logistic
	}
	defaultTo(&o.Rounds, 200)
	defaultTo(&o.LearningRate, 0.1)
	defaultTo(&o.MaxDepth, 5)
	defaultTo(&o.Leaves, 32)
	defaultTo(&o.MinLeafSamples, 20)
	defaultTo(&o.MinLeafHessian, 1e-3)
	defaultTo(&o.RowFraction, 0.5)
	defaultTo(&o.ColumnFraction, 1)
	defaultTo(&o.Bins, maxBins)
	defaultTo(&o.CategoryLimit, 32)
	defaultTo(&o.CategorySmoothing, 10)
	defaultTo(&o.CategoryL2, 10)
	defaultTo(&o.Workers, runtime.GOMAXPROCS(0))
	defaultTo(&o.Patience, 20)
	return o
}

func defaultTo[T int | float64](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// validate checks options that have their defaults.
func (o *Options) validate() error {
	for _, c := range []struct {
		ok   bool
		name string
		got  any
		want string
	}{
		{o.Rounds > 0, "Rounds", o.Rounds, "1 or more"},
		{o.LearningRate > 0 && o.LearningRate <= 1, "LearningRate", o.LearningRate, "more than 0, at most 1"},
		{o.Leaves >= 2, "Leaves", o.Leaves, "2 or more"},
		{o.Growth <= DepthWise, "Growth", o.Growth, "LeafWise or DepthWise"},
		{o.MinLeafSamples > 0, "MinLeafSamples", o.MinLeafSamples, "1 or more"},
		{o.MinLeafHessian > 0, "MinLeafHessian", o.MinLeafHessian, "more than 0"},
		{o.MinGain >= 0, "MinGain", o.MinGain, "0 or more"},
		{o.L1 >= 0, "L1", o.L1, "0 or more"},
		{o.L2 >= 0, "L2", o.L2, "0 or more"},
		{o.RowFraction > 0 && o.RowFraction <= 1, "RowFraction", o.RowFraction, "more than 0, at most 1"},
		{o.ColumnFraction > 0 && o.ColumnFraction <= 1, "ColumnFraction", o.ColumnFraction, "more than 0, at most 1"},
		{o.Bins >= 2 && o.Bins <= maxBins, "Bins", o.Bins, fmt.Sprintf("from 2 to %d", maxBins)},
		{o.CategoryLimit > 0, "CategoryLimit", o.CategoryLimit, "1 or more"},
		{o.CategorySmoothing >= 0, "CategorySmoothing", o.CategorySmoothing, "0 or more"},
		{o.CategoryL2 >= 0, "CategoryL2", o.CategoryL2, "0 or more"},
		{o.Workers > 0, "Workers", o.Workers, "1 or more"},
		{o.Patience > 0, "Patience", o.Patience, "1 or more"},
	} {
		if !c.ok {
			return fmt.Errorf("options: %s is %v, it should be %s", c.name, c.got, c.want)
		}
	}
	return o.Objective.validate()
}
