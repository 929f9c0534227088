package campaign

import (
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// AtExits are what becomes of a program's mutants on tests until their function is left:
// by the test's name and the mutant's selector; nil for a test of which nothing is known.
type AtExits map[string][]mutant.Leaving

// Of is what becomes of one mutant on one test; 0 where nothing is known.
func (l AtExits) Of(test string, selector int32) mutant.Leaving {
	if known := l[test]; known != nil {
		return known[selector]
	}
	return 0
}

// FollowToExits follows the program on its tests. It must be as it was mutated: no build was
// made of it. Of tests with arguments or files nothing is known, nor of those behind many
// large inputs.
func FollowToExits(p *program.Program, tests []execute.Test) (AtExits, error) {
	out := AtExits{}
	var names []string
	var texts [][]byte
	most, room := 0, mostText
	for _, m := range p.Mutants() {
		most = max(most, int(m.Selector))
	}
	for i := range tests {
		t := &tests[i]
		if len(t.Args) > 0 || len(t.Files) > 0 {
			continue
		}
		text, err := t.ReadInput()
		if err != nil {
			return nil, err
		}
		if room -= len(text); room >= 0 {
			names, texts = append(names, t.Name), append(texts, text)
		}
	}
	for _, u := range p.Units {
		if len(u.Mutants) == 0 || len(texts) == 0 {
			continue
		}
		found, err := features.CompareAtExits(u.Module, u.Mutants, texts)
		if err != nil {
			return nil, err
		}
		for k, name := range names {
			if found[k] != nil && out[name] == nil {
				out[name] = make([]mutant.Leaving, most+1)
			}
			for i, l := range found[k] {
				out[name][u.Mutants[i].Selector] = l
			}
		}
	}
	return out, nil
}

// mostText bounds the inputs that are followed, all together.
const mostText = 32 << 20
