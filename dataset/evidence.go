package dataset

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
)

// Evidence is what labels are made of: which tests of a pool kill which
// mutants, and which reveal the fault.
type Evidence struct {
	// Mutants are the mutants' ids, Tests the names of the pool's tests.
	Mutants, Tests []string
	// Killed and Unknown are, for each mutant, the tests of the pool that kill
	// it and those of which it is not known whether they do. A kill of a mutant that C leaves
	// undefined in some states is not known, unless what it does there ends every build.
	Killed, Unknown []matrix.Bits
	// Reveals are the tests of the pool that reveal the fault. It has length 0
	// when no fixed version is known.
	Reveals matrix.Bits
	// Told is what testers said of each mutant; nil when they said nothing.
	Told []Told
	// Lived are the mutants that an earlier version of the subject has, and its tests let live.
	Lived map[string]bool
}

// NewEvidence restricts a subject's kills to its pool. Where the fault is
// known, the pool is the tests whose runs on the faulty and on the fixed
// version can be compared: a flaky test can neither kill nor reveal. Else it is
// all tests.
func NewEvidence(s *Subject) (*Evidence, error) {
	if s.Kills == nil {
		return nil, errors.New("labels need kills: run the mutants first")
	}
	tests := s.Kills.Tests()
	verdicts := map[string]matrix.Verdict{}
	for _, r := range s.Faults {
		verdicts[r.Test] = r.Verdict
	}
	e := &Evidence{Mutants: s.Kills.Mutants(), Lived: s.Lived}
	var pool, reveals []int
	for i, name := range tests {
		if s.Faults != nil && verdicts[name] == matrix.Unknown {
			continue
		}
		if verdicts[name] == matrix.Killed {
			reveals = append(reveals, len(pool))
		}
		pool = append(pool, i)
		e.Tests = append(e.Tests, name)
	}
	if len(pool) == 0 && len(tests) > 0 {
		return nil, fmt.Errorf("none of %d tests can be used: each is flaky, runs out of time or crashes the fixed version, or is not in the fault table", len(tests))
	}
	if s.Faults != nil {
		e.Reveals = matrix.BitsOf(len(pool), reveals...)
	}
	depends := s.dependsOnBuild()
	for i, id := range e.Mutants {
		killed, open := s.Kills.Killed(i).At(pool), s.Kills.Unknown(i).At(pool)
		if depends[id] { // a kill may be what lay in memory
			open.Or(killed)
			killed.AndNot(killed)
		}
		e.Killed, e.Unknown = append(e.Killed, killed), append(e.Unknown, open)
	}
	e.tell(s.told())
	return e, nil
}

func (e *Evidence) faultKnown() bool { return e.Reveals.Len() == len(e.Tests) }
