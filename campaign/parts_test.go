package campaign

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// victim is what a process does that is killed: it runs a project.
const victim = "WINNOW_TEST_VICTIM"

func victimOptions(workers int, resume bool) RunOptions {
	return RunOptions{Faults: true, Resume: resume, Record: RecordOptions{part: 3, Execute: execute.Options{Workers: workers}}}
}

// TestRunAsAVictim is no test, but the process that the next one kills.
func TestRunAsAVictim(t *testing.T) {
	if args := strings.Split(os.Getenv(victim), "|"); len(args) == 2 {
		if _, err := Run(t.Context(), clangtest.Tools(t), args[:1], args[1], victimOptions(2, true)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestARunThatIsKilledAtAnyMomentGoesOnWithNothingLost kills a run a few times;
// WINNOW_KILLS says how often (make check-kills).
func TestARunThatIsKilledAtAnyMomentGoesOnWithNothingLost(t *testing.T) {
	kills := 3
	if n, err := strconv.Atoi(os.Getenv("WINNOW_KILLS")); err == nil {
		kills = n
	}
	project, folder := projecttest.Folder(t), t.TempDir()
	whole, out := filepath.Join(folder, "whole"), filepath.Join(folder, "killed")
	begun := time.Now()
	if _, err := Run(t.Context(), clangtest.Tools(t), []string{project}, whole, victimOptions(1, false)); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	random := rand.New(rand.NewPCG(1, 2))
	kept := map[string]time.Time{}
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRunAsAVictim$")
		cmd.Env = append(os.Environ(), victim+"="+project+"|"+out, "TMPDIR="+folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(took))))
		_ = cmd.Process.Kill() // it may have finished, which is one of the moments
		_ = cmd.Wait()
		for file, at := range finishedParts(t, out) {
			if before, ok := kept[file]; ok && !before.Equal(at) {
				t.Errorf("%s was written twice", file)
			}
			kept[file] = at
		}
	}
	runs, err := Run(t.Context(), clangtest.Tools(t), []string{project}, out, victimOptions(2, true))
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	if datasettest.Hash(t, out) != datasettest.Hash(t, whole) {
		t.Error("the record differs from one that was made in one go")
	}
	if left := finishedParts(t, out); len(left) > 0 {
		t.Errorf("parts are left: %v", left)
	}
}

// finishedParts are the files of finished parts and when they were written.
func finishedParts(t *testing.T, out string) map[string]time.Time {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "*", "*", ProgressFolder, "part-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]time.Time{}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			times[file] = info.ModTime()
		}
	}
	return times
}

func TestPartsWorkersAndShardsChangeNoVerdict(t *testing.T) {
	tested, err := project.Open(projecttest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := tested.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	builder := buildtest.Builder(t)
	hash := func(opts RecordOptions) string {
		out := t.TempDir()
		if _, err := Record(t.Context(), builder, cases[0], out, opts); err != nil {
			t.Fatal(err)
		}
		return datasettest.Hash(t, out)
	}
	whole := hash(RecordOptions{})
	for _, workers := range []int{1, 2} {
		if got := hash(RecordOptions{part: 5, Progress: filepath.Join(t.TempDir(), "p"), Execute: execute.Options{Workers: workers}}); got != whole {
			t.Errorf("in parts, with %d workers: another record", workers)
		}
	}
	var shards []string
	for k := 1; k <= 3; k++ {
		shards = append(shards, t.TempDir())
		if _, err := Record(t.Context(), builder, cases[0], shards[k-1], RecordOptions{Shard: Shard{k, 3}}); err != nil {
			t.Fatal(err)
		}
	}
	joined := filepath.Join(t.TempDir(), "joined")
	if _, err := Merge(shards, joined, false); err != nil {
		t.Fatal(err)
	}
	if datasettest.Hash(t, joined) != whole {
		t.Error("joined shards are another record than the whole")
	}
	if _, err := Merge(shards[:2], filepath.Join(t.TempDir(), "two"), false); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), "3 of 3") {
		t.Errorf("with a shard missing: %v", err)
	}
}

func TestWhatThereWasNoTimeForIsUnknownAndRunLater(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	folder := projecttest.Folder(t)
	p, err := project.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := p.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(out, "grade")
	opts := RecordOptions{part: 4, Progress: filepath.Join(dir, ProgressFolder), Until: time.Now()}
	run, err := Record(t.Context(), buildtest.Builder(t), cases[0], dir, opts)
	if err != nil || run.NotRun != run.Mutants || run.Unknown == 0 || run.Killed != 0 {
		t.Fatalf("%+v, %v", run, err)
	}
	if m := datasettest.First(t, dir).Manifest; m.Counts["not_run"] != int64(run.Mutants) {
		t.Errorf("the manifest counts %v", m.Counts)
	}
	_, err = Run(t.Context(), clangtest.Tools(t), []string{folder}, out, RunOptions{Resume: true, Budget: time.Nanosecond})
	if exit.Of(err) != exit.Timeout || !errors.Is(err, ErrTimeIsUp) {
		t.Errorf("without time: %v", err)
	}
	runs, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, RunOptions{Resume: true, Budget: time.Hour})
	if err != nil || runs[0].NotRun != 0 || runs[0].Unknown != 0 || runs[0].Killed == 0 {
		t.Fatalf("%+v, %v", runs, err)
	}
	manifest := testfile.Read(t, filepath.Join(dir, dataset.ManifestFile))
	again, err := Run(t.Context(), clangtest.Tools(t), []string{folder}, out, RunOptions{Resume: true})
	if err != nil || again[0].Killed != runs[0].Killed || again[0].Survived != runs[0].Survived || again[0].Unknown != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	if testfile.Read(t, filepath.Join(dir, dataset.ManifestFile)) != manifest {
		t.Error("a finished run was made again")
	}
	testfile.Write(t, filepath.Join(folder, "tests", "d.in"), "50 49")
	again, err = Run(t.Context(), clangtest.Tools(t), []string{folder}, out, RunOptions{Resume: true})
	if err != nil || again[0].Tests != runs[0].Tests+1 {
		t.Errorf("with a new test: %+v, %v", again, err)
	}
}

