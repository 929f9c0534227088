package execute

import "slices"

// needsRun notes whether a pair is infected, and says whether it is to be run:
// when it is, and when the audit looks at it all the same.
func (k *killRun) needsRun(m, test int) bool {
	mutant, probe := k.mutants[m], k.engine.options.Probe
	if probe == nil || probe.Tests[test].Infects(mutant) {
		k.result.Infected[m].Set(test)
		return true
	}
	return sampled(mutant.Selector, test, k.engine.options.AuditEvery)
}

// auditProbe looks at a pair that was run: where it is not infected, it must
// have survived.
func (k *killRun) auditProbe(m, test int, seen Outcome, noticed bool) {
	if k.result.Infected[m].Has(test) {
		return
	}
	k.beyond = append(k.beyond, Cell{Mutant: int32(m), Test: int32(test)})
	if !noticed || seen.Cause == CauseFailed {
		return
	}
	original := k.base.Tests[test].Outcome
	seen.Wall, original.Wall = 0, 0
	k.result.Audit.Missed = append(k.result.Audit.Missed, Disagreement{Mutant: m, Test: test, Fast: original, Judge: seen})
}

// countUninfected orders what auditProbe found and leaves out pairs whose
// verdict was taken back.
func (k *killRun) countUninfected() {
	audit := &k.result.Audit
	stopped := func(mutant, test int) bool {
		c, ok := k.result.Cell(mutant, test)
		return ok && c.Cause == CauseStopped
	}
	for _, c := range k.beyond {
		if !stopped(int(c.Mutant), int(c.Test)) {
			audit.Uninfected++
		}
	}
	audit.Missed = slices.DeleteFunc(audit.Missed, func(d Disagreement) bool { return stopped(d.Mutant, d.Test) })
	slices.SortFunc(audit.Missed, func(a, b Disagreement) int { return comparePairs(a.Mutant, a.Test, b.Mutant, b.Test) })
}
