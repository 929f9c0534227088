package schemata_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func TestTheProbingBuildsOfEveryProgramAreWellFormed(t *testing.T) {
	type build func(*ir.Module, []mutant.Mutant, schemata.ProbeOptions)
	for _, file := range programs(t) {
		text := compile(t, file)
		for what, make := range map[string]build{"probe": schemata.Probe, "cover": schemata.Cover} {
			for _, opts := range []schemata.ProbeOptions{{Define: true}, {Define: true, Counts: true}, {StandAlone: true}, {Define: true, StandAlone: true}} {
				m := parse(t, text)
				r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
				opts.Sites, opts.Mutants = r.Sites, len(r.Mutants)
				make(m, r.Mutants, opts)
				verify(t, file+" "+what, m.String())
			}
		}
	}
}
