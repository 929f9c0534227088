package dataset

import (
	"fmt"
	"path/filepath"

	"github.com/winnow-mutants/winnow/matrix/fault"
)

// Pool says which tests of a history are used. Its zero value is AllTests.
type Pool string

const (
	// AllTests are the original tests and those that an import made from them.
	AllTests Pool = "all"
	// OriginalTests are those that came with the programs.
	OriginalTests Pool = "original"
)

// ParsePool reads a pool's name.
func ParsePool(name string) (Pool, error) {
	switch p := Pool(name); p {
	case AllTests, OriginalTests:
		return p, nil
	}
	return "", fmt.Errorf("pool %q: want %s or %s", name, AllTests, OriginalTests)
}

// AugmentedCount is the count, in a manifest, of the tests that were made from
// the others.
const AugmentedCount = "augmented"

// UsePool makes all runs load the tests of a pool only. The history is then
// another: Hash tells them apart where a run has other tests.
func (h *History) UsePool(p Pool) {
	for _, runs := range [][]Run{h.Runs, h.Fixed} {
		for i := range runs {
			runs[i].Pool = p
		}
	}
}

// restricted reports whether the pool leaves out any test.
func (h *History) restricted() bool {
	for i := range h.Runs {
		if h.Runs[i].restricted() {
			return true
		}
	}
	return false
}

func (r *Run) restricted() bool {
	return r.Pool == OriginalTests && r.Manifest.Counts[AugmentedCount] > 0
}

// restrict leaves out what the tests say that are not of the run's pool, in the
// tables that were loaded: kills, branches, probes, faults. Other coverage has no such
// tests.
func (r *Run) restrict(s *Subject) error {
	if !r.restricted() {
		return nil
	}
	faults := s.Faults
	if faults == nil {
		if err := r.Verify(FaultsFile); err != nil {
			return err
		}
		var err error
		if faults, err = fault.Read(filepath.Join(r.Dir, FaultsFile)); err != nil {
			return err
		}
	}
	made := map[string]bool{}
	var original fault.Table
	for _, f := range faults {
		if made[f.Test] = f.Augmented; !f.Augmented {
			original = append(original, f)
		}
	}
	if s.Faults != nil {
		s.Faults = original
	}
	if s.Kills != nil {
		s.Kills = s.Kills.OnTests(func(test string) bool { return !made[test] })
	}
	if s.Branches != nil {
		s.Branches = s.Branches.OnTests(func(test string) bool { return !made[test] })
	}
	if s.Probe == nil {
		return nil
	}
	tests, err := s.Probe.Strings("test")
	if err != nil {
		return err
	}
	var rows []int
	for row, test := range tests {
		if !made[test] {
			rows = append(rows, row)
		}
	}
	s.Probe, err = s.Probe.Pick(rows)
	return err
}
