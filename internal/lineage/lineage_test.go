package lineage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository commits the versions of a file, a day apart.
func repository(t *testing.T, versions ...[]string) (path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "a.c")
	run := func(day int, args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		date := fmt.Sprintf("%d +0000", 1_600_000_000+86400*day)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run(0, "init", "-q")
	for day, lines := range versions {
		write(t, path, lines)
		run(day, "add", "a.c")
		run(day, "commit", "-q", "--allow-empty", "-m", "x")
	}
	return path
}

func write(t *testing.T, path string, lines []string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLinesAreAsOldAsTheirLastChange(t *testing.T) {
	path := repository(t,
		[]string{"a", "b", "c", "d"},
		[]string{"a", "B", "c", "d"},
		[]string{"new", "a", "B2", "d"}, // c is gone
		[]string{"new", "a", "B3", "d"},
	)
	write(t, path, []string{"new", "a", "B3", "d", "uncommitted"})
	f, err := Read(t.Context(), path, 5)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range [][2]float64{{1, 1}, {3, 1}, {0, 4}, {3, 1}, {0, 1}} {
		days, commits, ok := f.Line(line + 1)
		if !ok || days != want[0] || commits != want[1] {
			t.Errorf("line %d: changed %v days ago by %v commits (%v), want %v", line+1, days, commits, ok, want)
		}
	}
	if _, _, ok := f.Line(6); ok {
		t.Error("the file has no line 6")
	}
}

// git blame is the judge of ages: it finds the last change of a line by itself.
func TestAgesAreThoseOfGitBlame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var versions [][]string
	lines := []string{"first"}
	for day := range 25 {
		for range 1 + rng.IntN(4) {
			at := rng.IntN(len(lines) + 1)
			switch text := fmt.Sprint("line ", day, " ", rng.Uint32()); {
			case at == len(lines) || rng.IntN(3) == 0:
				lines = slices.Insert(slices.Clone(lines), at, text, text+" and more")
			case rng.IntN(2) == 0 && len(lines) > 3:
				lines = slices.Delete(slices.Clone(lines), at, at+1)
			default:
				lines = slices.Clone(lines)
				lines[at] = text
			}
		}
		versions = append(versions, lines)
	}
	path := repository(t, versions...)
	f, err := Read(t.Context(), path, len(lines))
	if err != nil {
		t.Fatal(err)
	}
	out, err := git(t.Context(), filepath.Dir(path), "blame", "--line-porcelain", "a.c")
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for _, text := range strings.Split(string(out), "\n") {
		var when int64
		if n, _ := fmt.Sscanf(text, "committer-time %d", &when); n == 0 {
			continue
		}
		line++
		if days, commits, _ := f.Line(line); days != float64(f.newest-when)/86400 || commits < 1 {
			t.Errorf("line %d is %v days old, by git blame %v", line, days, float64(f.newest-when)/86400)
		}
	}
	if line != len(lines) {
		t.Errorf("git blame has %d lines, the file %d", line, len(lines))
	}
}

func TestAFileThatGitDoesNotKnowHasNoHistory(t *testing.T) {
	path := repository(t, []string{"a"})
	other := filepath.Join(filepath.Dir(path), "b.c")
	write(t, other, []string{"b"})
	outside := filepath.Join(t.TempDir(), "c.c")
	write(t, outside, []string{"c"})
	for _, file := range []string{other, outside} {
		if _, err := Read(t.Context(), file, 1); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", file, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, path, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzWalk(f *testing.F) {
	f.Add("\x001600000000\n@@ -1,2 +1,3 @@\n-a\n+b\n\x001500000000\n@@ -0,0 +1,2 @@\n")
	f.Add("@@ -5 +0,0 @@\n@@ -9,3 +2 @@\n")
	f.Fuzz(func(t *testing.T, log string) {
		file := &File{changed: make([]int64, 9), commits: make([]int, 9)}
		if err := file.walk(strings.NewReader(log)); err != nil {
			return
		}
		for line := range 12 {
			file.Line(line)
		}
	})
}
