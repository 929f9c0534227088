package project

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

func projectWithTests(t *testing.T, text string, files map[string]string) *Project {
	t.Helper()
	folder := t.TempDir()
	testfile.Write(t, filepath.Join(folder, "tests.txt"), text)
	for name, text := range files {
		testfile.Write(t, filepath.Join(folder, "tests", name), text)
	}
	p := &Project{Folder: folder, Tests: Tests{File: "tests.txt"}}
	if len(files) > 0 {
		p.Tests.Dir = "tests"
	}
	return p
}

func TestTestsOfAFileAreThoseOfAFolderWithTheSameTexts(t *testing.T) {
	file := projectWithTests(t, `What comes before the first test is a comment.
-- a-b.in --
1
-- a-b.out --
one

more
-- a.in --
-- c.in --
3
-- c.out --
`, nil)
	folder := projectWithTests(t, "", map[string]string{"a-b.in": "1\n", "a-b.out": "one\n\nmore\n", "a.in": "", "c.in": "3\n", "c.out": ""})
	folder.Tests.File = ""
	got, gotExpected, err := file.LoadTests()
	if err != nil {
		t.Fatal(err)
	}
	want, wantExpected, err := folder.LoadTests()
	if err != nil {
		t.Fatal(err)
	}
	gotHash, gotErr := Contents(got)
	wantHash, wantErr := Contents(want)
	if gotErr != nil || wantErr != nil || gotHash != wantHash || len(got) != 3 {
		t.Errorf("%v, %v: tests %+v, want %+v", gotErr, wantErr, got, want)
	}
	for i := range wantExpected {
		a, b := gotExpected[i].Output, wantExpected[i].Output
		if !slices.Equal(a, b) || (a == nil) != (b == nil) {
			t.Errorf("test %s: expected %q, want %q", want[i].Name, a, b)
		}
	}
}

func TestTestsOfAFileAndOfAFolderAreInTheOrderOfTheirNames(t *testing.T) {
	p := projectWithTests(t, "-- 3.in --\n-- 1.in --\n", map[string]string{"2.in": "without a newline"})
	tests, _, err := p.LoadTests()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, test := range tests {
		names = append(names, test.Name)
	}
	if !slices.Equal(names, []string{"1", "2", "3"}) {
		t.Errorf("got %q", names)
	}
}

func TestAFileOfTestsThatIsNotOneIsRefused(t *testing.T) {
	for want, text := range map[string]string{
		"no tests":                     "1\n2\n",
		`what is "1.inp"?`:             "-- 1.inp --\n",
		"1 has an output and no input": "-- 1.out --\n-- 2.in --\n",
		`what is "1.out"?`:             "-- 1.in --\n-- 1.out --\n-- 1.out --\n",
		"test 1 is there twice":        "-- 1.in --\n-- 1.in --\n",
	} {
		_, _, err := projectWithTests(t, text, nil).LoadTests()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	p := projectWithTests(t, "-- 1.in --\n", map[string]string{"1.in": ""})
	if _, _, err := p.LoadTests(); err == nil || !strings.Contains(err.Error(), "test 1 is there twice") {
		t.Errorf("in the file and in the folder: %v", err)
	}
	p.Tests.File = "none.txt"
	if _, _, err := p.LoadTests(); err == nil || !strings.Contains(err.Error(), "none.txt") {
		t.Errorf("no file: %v", err)
	}
}