func TestPartsOfAnotherRunAreNotUsedAndDamagedOnesAreNamed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ProgressFolder)
	store, err := openParts(folder, "one")
	if err != nil {
		t.Fatal(err)
	}
	part := partFile{From: 2, To: 3, Result: &execute.Result{Mutants: []execute.Mutant{{Selector: 3}}}}
	if err := store.add(part); err != nil {
		t.Fatal(err)
	}
	if store, err = openParts(folder, "one"); err != nil || len(store.done) != 1 || store.nextDone(0, 9) != 2 || store.nextDone(2, 9) != 9 {
		t.Errorf("%+v, %v", store, err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "part-*"))
	text := testfile.Read(t, files[0])
	for _, damaged := range []string{text[:len(text)/2], "{}", strings.Replace(text, `"to":3`, `"to":4`, 1)} {
		testfile.Write(t, files[0], damaged)
		if _, err := openParts(folder, "one"); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), files[0]) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
	if store, err = openParts(folder, "two"); err != nil || len(store.done) != 0 {
		t.Errorf("%+v, %v", store, err)
	}
}

func TestShardsAreAPartition(t *testing.T) {
	for text, want := range map[string]Shard{"": {}, "1/1": {1, 1}, "2/4": {2, 4}} {
		if got, err := ParseShard(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"0/2", "3/2", "1", "a/b", "1/", "-1/2"} {
		if _, err := ParseShard(text); exit.Of(err) != exit.Usage {
			t.Errorf("%q: %v", text, err)
		}
	}
	for place := range 20 {
		var owners []int
		for k := 1; k <= 7; k++ {
			if (Shard{k, 7}).has(place) {
				owners = append(owners, k)
			}
		}
		if len(owners) != 1 || !(Shard{}).has(place) {
			t.Errorf("mutant %d belongs to %v", place, owners)
		}
	}
}

func TestAFinishedPartInWhichABitChangedIsRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "unfinished")
	store, err := openParts(folder, "key")
	if err != nil {
		t.Fatal(err)
	}
	result := &execute.Result{Mutants: make([]execute.Mutant, 2)}
	if err := store.add(partFile{From: 0, To: 2, Result: result}); err != nil {
		t.Fatal(err)
	}
	if again, err := openParts(folder, "key"); err != nil || len(again.done) != 1 {
		t.Fatalf("a part that is whole: %v, %v", again, err)
	}
	file := filepath.Join(folder, "part-000000000.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range text {
		damaged := append([]byte(nil), text...)
		damaged[at] ^= 1
		if err := os.WriteFile(file, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if again, err := openParts(folder, "key"); exit.Of(err) != exit.Input {
			t.Errorf("byte %d, %q for %q: %v, %v", at, damaged[at], text[at], again, err)
		}
	}
}

// Small programs whose runs take a twentieth of a process each are not stopped a hundred times to
// keep what was done; where each takes a tenth of a second, or becomes slow of a sudden, a part
// does not take minutes.
func TestPartsAreAsLongAsTheyAreToTake(t *testing.T) {
	tests := make([]execute.TestBaseline, 50)
	for _, c := range []struct {
		wall, each, later time.Duration // what the original took, and runs before and after half of them
		most              int           // parts
		longest           time.Duration
	}{
		{2500 * time.Microsecond, 125 * time.Microsecond, 125 * time.Microsecond, 10, partTime},
		{100 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 2600, partTime},
		{2500 * time.Microsecond, 125 * time.Microsecond, 2500 * time.Microsecond, 60, 16 * partTime},
		{time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 2600, 100 * partTime}, // far slower than could be foreseen
		{0, 0, 0, 2, 0},
	} {
		for i := range tests {
			tests[i].Wall = c.wall
		}
		left, parts, longest := 50_000, 0, time.Duration(0)
		for pace := paceOf(tests); left > 0; parts++ {
			runs := min(max(pace.runs(partTime), 1), left)
			took := time.Duration(runs) * c.each
			if left < 25_000 {
				took = time.Duration(runs) * c.later
			}
			longest, left = max(longest, took), left-runs
			pace.learn(runs, took)
		}
		if parts > c.most || longest > c.longest {
			t.Errorf("of %v foreseen, %v and %v taken: %d parts, the longest of %v", c.wall, c.each, c.later, parts, longest)
		}
	}
}

func TestAPartReachesAsFarAsItsRunsDo(t *testing.T) {
	reached := execute.NewBits(2)
	reached.Set(1)
	list := make([]execute.Mutant, 3*leastPart)
	k := &killing{base: &baseline{original: &execute.Baseline{Tests: []execute.TestBaseline{
		{Reached: reached}, {Reached: reached}, {Reached: reached, SetAside: "flaky"}}}}}
	for i := range list {
		list[i].Site = i % 2 // every other is reached, by two tests that count
	}
	for _, c := range []struct{ from, runs, want int }{
		{0, 0, leastPart},
		{0, 2 * leastPart, 2 * leastPart},
		{1, 1, 1 + leastPart},
		{0, 1 << 30, 3 * leastPart},
		{3*leastPart - 1, 5, 3 * leastPart},
	} {
		if got := k.reach(list, c.from, c.runs); got != c.want {
			t.Errorf("%d runs from %d on reach to %d, not to %d", c.runs, c.from, got, c.want)
		}
	}
}
