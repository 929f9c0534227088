//go:build linux

package command_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// served is for tests that compare what the program prints, by name whether a fork server may run
// them.
func served(p *project) (tests []command.Test, want map[string]bool) {
	want = map[string]bool{}
	add := func(name string, may bool, argv ...string) *command.Test {
		tests = append(tests, command.Test{Name: name, Argv: argv, Dir: p.builds.Base, Compare: command.Comparison{Stdout: true}})
		want[name] = may
		return &tests[len(tests)-1]
	}
	shell := func(name string, may bool, script string) { add(name, may, "/bin/sh", "-c", script) }
	add("program", true, "./rank", "clamp", "4", "0", "3")
	shell("hands over", true, "exec ./rank sum 7")
	shell("in another folder", true, "cd /usr && exec "+p.builds.Base+"/rank sum 7")
	shell("with a variable", true, "PLACE=here; export PLACE; exec ./rank clamp 9 0 3")
	shell("runs it before", false, "./rank sum 3; exec ./rank sum 7")
	shell("writes before", false, "echo > /tmp/file; exec ./rank sum 7")
	shell("writes in the project before", false, "echo > file; exec ./rank sum 7")
	shell("beside another", false, "sleep 50 & exec ./rank sum 7")
	shell("into a file", false, "exec ./rank sum 7 > /tmp/file")
	shell("with an open file", false, "exec 5< rank; exec ./rank sum 7")
	shell("from a file", false, "exec ./rank sum 7 < rank")
	shell("below a shell", false, "./rank sum 7; true")
	add("input", false, "./rank", "sum", "7").Stdin = p.path("base/sum.sh")
	return tests, want
}

// ownProcesses says whether runs see the processes of their namespace alone: some containers do not
// let it mount /proc, and there no fork server is started.
func ownProcesses(t testing.TB, p *project) bool {
	t.Helper()
	p.write(t, "base/own.sh", "#!/bin/sh\ngrep -q '^winnow: worker' /proc/1/cmdline\n")
	failing, err := p.start(t, []command.Test{p.script("own.sh")}, command.Options{}).Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return failing[0] == nil
}

// The slow twin starts the command for each run.
func TestAForkServerDecidesAsACommandThatIsStartedForEachRun(t *testing.T) {
	for _, shared := range []bool{false, true} {
		p := build(t, shared)
		tests, want := served(p)
		got := map[string]bool{}
		for _, test := range tests {
			got[test.Name] = false
		}
		var mutants []execute.Mutant
		for k, m := range p.list() {
			if k%8 == 0 {
				mutants = append(mutants, m)
			}
		}
		run := func(o command.Options) *execute.Result {
			e := p.start(t, tests, o)
			result, err := e.Kill(t.Context(), original(t, e, tests), nil, mutants)
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		quick := run(command.Options{Matrix: true, OnServed: func(test int) { got[tests[test].Name] = true }})
		slow := run(command.Options{Matrix: true, NoForkServer: true, OnServed: func(int) { t.Error("a fork server") }})
		if !ownProcesses(t, p) {
			clear(got)
			clear(want)
		}
		if !maps.Equal(got, want) {
			t.Errorf("shared %v: fork servers run %v, want %v", shared, got, want)
		}
		if !slices.Equal(quick.Cells, slow.Cells) || len(quick.Cells) == 0 {
			for i := range min(len(quick.Cells), len(slow.Cells)) {
				if quick.Cells[i] != slow.Cells[i] {
					t.Fatalf("shared %v: %+v by a fork server, %+v by a command", shared, quick.Cells[i], slow.Cells[i])
				}
			}
			t.Errorf("shared %v: %d cells by fork servers, %d by commands", shared, len(quick.Cells), len(slow.Cells))
		}
	}
}

// What a run leaves behind does not come to the next, and one that ends its fork server is made again.
func TestHostileProgramsReachNoOtherRunOfTheirForkServer(t *testing.T) {
	p := build(t, false)
	for folder, inputs := range map[string][]string{"base": {"testdata/rank.c"}, "mutants": {p.path("mutants.ll"), p.path("mutants.o")}} {
		if err := p.tools.Link(t.Context(), p.path(folder+"/hostile"), append([]string{"testdata/hostile.c"}, inputs...), nil); err != nil {
			t.Fatal(err)
		}
	}
	var tests []command.Test
	for _, argv := range [][]string{{"./hostile"}, {"./hostile", "kill"}, {"./hostile", "leave", "one"}} {
		tests = append(tests, command.Test{Name: strings.Join(argv, " "), Argv: argv, Dir: p.builds.Base, Compare: command.Comparison{Stdout: true}})
	}
	run := func(o command.Options) *execute.Result {
		e := p.start(t, tests, o)
		result, err := e.Kill(t.Context(), original(t, e, tests), nil, p.list())
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	served := 0
	quick := run(command.Options{Matrix: true, OnServed: func(int) { served++ }})
	slow := run(command.Options{Matrix: true, NoForkServer: true})
	if want := len(tests); ownProcesses(t, p) && served != want {
		t.Errorf("fork servers run %d of %d tests", served, want)
	}
	if !slices.Equal(quick.Cells, slow.Cells) || len(quick.Cells) == 0 {
		t.Errorf("%d cells by fork servers, %d by commands", len(quick.Cells), len(slow.Cells))
	}
}

// What a run of a mutant costs on a test that is a program and on one that is a script which hands over
// to it, by forks and by commands that are started.
func BenchmarkRun(b *testing.B) {
	p := build(b, true)
	all, _ := served(p)
	for _, test := range all[:2] {
		for _, how := range []struct {
			name  string
			never bool
		}{{"forked", false}, {"started", true}} {
			b.Run(test.Name+"/"+how.name, func(b *testing.B) {
				var mutants []execute.Mutant
				for len(mutants) < b.N {
					mutants = append(mutants, p.list()...)
				}
				tests := []command.Test{test}
				e := p.start(b, tests, command.Options{Matrix: true, NoForkServer: how.never})
				base := original(b, e, tests)
				b.ResetTimer()
				result, err := e.Kill(b.Context(), base, nil, mutants)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(result.Runs), "µs/run")
			})
		}
	}
}
