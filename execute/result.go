package execute

import "slices"

// Cell is a pair that was killed or has no verdict; survivors have no cell.
type Cell struct {
	Mutant  int32 // index into Result.Mutants
	Test    int32 // index into the engine's tests
	Verdict Verdict
	Cause   Cause
	Status  uint8 // exit status or signal
	// Work is the fuel used; -1 when unknown.
	Work int64
}

// Failure says why a pair with CauseFailed has no verdict.
type Failure struct {
	Mutant, Test int
	Reason       string
}

// Disagreement is a pair on which a faster tier and the judge differ. The
// judge's verdict stands.
type Disagreement struct {
	Mutant, Test int
	Fast, Judge  Outcome
}

// Audit is what the sampled comparison with the judge found.
type Audit struct {
	Checked       int
	Disagreements []Disagreement
	// Uninfected is how many pairs were run that need no run (Options.Probe).
	// Missed are those that did not survive, against what the probing run said:
	// an error of winnow's, or undefined behaviour of the program. Fast is the
	// original. The observed verdict stands.
	Uninfected int
	Missed     []Disagreement
}

// Result is the verdict on every (mutant, test) pair.
//
// Its size is 4 bits a pair, plus 24 bytes a killed or unknown pair.
type Result struct {
	Mutants []Mutant
	// Killed, Unknown and Reached hold, for each mutant, a set of tests. A pair
	// in neither Killed nor Unknown survived. Pairs not in Reached never
	// executed the mutated site and so survive without a run. On tests that are
	// set aside all mutants are Unknown and none is Reached; there is no cell.
	Killed, Unknown, Reached []Bits
	// Infected pairs are those of Reached that a probing run (Options.Probe) did
	// not show to survive; the others survive without a run. Killed pairs are
	// infected, but for the audit's Missed.
	Infected []Bits
	// Cells are ordered by mutant, then by test.
	Cells []Cell
	// Failures explain the cells with CauseFailed that this call decided.
	Failures []Failure
	// Runs is the number of pairs that needed a run, those from Known included.
	Runs int
	// HandedOn is the number of those that InProcess left to Fork. It is a
	// cost, no result: on a busy machine more runs meet the fence.
	HandedOn int
	// Shared is the number of runs that this call made and that did not begin with the
	// program's main, but where the original was shortly before it reached the mutant.
	Shared  int
	Audit   Audit
	Sandbox Sandbox
}

// Verdict returns the verdict on one pair.
func (r *Result) Verdict(mutant, test int) Verdict {
	switch {
	case r.Unknown[mutant].Has(test):
		return Unknown
	case r.Killed[mutant].Has(test):
		return Killed
	}
	return Survived
}

// Cell returns the cell of one pair; ok is false where it has none.
func (r *Result) Cell(mutant, test int) (cell Cell, ok bool) {
	i, ok := slices.BinarySearchFunc(r.Cells, Cell{Mutant: int32(mutant), Test: int32(test)}, compareCells)
	if !ok {
		return Cell{}, false
	}
	return r.Cells[i], true
}

func compareCells(a, b Cell) int {
	if a.Mutant != b.Mutant {
		return int(a.Mutant) - int(b.Mutant)
	}
	return int(a.Test) - int(b.Test)
}

// stopAfterTimeouts takes back the verdicts after a mutant's n-th run that work
// or time ended. Doing it in test order at the end makes the result the same
// whatever the order of the runs was.
func stopAfterTimeouts(cells []Cell, reached []Bits, tests, n int) []Cell {
	var out []Cell
	for at := 0; at < len(cells); {
		mutant, seen := cells[at].Mutant, 0
		for ; at < len(cells) && cells[at].Mutant == mutant && seen < n; at++ {
			if timedOut(cells[at].Cause) {
				seen++
			}
			out = append(out, cells[at])
		}
		if seen < n {
			continue
		}
		for test := int(out[len(out)-1].Test) + 1; test < tests; test++ {
			if reached[mutant].Has(test) {
				out = append(out, stoppedCell(int(mutant), test))
			}
		}
		for at < len(cells) && cells[at].Mutant == mutant {
			at++
		}
	}
	return out
}

func stoppedCell(mutant, test int) Cell {
	return Cell{Mutant: int32(mutant), Test: int32(test), Verdict: Unknown, Cause: CauseStopped, Work: -1}
}

func timedOut(c Cause) bool { return c == CauseWork || c == CauseTime }
