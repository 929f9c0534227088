package features

import (
	"math"

	"github.com/winnow-mutants/winnow/mutant"
)

var infection = Family{
	Name: "infection",
	Doc: "How hard the change is to see, tried on drawn states (analysis/concrete): the statement is run with and without the change on states " +
		"that pass the conditions around it. Missing where there is no code to run, or the original traps on every state.",
	Columns: []Column{
		{Name: "infect_share", Unit: "share", Source: "own", Doc: "share of drawn states on which the mutated code leaves another value or memory"},
		{Name: "infect_typical_share", Unit: "share", Source: "own", Doc: "the same of the states that are no corners"},
		{Name: "infect_corner_share", Unit: "share", Source: "own", Doc: "the same of the corners: all numbers zero, equal, or near zero"},
		{Name: "infect_statement_share", Unit: "share", Source: "own", Doc: "share of drawn states that differ when the statement is over"},
		{Name: "infect_block_share", Unit: "share", Source: "own", Doc: "share of drawn states that differ when the block is left"},
		{Name: "diverge_share", Unit: "share", Source: "own", Doc: "share of drawn states on which the block is left another way"},
		{Name: "trap_share", Unit: "share", Source: "own", Doc: "share of drawn states on which only the mutant divides by zero or uses an address near null"},
		{Name: "mask_share", Unit: "share", Source: "own", Doc: "share of the differing states that agree again when the block is left; missing when none differs"},
		{Name: "infect_by_one_share", Unit: "share", Source: "own", Doc: "share of the differing values that differ by one; missing when none differs"},
		{Name: "infect_sign_share", Unit: "share", Source: "own", Doc: "share of the differing values that have the other sign, or zero for a sign; missing when none differs"},
		{Name: "infect_difference", Unit: "log2", Source: "own", Doc: "mean of log2(1 + |difference|) of the differing values; missing when none differs"},
		{Name: "path_share", Unit: "share", Source: "own", Doc: "share of drawn states that pass the conditions around the mutant"},
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		for k := range row {
			row[k] = math.NaN()
		}
		if seeds := s.fn.seedsOf(s.block); len(seeds.passed) > 0 {
			row[11] = seeds.share
			s.p.trial.try(s, s.p.editOf(m), row)
		}
	},
}

// outcome counts what drawn states show of a mutant.
type outcome struct {
	states, corners                                     int
	infected, cornerInfected, statement, final, diverge int
	traps, values, byOne, sign                          int
	difference                                          float64
}

func (o *outcome) fill(row []float64) {
	if o.states == 0 {
		return
	}
	row[0] = share(o.infected, o.states)
	row[1] = shareOrMissing(o.infected-o.cornerInfected, o.states-o.corners)
	row[2] = shareOrMissing(o.cornerInfected, o.corners)
	row[3] = share(o.statement, o.states)
	row[4] = share(o.final, o.states)
	row[5] = share(o.diverge, o.states)
	row[6] = share(o.traps, o.states)
	row[7] = shareOrMissing(max(0, o.infected-o.final), o.infected)
	row[8] = shareOrMissing(o.byOne, o.values)
	row[9] = shareOrMissing(o.sign, o.values)
	if o.values > 0 {
		row[10] = o.difference / float64(o.values)
	}
}

func shareOrMissing(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return share(part, whole)
}
