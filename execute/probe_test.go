//go:build linux

package execute_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// subject is one program as meta-mutant and as probing build.
type subject struct {
	meta, probe string
	mutants     []mutant.Mutant
	toRun       []execute.Mutant
	shape       execute.ProbeShape
}

func build(t *testing.T, file string, counts bool) subject {
	t.Helper()
	tools, err := clang.Find()
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
		r := operator.Generate(m, operator.Options{})
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
			ReachCounts: l.ReachCounts, InfectCounts: l.InfectCounts, Size: l.Size}
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

// The judge of the probing build is the run of every mutant.
func TestAKilledMutantIsInfectedAndAnInfectedOneIsReached(t *testing.T) {
	files, err := filepath.Glob("../mutant/schemata/testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			tests := inputs(t, "")
			s := build(t, file, false)
			e := start(t, s.meta, tests, execute.Options{})
			base := originals(t, e)
			result, err := e.Kill(t.Context(), base, s.toRun)
			if err != nil {
				t.Fatal(err)
			}
			probed := probe(t, s, tests, base).Tests[0]
			if probed.Unprobed != "" {
				t.Fatal(probed.Unprobed)
			}
			reached, infected, killed := 0, 0, 0
			for i, m := range s.toRun {
				infects := probed.Infects(m)
				if result.Reached[i].Has(0) {
					reached++
				} else if infects {
					t.Errorf("%s is infected where it is not reached", s.mutants[i].Type())
				}
				if infects {
					infected++
				}
				if result.Killed[i].Has(0) {
					killed++
					if !infects {
						m := s.mutants[i]
						t.Errorf("%d:%d %s `%s` => `%s` is killed and not infected", m.Line, m.Column, m.Type(), m.Original, m.Replacement)
					}
				}
			}
			t.Logf("%d mutants, %d reached, %d infected, %d killed", len(s.toRun), reached, infected, killed)
			if infected == reached {
				t.Error("every mutant that is reached counts as infected: nothing is compared")
			}
		})
	}
}

// runtimeObjects returns the runtime that link compiles.
func runtimeObjects(t *testing.T) []string {
	t.Helper()
	link(t, "work.c")
	built.Lock()
	defer built.Unlock()
	return built.runtime
}
