package train

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
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
	// Leaves bounds the leaves of a tree; default 32. The leaf with the largest gain
	// is split next, as LightGBM does.
	Leaves int

	// MinLeafSamples is the smallest number of training rows in a leaf; default
	// 20.
	MinLeafSamples int
	// MinLeafHessian is the smallest sum of second derivatives in a leaf;
	// default 0.001.
	MinLeafHessian float64
	// L2 penalises the squares of leaf values; default 0.
	L2 float64

	// RowFraction is the share of the rows each tree sees, drawn without
	// replacement; default 0.5. Friedman, "Stochastic gradient boosting" (2002).
	RowFraction float64
	// ColumnFraction is the share of the columns each tree may split on; default
	// 1.
	ColumnFraction float64
	// Bins bounds the number of different values of a column that are told
	// apart, from 2 to 255; default 255.
	Bins int

	// WarmStart, when set, is a model to continue: its trees come first in the
	// result and Rounds more are added. It must read a subset of the columns.
	WarmStart *tree.Ensemble

	// Seed decides every random draw. The same data, options and seed give the
	// same model, whatever Workers is.
	Seed uint64
	// Workers is the number of goroutines; default one per processor.
	Workers int

	// Progress, when set, is called after every tree, from one goroutine.
	Progress func(done, total int)
}

// noInfluence are the options that cannot change a model.
var noInfluence = []string{"Workers", "Progress"}

// fixed are the settings that a card names though nobody can choose them: cards of
// earlier models name them too, and are compared with new ones.
var fixed = map[string]string{
	"Growth": "leaf-wise", "MinGain": "0", "L1": "0", "Monotone": "map[]", "Patience": "20",
	"CategoryLimit": "32", "CategorySmoothing": "10", "CategoryL2": "10",
}

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
	settings := maps.Clone(fixed)
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
	defaultTo(&o.Workers, runtime.GOMAXPROCS(0))
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
		{o.MinLeafSamples > 0, "MinLeafSamples", o.MinLeafSamples, "1 or more"},
		{o.MinLeafHessian > 0, "MinLeafHessian", o.MinLeafHessian, "more than 0"},
		{o.L2 >= 0, "L2", o.L2, "0 or more"},
		{o.RowFraction > 0 && o.RowFraction <= 1, "RowFraction", o.RowFraction, "more than 0, at most 1"},
		{o.ColumnFraction > 0 && o.ColumnFraction <= 1, "ColumnFraction", o.ColumnFraction, "more than 0, at most 1"},
		{o.Bins >= 2 && o.Bins <= maxBins, "Bins", o.Bins, fmt.Sprintf("from 2 to %d", maxBins)},
		{o.Workers > 0, "Workers", o.Workers, "1 or more"},
	} {
		if !c.ok {
			return fmt.Errorf("options: %s is %v, it should be %s", c.name, c.got, c.want)
		}
	}
	return o.Objective.validate()
}
