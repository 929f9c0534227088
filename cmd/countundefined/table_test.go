package main

import (
	"fmt"
	"testing"
)

// The sums of tables 5.2 and 5.3: those that the thesis prints, and two that it adds up wrongly.
func TestThePublishedTablesAddUp(t *testing.T) {
	var all row
	for _, r := range thesis {
		all.mutants += r.mutants
		all.nga, all.mpa, all.sva = all.nga+r.nga, all.mpa+r.mpa, all.sva+r.sva
		all.ofNGA, all.ofMPA, all.ofSVA = all.ofNGA+r.ofNGA, all.ofMPA+r.ofMPA, all.ofSVA+r.ofSVA
		all.ocng, all.ror, all.lcr, all.uoi = all.ocng+r.ocng, all.ror+r.ror, all.lcr+r.lcr, all.uoi+r.uoi
		all.negated, all.compared = all.negated+r.negated, all.compared+r.compared
		all.joined, all.stepped = all.joined+r.joined, all.stepped+r.stepped
		all.seconds += r.seconds
		if found := r.ocng + r.ror + r.lcr + r.uoi; found != r.nga {
			t.Errorf("%s: NGA finds %d by operator and %d in all", r.name, found, r.nga)
		}
		if related := r.nga + r.negated + r.compared + r.joined + r.stepped; related != r.ofNGA {
			t.Errorf("%s: %d related mutants by operator and %d in all", r.name, related, r.ofNGA)
		}
	}
	want := row{mutants: 2435070, nga: 4507, mpa: 916, sva: 14632, ofNGA: 1530178, ofMPA: 1222648, ofSVA: 633149,
		ocng: 1316, lcr: 675, uoi: 2516, negated: 58858, compared: 160070, joined: 86611, stepped: 1220132, seconds: all.seconds}
	if all != want {
		t.Errorf("the sums are\n%+v, not\n%+v", all, want)
	}
	if share := fmt.Sprintf("%.4f", 100*float64(all.nga+all.mpa+all.sva)/float64(all.mutants)); share != "0.8236" {
		t.Errorf("the share of all is %s %%", share)
	}
}
