package built

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/program"
)

// diffs are the changes of the survivors that tests reach as unified diffs, by id. A
// mutant that no change of the C text stands for has none.
func (r *recording) diffs(p *program.Program, kills *kill.Matrix) (map[string]string, error) {
	shown := map[string]bool{}
	for i, id := range kills.Mutants() {
		shown[id] = kills.Verdict(i) == matrix.Survived && !kills.Reached(i).Empty()
	}
	out := map[string]string{}
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		patcher := patch.New(u.Source)
		patcher.Folder = r.build.Path("source")
		for k := range u.Mutants {
			m := &u.Mutants[k]
			if !shown[m.ID] {
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
