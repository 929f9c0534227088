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
	all := []schemata.ProbeOptions{{Define: true}, {Define: true, Counts: true}, {StandAlone: true}, {Define: true, StandAlone: true}}
	for n, file := range programs(t) {
		text := compile(t, file)
		for what, make := range map[string]build{"probe": schemata.Probe, "cover": schemata.Cover} {
			for _, opts := range []schemata.ProbeOptions{all[n%4], all[(n+1)%4]} {
				m := parse(t, text)
				r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
				opts.Sites, opts.Mutants = r.Sites, len(r.Mutants)
				make(m, r.Mutants, opts)
				verify(t, file+" "+what, m.String())
			}
		}
	}
}

func TestProbeTextIsThatOfProbeAndLeavesTheModuleAsItWas(t *testing.T) {
	for _, file := range programs(t)[:4] {
		text := compile(t, file)
		generate := func() (*ir.Module, operator.Result) {
			m := parse(t, text)
			return m, operator.Generate(m, operator.Options{})
		}
		m, r := generate()
		opts := schemata.ProbeOptions{Sites: r.Sites, Mutants: len(r.Mutants), Define: true}
		for _, f := range m.Functions() {
			ir.NameLocals(f)
		}
		before := m.String()
		got := schemata.ProbeText(m, r.Mutants, opts)
		if m.String() != before {
			t.Errorf("%s: the module has changed", file)
		}
		if schemata.CoverText(m, r.Mutants, opts) == got {
			t.Errorf("%s: the coverage build is the probing build", file)
		}
		if again := schemata.ProbeText(m, r.Mutants, opts); again != got {
			t.Errorf("%s: the second text differs from the first", file)
		}
		own, mutants := generate()
		schemata.Probe(own, mutants.Mutants, opts)
		if own.String() != got {
			t.Errorf("%s: the text differs from that of Probe", file)
		}
	}
}
