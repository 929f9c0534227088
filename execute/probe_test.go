//go:build linux

package execute_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// subject is one program as meta-mutant and as probing build.
type subject struct {
	meta, probe string
	mutants     []mutant.Mutant
	toRun       []execute.Mutant
	shape       execute.ProbeShape
}

// fewRules make a third of the default's mutants, of all kinds, so that a test on
// whole programs is short.
const fewRules = "AOR,LCR,ROR,CRCR,OCNG,OAAA,sdl"

func build(t *testing.T, file, operators string, counts bool, more ...func(*ir.Module, *operator.Result)) subject {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Lookup(operators)
	if err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s subject
	executable := func(name string, make func(*ir.Module, operator.Result)) string {
		m, err := ir.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		r := operator.Generate(m, operator.Options{Rules: rules})
		for _, add := range more {
			add(m, &r)
		}
		make(m, r)
		s.mutants = r.Mutants
		module := filepath.Join(t.TempDir(), name+".ll")
		if err := os.WriteFile(module, []byte(m.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), name)
		if err := tools.Link(t.Context(), out, append([]string{module}, runtimeObjects(t)...), []string{"-lm"}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	s.meta = executable("meta", func(m *ir.Module, r operator.Result) {
		schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
	})
	s.probe = executable("probe", func(m *ir.Module, r operator.Result) {
		opts := schemata.ProbeOptions{Sites: r.Sites, Mutants: len(r.Mutants), Define: true, Counts: counts}
		schemata.Probe(m, r.Mutants, opts)
		l := opts.Layout()
		s.shape = execute.ProbeShape{Sites: r.Sites, Mutants: len(r.Mutants), Counts: counts,
			ReachCounts: l.ReachCounts, InfectCounts: l.InfectCounts, Values: l.Values, Changes: l.Changes, Size: l.Size}
	})
	for _, m := range s.mutants {
		s.toRun = append(s.toRun, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	return s
}

func probe(t *testing.T, s subject, tests []execute.Test, base *execute.Baseline) *execute.ProbeResult {
	t.Helper()
	p, err := execute.StartProbe(t.Context(), s.probe, tests, s.shape, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	result, err := p.Run(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// The judge of the probing build is the run of the mutants.
func TestOnlyInfectedMutantsAreKilledAndToRunOnlyThoseGivesTheSameMatrix(t *testing.T) {
	files, err := filepath.Glob("../mutant/schemata/testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range deep.Sample(t, 4, files) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			tests := inputs(t, "")
			s := build(t, file, fewRules, false)
			e := start(t, s.meta, tests, execute.Options{})
			base := originals(t, e)
			probed := probe(t, s, tests, base)
			if why := probed.Tests[0].Unprobed; why != "" {
				t.Fatal(why)
			}
			// All that a probing run may be wrong about, and some of the rest.
			var mutants []mutant.Mutant
			var toRun []execute.Mutant
			for i, m := range s.toRun {
				if !probed.Tests[0].Infects(m) || i%10 == 0 {
					mutants, toRun = append(mutants, s.mutants[i]), append(toRun, m)
				}
			}
			all := killOn(t, e, base, toRun)
			infectedOnly := killOn(t, start(t, s.meta, tests, execute.Options{Probe: probed}), base, toRun)
			if diff := cmp.Diff(all.Cells, infectedOnly.Cells); diff != "" {
				t.Errorf("(-all run +only the infected run)\n%s", diff)
			}
			if missed := infectedOnly.Audit.Missed; len(missed) > 0 {
				t.Errorf("the audit finds %+v", missed)
			}
			for i, m := range mutants {
				reached, infected, killed := infectedOnly.Reached[i].Has(0), infectedOnly.Infected[i].Has(0), all.Killed[i].Has(0)
				if killed && !infected || infected && !reached || probed.Tests[0].Infects(toRun[i]) && !reached {
					t.Errorf("%d:%d %s `%s` => `%s`: reached %v, infected %v, killed %v", m.Line, m.Column, m.Type(),
						m.Original, m.Replacement, reached, infected, killed)
				}
			}
			// From an eighth (floats.c) to two fifths of the runs are not needed.
			if skipped := all.Runs - infectedOnly.Runs; skipped*10 < all.Runs {
				t.Errorf("%d of %d runs were left out, want a tenth at least", skipped, all.Runs)
			}
		})
	}
}

func TestTheAuditFindsAProbeThatMissesInfections(t *testing.T) {
	tests := arguments("0", "5")
	e := start(t, link(t, "work.c"), tests, execute.Options{FuelFactor: 1, FuelFloor: 1, AuditEvery: 1, Probe: &execute.ProbeResult{
		Tests: []execute.TestProbe{{Unprobed: "not probed"}, {}}}})
	result := kill(t, e, selectors(3))
	for m := range result.Mutants {
		if !result.Infected[m].Has(0) || result.Infected[m].Has(1) {
			t.Errorf("mutant %d: infected by test 0: %v, by test 1: %v", m+1, result.Infected[m].Has(0), result.Infected[m].Has(1))
		}
	}
	if result.Audit.Uninfected != 3 || len(result.Audit.Missed) != 2 || result.Verdict(1, 1) != execute.Killed {
		t.Errorf("%+v", result.Audit)
	}
}

func killOn(t *testing.T, e *execute.Engine, base *execute.Baseline, mutants []execute.Mutant) *execute.Result {
	t.Helper()
	result, err := e.Kill(t.Context(), base, mutants)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// runtimeObjects returns the runtime that link compiles.
func runtimeObjects(t *testing.T) []string {
	t.Helper()
	link(t, "work.c")
	built.Lock()
	defer built.Unlock()
	return built.runtime
}
