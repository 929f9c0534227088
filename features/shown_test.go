package features_test

import (
	"math/bits"
	"testing"
)

// The sets say on which inputs the trials show what the shares count.
func TestSetsOfInputsAreThoseThatTheSharesCount(t *testing.T) {
	s := extract(t, tried)
	ids, err := s.table.Strings("id")
	if err != nil {
		t.Fatal(err)
	}
	some := map[string]int{}
	for row := range ids {
		for _, prefix := range []string{"program", "trial"} {
			shown, kind, all := s.value(row, prefix+"_shown_set"), s.value(row, prefix+"_shown_kind"), s.value(row, prefix+"_tried_set")
			share := s.value(row, prefix+"_shown_all_share")
			if share != share {
				if shown == shown || kind == kind {
					t.Errorf("mutant %s has sets of no %s", ids[row], prefix)
				}
				continue
			}
			n := bits.OnesCount64(uint64(all))
			if got := float64(bits.OnesCount64(uint64(shown))) / float64(n); got != share || uint64(shown)&^uint64(all) != 0 {
				t.Errorf("%s of mutant %s: %v of %d inputs, the share is %v", prefix, ids[row], shown, n, share)
			}
			if (shown != 0) != (kind == kind) {
				t.Errorf("%s of mutant %s: kind %v of the inputs %v", prefix, ids[row], kind, shown)
			}
			if shown != 0 {
				some[prefix]++
			}
		}
	}
	if some["program"] == 0 || some["trial"] == 0 {
		t.Errorf("no mutant was shown: %v", some)
	}
}
