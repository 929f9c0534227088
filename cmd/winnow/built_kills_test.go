//go:build linux && (amd64 || arm64)

package main

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// At whatever moment winnow is killed that looks at a project's own build, or runs its tests: the project is as it was, and the same
// commands, given again, end with the same project file and the same verdicts.
func TestAProjectWithABuildOutlivesKillsAtAnyMoment(t *testing.T) {
	given := projecttest.WithBuild()
	delete(given, project.File) // which init writes
	m := &material{folder: t.TempDir()}
	folder, out := filepath.Join(m.folder, "project"), filepath.Join(m.folder, "out")
	fresh := func() {
		m.cache = t.TempDir()
		for _, path := range []string{folder, out} {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range given {
			testfile.Write(t, filepath.Join(folder, name), text)
		}
	}
	initialise, run := []string{"init", "--force", "project"}, []string{"run", "--out", "out", "project"}
	found := func() (file string, verdicts map[string]matrix.Verdict) {
		t.Helper()
		files := testfile.Below(t, folder)
		file = files[project.File]
		delete(files, project.File)
		if !maps.Equal(files, given) {
			t.Errorf("the project has changed: %v", difference(files, given))
		}
		kills, err := kill.Read(filepath.Join(out, "clamp", dataset.KillsFile), kill.Everything)
		if err != nil {
			t.Fatal(err)
		}
		verdicts = map[string]matrix.Verdict{}
		for i, id := range kills.Mutants() {
			verdicts[id] = kills.Verdict(i)
		}
		return file, verdicts
	}
	took := func(args []string) time.Duration {
		begun := time.Now()
		m.must(t, args...)
		return time.Since(begun)
	}
	fresh()
	whole := []time.Duration{took(initialise), took(run)}
	file, verdicts := found()
	random := rand.New(rand.NewPCG(uint64(number(t, "WINNOW_SEED", 1)), 0))
	for range deep.Count(1, 5) {
		fresh()
		for k, args := range [][]string{initialise, run} {
			cmd, stderr := m.command(t, t.TempDir(), args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			at := time.Duration(random.Int64N(int64(whole[k])))
			time.Sleep(at)
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
			if cmd.ProcessState.Exited() && !cmd.ProcessState.Success() {
				t.Fatalf("%v: %v\n%s", args, cmd.ProcessState, stderr)
			}
			if args[0] == "run" && paths.Exist(out) {
				args = append(args, "--resume")
			}
			t.Logf("%v was killed after %v of %v", args, at, whole[k])
			m.must(t, args...)
		}
		if gotFile, got := found(); gotFile != file || !maps.Equal(got, verdicts) {
			t.Errorf("the project file is %q, want %q; of %d mutants %d have a verdict, and are they the same: %v", gotFile, file, len(verdicts), len(got), maps.Equal(got, verdicts))
		}
	}
}
