package campaign

import (
	"testing"

	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/project"
)

// TestWhatATestKillsItInfectsAndWhatItInfectsItReaches is the order of the three
// builds: killed in the meta-mutant, infected in the weak-mutation build, reached in
// the coverage build, each of which is run by itself and on every pair. Nothing is
// removed, so that mutants which no test can kill are among them.
func TestWhatATestKillsItInfectsAndWhatItInfectsItReaches(t *testing.T) {
	project, err := project.Open("../examples/calendar")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := project.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	all, tools := cases[0].Tests, clangtest.Tools(t)
	tests := []execute.Test{all[0], all[len(all)/3], all[len(all)/2], all[len(all)-1]}
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(t.Context(), tools, project.Inputs(nil), program.LoadOptions{Mutation: program.Mutation{Passes: none, Scope: scope.Options{Lines: []string{"calendar.c:60-120"}}}})
	if err != nil {
		t.Fatal(err)
	}
	builder := buildtest.Builder(t)
	binary, err := builder.MetaMutant(t.Context(), p, "mutants")
	if err != nil {
		t.Fatal(err)
	}
	engine, err := execute.Start(t.Context(), binary, tests, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	base, err := engine.Originals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mutants := p.Mutants()
	list := make([]execute.Mutant, len(mutants))
	for i := range mutants {
		list[i] = execute.Mutant{Selector: mutants[i].Selector, Site: mutants[i].Site.Ordinal}
	}
	killed, err := engine.Kill(t.Context(), base, list)
	if err != nil {
		t.Fatal(err)
	}
	infected := probeAll(t, builder, p, tests, base)
	kills, infections, reaches := 0, 0, 0
	for i, m := range mutants {
		for k := range tests {
			probe := &infected.Tests[k]
			kill, infect := killed.Verdict(i, k) == execute.Killed, probe.Infects(list[i])
			reach := probe.ReachCounts[m.Site.Ordinal] > 0
			if kill && !infect || infect && !reach || reach != base.Tests[k].Reached.Has(m.Site.Ordinal) {
				t.Errorf("%s:%d %s `%s` => `%s` on test %s: killed %v, infected %v, reached %v", m.Function, m.Line, m.Rule, m.Original, m.Replacement,
					tests[k].Name, kill, infect, reach)
			}
			kills, infections, reaches = kills+count(kill), infections+count(infect), reaches+count(reach)
		}
	}
	if pairs := len(mutants) * len(tests); kills == 0 || infections <= kills || reaches <= infections || reaches == pairs {
		t.Errorf("of %d pairs %d are reached, %d infected, %d killed: nothing is shown", pairs, reaches, infections, kills)
	}
}

// probeAll runs the weak-mutation build on every test.
func probeAll(t *testing.T, b *build.Builder, p *program.Program, tests []execute.Test, base *execute.Baseline) *execute.ProbeResult {
	t.Helper()
	probing, err := b.Probing(t.Context(), p, "probe", true)
	if err != nil {
		t.Fatal(err)
	}
	prober, err := execute.StartProbe(t.Context(), probing.Binary, tests, probing.Shape, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer prober.Close()
	found, err := prober.Run(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	for k, test := range found.Tests {
		if test.Unprobed != "" {
			t.Fatalf("test %s: %s", tests[k].Name, test.Unprobed)
		}
	}
	return found
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
