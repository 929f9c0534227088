//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// writing is a command that writes, and that is given again when something ended it: what
// fails is in diskfault_test.go, kills are in kills_test.go, and the loss of what was not
// synchronised is in power_test.go.
type writing struct {
	name string
	// args are the command's; OUT stands for where it writes. again are those with which the
	// user goes on, nil where what is there already is whole.
	args, again []string
	// needs are commands that make what it is given, and first those that make what is there
	// before it, in OUT.
	needs, first []string
	// end ends the name of OUT.
	end string
	// atOnce says that what it writes appears at once, and is never there in part.
	atOnce bool
	// keeps says that it begins with an empty cache of what tools made, and fills it; the others
	// have none.
	keeps bool
}

// with are the arguments for an output.
func (w writing) with(out string) []string {
	args := slices.Clone(w.args)
	for k, a := range args {
		if a == place {
			args[k] = out
		}
	}
	return args
}

// place stands for the output in arguments.
const place = "OUT"

// line is a command as one writes it.
func line(text string) []string { return strings.Fields(text) }

const fewMutants = " --workers 1 --operators ROR"

var (
	shards  = []string{"run --shard 1/2 --out shard1 --operators ROR project", "run --shard 2/2 --out shard2 --operators ROR project"}
	history = []string{"run --faults --out history --force --operators ROR project another"}
	added   = []string{"run --out first --force --operators ROR project", "run --out second --force --operators CRCR,ROR project", "run --out other --force --operators ROR another"}
	toForce = []string{"--force"}
	asItWas = []string{} // given again as it was
)

// writingCommands are all that write more than what one edits; single files that take no
// time, such as man's, are written as theirs are.
var writingCommands = []writing{
	{name: "run", args: line("run --out OUT project" + fewMutants), again: []string{"--resume"}},
	{name: "run --force", args: line("run --out OUT --force project" + fewMutants), again: asItWas, first: []string{"run --out OUT project" + fewMutants}},
	{name: "run --criteria", args: line("run --out OUT --criteria gcov,llvm-cov project" + fewMutants), again: []string{"--resume"}},
	{name: "mutate", args: line("mutate --out OUT --write-patches project/grade.c" + fewMutants), atOnce: true},
	{name: "merge", args: line("merge --out OUT shard1 shard2"), needs: shards, atOnce: true},
	{name: "rank", args: line("rank --out OUT --workers 1 --format json project/grade.c"), again: toForce, atOnce: true},
	{name: "rank with an empty cache", args: line("rank --out OUT --workers 1 --format json project/grade.c"), again: toForce, atOnce: true, keeps: true},
	{name: "features", args: line("features --out OUT --workers 1 project/grade.c"), again: toForce, atOnce: true},
	{name: "train", args: append(line("train --out OUT --workers 1 --rounds 10 --folds 2 --repetitions 5 history --created-by"), "a test"), again: toForce, needs: history, atOnce: true},
	{name: "import pairs", args: line("import pairs --out OUT --operators ROR pairs"), again: asItWas},
	{name: "evaluate", args: line("evaluate --out OUT --workers 1 --rounds 10 --folds 2 --repetitions 5 history"), again: asItWas, needs: history},
	{name: "ci", args: line("ci --cache OUT --fail-on none project" + fewMutants), again: asItWas},
	{name: "ci --write-baseline", args: line("ci --cache= --write-baseline OUT --fail-on none project" + fewMutants), again: asItWas, atOnce: true},
	{name: "prove", args: line("prove --tests OUT --budget 10m --lines grade.c:6 weak" + fewMutants), again: asItWas},
	{name: "report", args: line("report first --html OUT"), again: toForce, needs: added, atOnce: true},
	{name: "dataset add", args: line("dataset add OUT first"), again: asItWas, needs: added, atOnce: true},
	{name: "dataset add, the next version", args: line("dataset add OUT second"), again: asItWas, needs: added, first: []string{"dataset add OUT first"}, atOnce: true},
	{name: "dataset add, several", args: line("dataset add OUT first other"), again: asItWas, needs: added},
	{name: "dataset export", args: line("dataset export history --out OUT"), again: toForce, needs: history, end: ".csv", atOnce: true},
	{name: "man", args: line("man OUT"), again: asItWas},
}

// material is what the commands are given, made once.
type material struct {
	folder, cache string
	keeps         bool     // what tools make is kept in the cache
	made          []string // what prepare has given
}

func newMaterial(t *testing.T) *material {
	t.Helper()
	m := &material{folder: t.TempDir(), cache: t.TempDir()}
	for _, name := range []string{"project", "another"} {
		if err := os.CopyFS(filepath.Join(m.folder, name), os.DirFS(projecttest.Folder(t))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(m.folder, "pairs"), os.DirFS(projecttest.Pair(t))); err != nil {
		t.Fatal(err)
	}
	// A suite that lacks one test, which is found.
	if err := os.CopyFS(filepath.Join(m.folder, "weak"), os.DirFS(filepath.Join(m.folder, "project"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(m.folder, "weak", "tests", "b.in")); err != nil {
		t.Fatal(err)
	}
	about := filepath.Join(m.folder, "another", project.File)
	testfile.Write(t, about, strings.Replace(testfile.Read(t, about), `"grade"`, `"mark"`, 1))
	return m
}

// command makes one of winnow's, in the material's folder.
func (m *material) command(t *testing.T, temporary string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	path, err := exec.LookPath("winnow")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = m.folder
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "XDG_CACHE_HOME="+m.cache)
	if !m.keeps {
		cmd.Env = append(cmd.Env, clang.CacheVariable+"=off") // so that each command starts the tools, whose writes fail, too
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	return cmd, &stderr
}

func (m *material) must(t *testing.T, args ...string) {
	t.Helper()
	cmd, stderr := m.command(t, t.TempDir(), args...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("winnow %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
}

// prepare makes what a command is given, and what is there before it.
func (m *material) prepare(t *testing.T, c writing) (out string) {
	t.Helper()
	for _, text := range c.needs {
		if args := line(text); !slices.Contains(m.made, text) {
			m.must(t, args...)
			m.made = append(m.made, text)
		}
	}
	return m.before(t, c)
}

// before makes what is there before a command, in a place of its own.
func (m *material) before(t *testing.T, c writing) (out string) {
	t.Helper()
	if m.keeps = c.keeps; m.keeps {
		m.cache = t.TempDir()
	}
	out = filepath.Join(t.TempDir(), "out"+c.end)
	for _, text := range c.first {
		m.must(t, writing{args: line(text)}.with(out)...)
	}
	return out
}

// seconds are what of a result depends on the machine's speed.
var seconds = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)

// result is all that an output holds, by name; nil where there is none.
func result(t *testing.T, out string) map[string]string {
	t.Helper()
	info, err := os.Stat(out)
	if err != nil {
		return nil
	}
	files := map[string]string{}
	if info.IsDir() {
		files = testfile.Below(t, out)
	} else {
		files[""] = testfile.Read(t, out)
	}
	for name, text := range files {
		files[name] = seconds.ReplaceAllString(text, "")
	}
	delete(files, "effort.json") // what an import has cost
	return files
}
