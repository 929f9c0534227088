package program

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/mutant/patch"
)

// Diffs are the mutants that are wanted as unified diffs, by id, with files as seen from a
// folder. A mutant that no change of the C text stands for has none.
func (p *Program) Diffs(folder string, wanted func(id string) bool) (map[string]string, error) {
	out := map[string]string{}
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		patcher := patch.New(u.Source)
		patcher.Folder = folder
		for k := range u.Mutants {
			m := &u.Mutants[k]
			if !wanted(m.ID) {
				continue
			}
			text, err := patcher.Diff(m)
			if none := new(patch.NoCounterpart); errors.As(err, &none) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("writing the diff of %s: %w", m.ID, err)
			}
			out[m.ID] = text
		}
	}
	return out, nil
}
