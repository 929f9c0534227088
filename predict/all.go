package predict

import (
	"fmt"
	"slices"
	"strings"
)

// All returns every strategy: those that need a model first.
func All() []Strategy {
	return []Strategy{
		FaRM,
		FaRMStar,
		PredKillable,
		Random,
		Spread,
		SDL,
		ESelective,
		Winnow,
		Defect,
		Diversity,
		Coverage,
	}
}

// Lookup returns the strategy of that name or alias, whatever its case. The
// error of an unknown name lists the valid ones.
func Lookup(name string) (Strategy, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	var names []string
	for _, s := range All() {
		if s.Name == wanted || slices.Contains(s.Aliases, wanted) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Strategy{}, fmt.Errorf("there is no strategy %q; the strategies are %s", name, strings.Join(names, ", "))
}
