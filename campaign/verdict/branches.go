package verdict

import (
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix/cover"
)

// Branches is which sides of branches tests take, by what each came to on a build whose sites are the
// sides. Nothing is known of a test whose run said nothing, or that is not known to have done what it does on
// other builds: same says whether it did, by its place; nil is of all.
func Branches(tests []string, taken []execute.TestBaseline, sides []string, same func(test int) bool) (*cover.Matrix, error) {
	out, err := cover.New(cover.Branches, tests, len(sides))
	if err != nil {
		return nil, err
	}
	if err := out.Name(sides); err != nil {
		return nil, err
	}
	for t := range taken {
		seen := &taken[t]
		if seen.SetAside != "" || !seen.ReachedKnown || same != nil && !same(t) {
			out.SetUnmeasured(t)
			continue
		}
		for side := range sides {
			if !seen.Reached.Has(side) {
				continue
			}
			if err := out.Set(t, side); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
