package dataset

// killable is the target of PredKillable (FaRM, section 6): its negatives
// stand for the equivalent mutants.
var killable = Label{
	Name:     "killable",
	Doc:      "some test of the pool kills the mutant",
	Requires: []string{KillsFile},
	Binary:   true,
	Run: each(func(e *Evidence, m int) Value {
		switch {
		case !e.Killed[m].Empty() || e.told(m) == ToldKilled:
			return yes()
		case !e.Unknown[m].Empty():
			return unknown()
		}
		return no()
	}),
}

// hardToKill is Hard-0.050 (dissertation, section 5): killed, by at most 5 % of
// the pool.
var hardToKill = Label{
	Name:     "hard-to-kill",
	Doc:      "killed, by at most one in twenty tests of the pool",
	Requires: []string{KillsFile},
	Binary:   true,
	Run: each(func(e *Evidence, m int) Value {
		kills, open, pool := e.Killed[m].Count(), e.Unknown[m].Count(), len(e.Tests)
		switch {
		case 20*kills > pool || kills+open == 0:
			return no()
		case kills > 0 && 20*(kills+open) <= pool:
			return yes()
		case kills == 0 && pool < 20:
			return no() // even one kill would be too many
		}
		return unknown()
	}),
}
