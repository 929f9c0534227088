package indicator

import (
	"github.com/winnow-mutants/winnow/matrix"
)

// Killable says whether some test of the pool kills the mutant.
func Killable(kill matrix.Bits) bool { return !kill.Empty() }

// FaultRevealing says whether at least the given share (percent) of the
// mutant's killing tests reveal the fault, and there is one: FR-1.0 is 100,
// FR-0.9 is 90 (dissertation, section 5.2.1). At 100 any suite that kills the
// mutant finds the fault.
func FaultRevealing(kill, reveals matrix.Bits, percent int) bool {
	killing := kill.Count()
	return killing > 0 && 100*kill.CountAnd(reveals) >= percent*killing
}

// Hard says whether the mutant is killed, but by no more than so many
// thousandths of the pool: Hard-0.050 is 50, Hard-0.025 is 25 (dissertation,
// section 5.2.1; "at most" as in the definition).
func Hard(kill matrix.Bits, thousandths int) bool {
	killing := kill.Count()
	return killing > 0 && 1000*killing <= thousandths*kill.Len()
}

// HardToPropagate says whether the mutant is killed, but by no more than the
// given share (percent) of the tests that infect it, that is, change the
// program's state: HardP-0.25 is 25, HardP-0.10 is 10 (dissertation, section
// 5.2.1).
func HardToPropagate(kill, infect matrix.Bits, percent int) bool {
	killing := kill.Count()
	return killing > 0 && 100*killing <= percent*infect.Count()
}
