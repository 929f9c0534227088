//go:build linux

package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

func TestMain(m *testing.M) {
	command.Main()
	os.Exit(m.Run())
}

// project is testdata/rank.c, mutated, with its main and its scripts.
type project struct {
	tools   *clang.Toolchain
	folder  string // base, and the layers below it
	builds  command.Builds
	mutants []mutant.Mutant
	parsed  func() *ir.Module
}

// build makes the project as it is built, and with mutants. With shared, the library is
// one of its own and not part of the program.
func build(t testing.TB, shared bool) *project {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{tools: tools, folder: folder}
	p.builds = command.Builds{Base: p.path("base"), Mutants: p.path("mutants"), Probe: p.path("probe")}
	for _, dir := range []string{p.builds.Base, p.builds.Mutants, p.builds.Probe} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, script := range []string{"clamp.sh", "sum.sh", "both.sh"} {
		text, err := os.ReadFile(filepath.Join("testdata", script))
		if err != nil {
			t.Fatal(err)
		}
		p.write(t, filepath.Join("base", script), string(text))
	}
	text, err := tools.Compile(t.Context(), "testdata/rank.c", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.parsed = func() *ir.Module {
		m, err := ir.Parse("rank.c", text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := p.parsed()
	made := operator.Generate(m, operator.Options{})
	p.mutants, p.builds.Sites = made.Mutants, made.Sites
	p.link(t, "base", "testdata/rank.c", shared)
	p.meta(t, m, made.Sites, shared)
	return p
}

func (p *project) meta(t testing.TB, m *ir.Module, sites int, shared bool) {
	t.Helper()
	opts := schemata.ProbeOptions{Sites: sites, Mutants: len(p.mutants), StandAlone: true}
	layout := opts.Layout()
	p.builds.Shape = execute.ProbeShape{Sites: sites, Mutants: len(p.mutants), Size: layout.Size}
	var text bytes.Buffer
	if err := schemata.WriteProbe(&text, m, p.mutants, opts); err != nil {
		t.Fatal(err)
	}
	p.write(t, "probe.ll", text.String())
	p.link(t, "probe", p.path("probe.ll"), shared, p.runtime(t, "probe.o", command.Flags(layout.Size, layout.Infected)))
	m = p.parsed()
	again := operator.Generate(m, operator.Options{})
	text.Reset()
	if err := schemata.Write(&text, m, again.Mutants, schemata.Options{Sites: sites, StandAlone: true}); err != nil {
		t.Fatal(err)
	}
	p.write(t, "mutants.ll", text.String())
	p.link(t, "mutants", p.path("mutants.ll"), shared, p.runtime(t, "mutants.o", command.Flags(sites, 0)))
}

func (p *project) path(name string) string { return filepath.Join(p.folder, name) }

func (p *project) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(p.path(name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// runtime compiles the runtime.
func (p *project) runtime(t testing.TB, object string, flags []string) string {
	t.Helper()
	source, err := command.RuntimeSource(p.folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.tools.Object(t.Context(), p.path(object), source, flags); err != nil {
		t.Fatal(err)
	}
	return p.path(object)
}

// link makes the program rank in a folder of the project.
func (p *project) link(t testing.TB, folder, library string, shared bool, runtime ...string) {
	t.Helper()
	inputs := append([]string{library}, runtime...)
	var flags []string
	if shared {
		so := p.path(filepath.Join(folder, "librank.so"))
		// A library that is made of whole archives has the runtime once from each.
		if err := p.tools.Link(t.Context(), so, append(inputs, runtime...), []string{"-shared", "-fPIC", "-Wl,-soname,librank.so"}); err != nil {
			t.Fatal(err)
		}
		inputs, flags = []string{so}, []string{"-Wl,-rpath," + p.builds.Base}
	}
	out := p.path(filepath.Join(folder, "rank"))
	if err := p.tools.Link(t.Context(), out, append([]string{"testdata/main.c"}, inputs...), flags); err != nil {
		t.Fatal(err)
	}
}

// script is a test that runs a script of the project.
func (p *project) script(name string) command.Test {
	return command.Test{Name: name, Argv: []string{"./" + name}, Dir: p.builds.Base}
}

func (p *project) scripts() []command.Test {
	return []command.Test{p.script("clamp.sh"), p.script("sum.sh"), p.script("both.sh")}
}

func (p *project) list() []execute.Mutant {
	var out []execute.Mutant
	for _, m := range p.mutants {
		out = append(out, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	return out
}

func (p *project) start(t testing.TB, tests []command.Test, o command.Options) *command.Engine {
	t.Helper()
	e, err := command.Start(t.Context(), p.builds, tests, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// original is what the original does on tests of which none was checked.
func original(t testing.TB, e *command.Engine, tests []command.Test) *execute.Baseline {
	t.Helper()
	base, err := e.Original(t.Context(), make([]*command.Failing, len(tests)))
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// run decides all mutants on tests that can all be used.
func (p *project) run(t *testing.T, tests []command.Test, probing bool, o command.Options) (*execute.Baseline, *execute.Result) {
	t.Helper()
	e := p.start(t, tests, o)
	failing, err := e.Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range failing {
		if f != nil {
			t.Fatalf("test %s: %s\n%s", tests[i].Name, f.Reason, f.Output)
		}
	}
	base, err := e.Original(t.Context(), failing)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range base.Tests {
		if b.SetAside != "" {
			t.Fatalf("test %s is set aside: %s", tests[i].Name, b.SetAside)
		}
	}
	var probe *execute.ProbeResult
	if probing {
		if probe, err = e.Probe(t.Context(), base); err != nil {
			t.Fatal(err)
		}
		for i, seen := range probe.Tests {
			if seen.Unprobed != "" {
				t.Fatalf("test %s is not probed: %s", tests[i].Name, seen.Unprobed)
			}
		}
	}
	result, err := e.Kill(t.Context(), base, probe, p.list())
	if err != nil {
		t.Fatal(err)
	}
	return base, result
}

// alone runs a script on one mutant that is a program of its own.
func (p *project) alone(t *testing.T, k int, script string) execute.Verdict {
	t.Helper()
	m := p.parsed()
	made := operator.Generate(m, operator.Options{})
	text, err := schemata.ApplyText(m, &made.Mutants[k])
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "alone.ll", text)
	dir := t.TempDir()
	if err := p.tools.Link(t.Context(), filepath.Join(dir, "rank"), []string{p.path("alone.ll"), "testdata/main.c"}, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "prlimit", "--cpu=1", "sh", p.path(filepath.Join("base", script)))
	cmd.Dir = dir
	if cmd.Run() != nil {
		return execute.Killed
	}
	return execute.Survived
}

// The slow twin: each mutant as a program of its own, started by hand.
func TestCommandsKillWhatEachMutantByItselfDiesOf(t *testing.T) {
	p := build(t, false)
	tests := p.scripts()
	_, all := p.run(t, tests, false, command.Options{Matrix: true})
	_, probed := p.run(t, tests, true, command.Options{Matrix: true})
	_, quick := p.run(t, tests, true, command.Options{})
	killed := 0
	for k := range p.mutants {
		any := execute.Survived
		for test := range tests {
			want := execute.Survived
			if all.Reached[k].Has(test) && k%deep.Count(48, 16) == 0 { // a compilation each
				want = p.alone(t, k, tests[test].Name)
				if got := all.Verdict(k, test); got != want {
					t.Errorf("mutant %s (%s → %s), %s: %v, by itself %v", p.mutants[k].ID, p.mutants[k].Original, p.mutants[k].Replacement, tests[test].Name, got, want)
				}
			}
			if got, want := probed.Verdict(k, test), all.Verdict(k, test); got != want {
				t.Errorf("mutant %s, %s: %v with the probe, %v without", p.mutants[k].ID, tests[test].Name, got, want)
			}
			any = max(any, all.Verdict(k, test))
		}
		if any == execute.Killed {
			killed++
		}
		if got := quick.Killed[k].Count() > 0; got != (any == execute.Killed) {
			t.Errorf("mutant %s: killed %v when its tests end with the first kill, %v with all", p.mutants[k].ID, got, any)
		}
		if quick.Killed[k].Count() > 1 {
			t.Errorf("mutant %s ran on after a kill", p.mutants[k].ID)
		}
	}
	if killed < len(p.mutants)/4 || killed == len(p.mutants) {
		t.Errorf("%d of %d mutants are killed: the tests show nothing", killed, len(p.mutants))
	}
	if probed.Runs >= all.Runs || quick.Runs >= probed.Runs {
		t.Errorf("%d runs without a probe, %d with, %d until the first kill", all.Runs, probed.Runs, quick.Runs)
	}
}

func TestAMutatedSharedLibraryTakesThePlaceOfTheBuiltOne(t *testing.T) {
	whole, apart := build(t, false), build(t, true)
	_, want := whole.run(t, whole.scripts(), true, command.Options{Matrix: true})
	_, got := apart.run(t, apart.scripts(), true, command.Options{Matrix: true})
	for k := range whole.mutants {
		for test := range 3 {
			if got.Verdict(k, test) != want.Verdict(k, test) {
				t.Errorf("mutant %s, test %d: %v in a shared library, %v in the program", whole.mutants[k].ID, test, got.Verdict(k, test), want.Verdict(k, test))
			}
		}
	}
}

func TestVerdictsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	p := build(t, false)
	_, one := p.run(t, p.scripts(), true, command.Options{Workers: 1})
	_, five := p.run(t, p.scripts(), true, command.Options{Workers: 5})
	if !slices.EqualFunc(one.Cells, five.Cells, func(a, b execute.Cell) bool {
		return a.Mutant == b.Mutant && a.Test == b.Test && a.Verdict == b.Verdict && a.Cause == b.Cause
	}) {
		t.Error("one worker and five decide differently")
	}
}

// libplist's tests are scripts whose first line says nothing, which automake's driver has a shell run.
func TestAScriptThatDoesNotSayWhatReadsItIsGivenToAShell(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/silent.sh", "## -*- sh -*-\n\ntest \"$1 $2\" = 'a b' || exit 4\n./sum.sh\n")
	silent := p.script("silent.sh")
	silent.Argv = append(silent.Argv, "a", "b")
	tests := []command.Test{p.script("sum.sh"), silent}
	_, got := p.run(t, tests, true, command.Options{Matrix: true})
	killed := 0
	for k := range p.mutants {
		if got.Verdict(k, 1) != got.Verdict(k, 0) {
			t.Errorf("mutant %s: %v by sum.sh, and %v where a script without a first line calls it", p.mutants[k].ID, got.Verdict(k, 0), got.Verdict(k, 1))
		}
		killed += got.Killed[k].Count()
	}
	if killed == 0 {
		t.Error("no mutant is killed: the tests show nothing")
	}
}

func TestTestsThatSayNothingAreNamedWithTheirReason(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/count", "0")
	for name, text := range map[string]string{
		"fails.sh": "echo it is broken\nexit 3", "skips.sh": "exit 77", "crashes.sh": "kill -SEGV $$",
		"slow.sh": "sleep 100", "flaky.sh": "awk '{print $1 * 7 % 10}' /proc/sys/kernel/random/uuid; cat /proc/sys/kernel/random/uuid",
	} {
		p.write(t, filepath.Join("base", name), "#!/bin/sh\n"+text+"\n")
	}
	flaky := p.script("flaky.sh")
	flaky.Compare.Stdout = true
	tests := []command.Test{flaky, p.script("sum.sh"), p.script("fails.sh"), p.script("skips.sh"), p.script("crashes.sh"), p.script("slow.sh"), p.script("missing.sh")}
	e := p.start(t, tests, command.Options{BaselineWall: time.Second})
	told := 0
	failing, err := e.Check(t.Context(), func(int, *command.Failing) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"flaky: ", "", "it fails without any mutant: exit status 3", "it says that it was skipped",
		"it fails without any mutant: signal segmentation fault", "it takes too long without any mutant", "it fails without any mutant: exit status 127"} {
		got := ""
		if failing[k] != nil {
			got = failing[k].Reason
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("test %s: %q, want %q", tests[k].Name, got, want)
		}
	}
	if told != len(tests) || !strings.Contains(failing[2].Output, "it is broken") {
		t.Errorf("told of %d of %d tests; the failing one printed %q", told, len(tests), failing[2].Output)
	}
	if got := failing[6].Output; !strings.Contains(got, "missing.sh: no such file") {
		t.Errorf("the command that is not there: %q", got)
	}
	base, err := e.Original(t.Context(), failing)
	if err != nil {
		t.Fatal(err)
	}
	if base.Tests[1].SetAside != "" || base.Tests[2].SetAside == "" {
		t.Errorf("set aside: %q and %q", base.Tests[1].SetAside, base.Tests[2].SetAside)
	}
}

func TestACommandIsConfinedFromItsFirstInstruction(t *testing.T) {
	p := build(t, false)
	outside := filepath.Join(t.TempDir(), "outside") // which a run does not see at all
	sources, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "base/try.sh", fmt.Sprintf(`#!/bin/sh
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || exit 11
grep -q '^NoNewPrivs:[[:space:]]*1$' /proc/self/status || exit 12
test "$(grep -c : /proc/net/dev)" = 1 || exit 13
if echo x > %[1]s; then exit 14; fi
if echo x > %[2]s/no.c; then exit 15; fi
echo x > rank || exit 16
echo x > /tmp/x || exit 17
if mount -t tmpfs none /mnt; then exit 18; fi
ls /proc | grep -q '^1$' || exit 19
if test -w /proc/sys/kernel/core_pattern; then exit 20; fi
if (echo x > /proc/self/comm); then exit 21; fi
setsid sleep 54321.25 > /dev/null 2>&1 < /dev/null &
exit 0
`, outside, sources))
	before := hashOf(t, p.builds.Base)
	e := p.start(t, []command.Test{p.script("try.sh"), p.script("try.sh")}, command.Options{Workers: 1})
	failing, err := e.Check(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if failing[0] != nil {
		t.Errorf("%s\n%s", failing[0].Reason, failing[0].Output)
	}
	if hashOf(t, p.builds.Base) != before {
		t.Error("the project was changed")
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a command wrote a file outside of the project")
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if text, err := os.ReadFile(line); err == nil && strings.Contains(string(text), "54321.25") {
			t.Errorf("%s outlived its command", line)
		}
	}
}

// hashOf is the names, sizes and times of a folder's files.
func hashOf(t *testing.T, folder string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&out, path, info.Size(), info.ModTime())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWhatABuildWritesIsALayer(t *testing.T) {
	p := build(t, false)
	layer := p.path("made")
	if err := os.Mkdir(layer, 0o755); err != nil {
		t.Fatal(err)
	}
	before := hashOf(t, p.builds.Base)
	script := "printf '#!/bin/sh\\nexit 5\\n' > sum.sh && rm clamp.sh && mkdir -p new && echo x > new/file"
	if err := command.Prepare(t.Context(), p.builds.Base, layer, []string{"/bin/sh", "-c", script}, p.builds.Base, nil, time.Minute); err != nil {
		t.Fatal(err)
	}
	if hashOf(t, p.builds.Base) != before {
		t.Error("the project was changed")
	}
	p.builds.Mutants = layer
	p.write(t, "base/list.sh", "#!/bin/sh\ntest ! -e clamp.sh && test -s new/file && ! ./sum.sh\n")
	tests := []command.Test{p.script("list.sh")}
	if reason := original(t, p.start(t, tests, command.Options{}), tests).Tests[0].SetAside; reason != "" {
		t.Error(reason)
	}
	err := command.Prepare(t.Context(), p.builds.Base, filepath.Join(p.folder, "probe"), []string{"/bin/sh", "-c", "echo no >&2; exit 4"}, p.builds.Base, nil, time.Minute)
	if failed := new(command.BuildError); !errors.As(err, &failed) || failed.Status != 4 || !strings.Contains(failed.Output, "no") {
		t.Errorf("a build that fails: %v", err)
	}
}
