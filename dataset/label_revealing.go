package dataset

// faultRevealing is FaRM's target: of the tests that kill the mutant all reveal
// the fault, so that whoever kills it finds the fault.
var faultRevealing = Label{
	Name:     "fault-revealing",
	Doc:      "killed, and every test that kills the mutant reveals the fault",
	Requires: []string{KillsFile, FaultsFile},
	Binary:   true,
	Run:      each(revealing),
}

// faultRevealingWeighted has the weights with which FaRM's models were trained.
var faultRevealingWeighted = Label{
	Name:     "fault-revealing-weighted",
	Doc:      "as fault-revealing, with FaRM's weights for negatives: 1 not killed, 0.99 killed by no revealing test, else one less the share of revealing tests among the killing ones",
	Requires: []string{KillsFile, FaultsFile},
	Binary:   true,
	Run: each(func(e *Evidence, m int) Value {
		v := revealing(e, m)
		if v.Target != 0 || e.Killed[m].Empty() {
			return v
		}
		// Cells that are not known leave the target at 0 but would change the
		// share: it is taken over the known ones.
		kills, common := e.Killed[m].Count(), e.Killed[m].CountAnd(e.Reveals)
		if common == 0 {
			v.Weight = 0.99
		} else {
			v.Weight = float64(kills-common) / float64(kills)
		}
		return v
	}),
}

func revealing(e *Evidence, m int) Value {
	if !e.faultKnown() {
		return unknown()
	}
	if told := e.told(m); told == ToldWorthless {
		return no()
	} else if told == ToldKilled && e.Killed[m].Empty() {
		return unknown() // nobody said whether the new test reveals the fault
	}
	killed, open := e.Killed[m], e.Unknown[m]
	switch {
	case !killed.IsSubset(e.Reveals):
		return no()
	case killed.Empty() && !open.Intersects(e.Reveals):
		return no() // whatever the open cells hold: never killed by revealing tests alone
	case !killed.Empty() && open.IsSubset(e.Reveals):
		return yes()
	}
	return unknown()
}

// ratio is what the second part of FaRM's study learns and what the strategies
// try to guess.
var ratio = Label{
	Name:     "ratio",
	Doc:      "share of the tests that kill the mutant that also reveal the fault; not defined for mutants that no test kills",
	Requires: []string{KillsFile, FaultsFile},
	Run: each(func(e *Evidence, m int) Value {
		kills := e.Killed[m].Count()
		if kills == 0 || !e.faultKnown() || !e.Unknown[m].Empty() {
			return unknown()
		}
		return Value{Target: float64(e.Killed[m].CountAnd(e.Reveals)) / float64(kills), Weight: 1}
	}),
}
