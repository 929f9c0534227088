package rank

import (
	"math/bits"

	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// fold keeps of an order the first mutant of each group that falls together: those of one
// function that show the same first difference on each drawn input, and those of one
// function that no test comes to where tests were run, since a test that comes there kills
// most of them. alike counts, for each that is kept, the others.
func (r *ranking) fold(order []int) (kept, alike []int) {
	type group struct {
		file, function string
		trial          predict.Trial
		ofProgram      bool
		unreached      bool
	}
	at := map[group]int{}
	for _, place := range order {
		s := &r.scores[place]
		t, ofProgram := s.Told()
		unreached := r.tests != nil && r.tests[place].Reached == 0
		if t.Shown == 0 && !unreached {
			kept, alike = append(kept, place), append(alike, 0)
			continue
		}
		t.Reached, t.Crashes, t.Ends = 0, 0, 0 // the same differences are alike wherever they come from
		g := group{s.File, s.Function, t, ofProgram, false}
		if unreached {
			g = group{file: s.File, function: s.Function, unreached: true}
		}
		if k, seen := at[g]; seen {
			alike[k]++
			continue
		}
		at[g] = len(kept)
		kept, alike = append(kept, place), append(alike, 0)
	}
	return kept, alike
}

func trialsOf(s *predict.Score) *report.Trials {
	t, ofProgram := s.Told()
	if t.Tried == 0 {
		return nil
	}
	out := &report.Trials{Of: "function", Inputs: bits.OnesCount64(t.Tried), Reached: t.Reached, Shown: bits.OnesCount64(t.Shown), Crashes: t.Crashes, Ends: t.Ends, Ending: t.Ending}
	if ofProgram {
		out.Of = "program"
	}
	return out
}
