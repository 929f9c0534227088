package scope_test

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

const gitDiff = `From 1234 Mon Sep 17 00:00:00 2001
Subject: --- a change ---

diff --git a/new.c b/new.c
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/new.c
@@ -0,0 +1,2 @@
+int a;
+--- not a header
diff --git a/gone.c b/gone.c
deleted file mode 100644
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-int b;
diff --git a/old name.c b/new name.c
similarity index 80%
rename from old name.c
rename to new name.c
--- a/old name.c	
+++ b/new name.c	
@@ -3,5 +3,5 @@ int main(void) {
 one
-two
+TWO

-four
+FOUR
 five
\ No newline at end of file
@@ -20,0 +21 @@
+last
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
diff --git "a/f\303\274r.c" "b/f\303\274r.c"
--- "a/f\303\274r.c"
+++ "b/f\303\274r.c"
@@ -1 +1 @@
-x
\ No newline at end of file
+y
\ No newline at end of file
-- 
2.30.2
`

func TestADiffTouchesTheLinesThatItAdds(t *testing.T) {
	for _, text := range []string{gitDiff, strings.ReplaceAll(gitDiff, "\n", "\r\n")} {
		d, err := scope.ParseDiff([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := []scope.DiffFile{{Name: "new.c", Lines: []int{1, 2}}, {}, {Name: "new name.c", Lines: []int{4, 6, 21}}, {Name: "für.c", Lines: []int{1}}}
		if !reflect.DeepEqual(d.Files, want) {
			t.Errorf("%+v\nwant %+v", d.Files, want)
		}
		if !d.Touches("src/new.c", 2) || d.Touches("src/new.c", 3) || d.Touches("renew.c", 1) {
			t.Error("a file is not found by the end of its path")
		}
	}
}

func TestADiffChangesTheFilesThatHaveLinesAfterIt(t *testing.T) {
	d, err := scope.ParseDiff([]byte(gitDiff))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{"new.c": true, "src/new name.c": true, "gone.c": false, "old name.c": false, "renew.c": false} {
		if d.Changes(file) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}

func TestADiffTouchesTheLinesNextToThoseItRemoves(t *testing.T) {
	const head = "--- a/x.c\n+++ b/x.c\n"
	for text, want := range map[string][]int{
		"@@ -5,3 +5,2 @@\n a\n-b\n c\n":             {5, 6},
		"@@ -5,2 +4,0 @@\n-a\n-b\n":                 {4, 5}, // git diff -U0
		"@@ -1 +0,0 @@\n-a\n":                       {1},
		"@@ -5,4 +5,4 @@\n-a\n+b\n c\n-d\n e\n+f\n": {5, 6, 7, 8},
		"@@ -5,2 +5,2 @@\n+b\n-a\n c\n":             {5},
	} {
		d, err := scope.ParseDiff([]byte(head + text))
		if err != nil || len(d.Files) != 1 || !slices.Equal(d.Files[0].Lines, want) {
			t.Errorf("%q: %+v, %v, want %v", text, d, err, want)
		}
	}
}

func TestADiffOfPlainDiffHasNoPrefixes(t *testing.T) {
	d, err := scope.ParseDiff([]byte("--- x/a.c\t2020-01-01 00:00:00\n+++ y/a.c\t2020-01-02 00:00:00\n@@ -1,2 +1 @@\n-a\n-b\n+c\n"))
	if err != nil || len(d.Files) != 1 || d.Files[0].Name != "y/a.c" || !slices.Equal(d.Files[0].Lines, []int{1}) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestAMalformedDiffSaysWhereItIsWrong(t *testing.T) {
	const head = "--- a/x.c\n+++ b/x.c\n"
	for text, want := range map[string]string{
		"hello\n":                                 "line 1 of the diff: no file",
		"@@ -1 +1 @@\n-a\n+b\n":                   "line 1 of the diff: a hunk before",
		head + "@@ -1,x +1 @@\n-a\n+b\n":          "line 3 of the diff: malformed hunk header",
		head + "@@ -1,2 +1 @@\n-a\n+b\n":          "ends within a hunk: 1 old and 0 new",
		head + "@@ -1 +1 @@\n-a\n-b\n+c\n":        "line 5 of the diff: the hunk has other lines",
		head + "@@ -1,3 +1,3 @@\n a\n*b\n":        "line 5 of the diff: \"*b\" in a hunk",
		head + "@@@ -1 -1 +1 @@@\n":               "combined diff",
		"--- a\n+++ \"b\\q\"\n@@ -1 +1 @@\n":      "no quoted name",
		"--- a/x.c\n+++ \t\n":                     "without a name",
		"diff --git a/x b/x\n--- a/x\n@@ -1 @@\n": "--- without +++",
	} {
		if _, err := scope.ParseDiff([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
	if d, err := scope.ParseDiff(nil); err != nil || len(d.Files) != 0 {
		t.Errorf("an empty diff is a change of nothing: %v", err)
	}
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func TestARevisionIsComparedWithTheWorkingTree(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	runGit(t, dir, "init", "-q")
	runGit(t, dir, "config", "diff.noprefix", "true")
	runGit(t, dir, "config", "color.ui", "always")
	if err := exec.Command("mkdir", src).Run(); err != nil {
		t.Fatal(err)
	}
	changed := write(t, filepath.Join(src, "a.c"), "one\ntwo\nthree\n")
	namesake := write(t, filepath.Join(dir, "a.c"), "one\ntwo\n")
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-q", "-m", "first")
	write(t, changed, "one\nTWO\nthree\n")
	for name, o := range map[string]scope.Options{
		"a revision":     {Diff: "HEAD", Folder: src},
		"of elsewhere":   {Diff: "HEAD", Inputs: []string{changed}}, // the test runs in another repository, or in none
		"a file of diff": {Diff: write(t, filepath.Join(t.TempDir(), "d"), "--- a/src/a.c\n+++ b/src/a.c\n@@ -2 +2 @@\n-two\n+TWO\n"), Folder: src},
	} {
		s := newScope(t, o)
		yes, no, other := in(changed, "f", 2), in(changed, "f", 1), in(namesake, "f", 2)
		if !s.Decide(&yes).Keep() || s.Decide(&no).Keep() || s.Decide(&other).Keep() {
			t.Errorf("%s: %+v %+v %+v", name, s.Decide(&yes), s.Decide(&no), s.Decide(&other))
		}
	}
	_, err := scope.New(t.Context(), scope.Options{Diff: "no-such-revision", Folder: dir})
	if exit.Of(err) != exit.Input || exit.HintOf(err) == "" {
		t.Errorf("an unknown revision: %v", err)
	}
	if _, err = scope.New(t.Context(), scope.Options{Diff: "--output=x", Folder: dir}); exit.Of(err) != exit.Usage {
		t.Errorf("an option in the place of a revision: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err = scope.New(t.Context(), scope.Options{Diff: "HEAD", Folder: dir}); exit.Of(err) != exit.Tool || exit.HintOf(err) == "" {
		t.Errorf("without git: %v", err)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add([]byte(gitDiff))
	f.Add([]byte("--- a\n+++ b\n@@ -1 +1,2 @@\n-a\n+b\n+c"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := scope.ParseDiff(text)
		if err != nil {
			return
		}
		for _, file := range d.Files {
			if !slices.IsSorted(file.Lines) || len(slices.Compact(slices.Clone(file.Lines))) != len(file.Lines) {
				t.Errorf("lines %v", file.Lines)
			}
			// Of what is removed alone those before and behind it are touched.
			most := strings.Count(string(text), "\n+") + 2*strings.Count(string(text), "\n-")
			if len(file.Lines) > most || file.Name == "" && len(file.Lines) > 0 {
				t.Errorf("%d lines of %q are touched by %d", len(file.Lines), file.Name, most)
			}
		}
	})
}
