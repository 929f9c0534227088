package evaluate

import (
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/evaluate/indicator"
	"github.com/winnow-mutants/winnow/matrix"
)

// Target is what a model learns about a mutant, and the truth it is judged by.
// It is a constant value; to add one, list it in Targets.
type Target struct {
	Name string
	Doc  string
	// Label returns the training label of a mutant, between 0 and 1, and its
	// weight. A weight of 0 keeps the mutant out of training.
	Label func(kill, reveals matrix.Bits) (label, weight float64)
	// Positive is the class by which predictions are judged.
	Positive func(kill, reveals matrix.Bits) bool
}

// Targets returns all targets.
func Targets() []Target { return []Target{Revealing, RevealingWeighted, RevealingRatio, Killability} }

// LookupTarget returns the target of that name. The error of an unknown name
// lists the valid ones.
func LookupTarget(name string) (Target, error) {
	var names []string
	for _, t := range Targets() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Target{}, fmt.Errorf("there is no target %q; the targets are %s", name, strings.Join(names, ", "))
}

// Revealing is the label of FaRM's prediction study (dissertation, section
// 6.4.3).
var Revealing = Target{
	Name: "revealing",
	Doc:  "positive when every killing test reveals the fault",
	Label: func(kill, reveals matrix.Bits) (float64, float64) {
		return indicate(isRevealing(kill, reveals)), 1
	},
	Positive: isRevealing,
}

// RevealingWeighted labels as Revealing does and lets a negative count the
// less the closer it came, with the weights of the training tool that FaRM's
// authors published with Mart.
var RevealingWeighted = Target{
	Name: "revealing-weighted",
	Doc:  "as revealing; a killed negative weighs 1 - ratio, 0.99 at most",
	Label: func(kill, reveals matrix.Bits) (float64, float64) {
		switch {
		case kill.Empty():
			return 0, 1
		case isRevealing(kill, reveals):
			return 1, 1
		}
		return 0, min(0.99, 1-indicator.Ratio(kill, reveals))
	},
	Positive: isRevealing,
}

// RevealingRatio learns the share of killing tests that reveal the fault, the
// label of FaRM's selection study (dissertation, section 6.4.4).
var RevealingRatio = Target{
	Name: "revealing-ratio",
	Doc:  "the share of killing tests that reveal the fault, 0 when nothing kills the mutant; judged as revealing",
	Label: func(kill, reveals matrix.Bits) (float64, float64) {
		if kill.Empty() {
			return 0, 1
		}
		return indicator.Ratio(kill, reveals), 1
	},
	Positive: isRevealing,
}

// Killability is the label of PredKillable (dissertation, section 6.4.2).
var Killability = Target{
	Name: "killable",
	Doc:  "positive when some test of the pool kills the mutant",
	Label: func(kill, _ matrix.Bits) (float64, float64) {
		return indicate(indicator.Killable(kill)), 1
	},
	Positive: func(kill, _ matrix.Bits) bool { return indicator.Killable(kill) },
}

func isRevealing(kill, reveals matrix.Bits) bool {
	return indicator.FaultRevealing(kill, reveals, 100)
}

func indicate(positive bool) float64 {
	if positive {
		return 1
	}
	return 0
}
