package csource

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Expectations live in the C files: see the head of testdata/operators.c.
var expectation = regexp.MustCompile(`^\s*//@ (\d+) ([^:]*(?:\?:)?[^:]*?)(?:: (.*))?$`)

func TestTheTreeHasWhatTheCommentsOfTheSourceSay(t *testing.T) {
	checked := 0
	for _, path := range testdata(t, "*.c") {
		f := mustParse(t, path)
		if f.Untyped != nil {
			t.Errorf("types of %s: %v", path, f.Untyped)
		}
		checked += checkExpectations(t, path, f)
	}
	header := mustParse(t, "testdata/macros.c").In("macros.h")
	if header == nil {
		t.Fatal("the user's header is not indexed")
	}
	checked += checkExpectations(t, "testdata/macros.h", header)
	if checked < 100 {
		t.Errorf("only %d expectations were read", checked)
	}
}

func checkExpectations(t *testing.T, path string, f *File) (checked int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	for i, line := range strings.Split(string(b), "\n") {
		if !strings.Contains(line, "//@") {
			code = i + 1
			continue
		}
		m := expectation.FindStringSubmatch(line)
		if m == nil {
			if i > 2 {
				t.Errorf("%s:%d: unreadable expectation", path, i+1)
			}
			continue
		}
		checked++
		column, _ := strconv.Atoi(m[1])
		want := m[2]
		if m[3] != "" {
			want += ": " + m[3]
		}
		if got := found(f, code, column); !contains(got, want) {
			t.Errorf("%s:%d:%d: want %q, have\n\t%s", path, code, column, want, strings.Join(got, "\n\t"))
		}
	}
	return checked
}

// found renders all that lies at a place, each in the forms an expectation may
// take: with text and expansion, with text, bare.
func found(f *File, line, column int) []string {
	var all []string
	for _, e := range f.At(line, column) {
		head := strings.TrimSpace(e.Kind.String() + " " + e.Op)
		if e.InMacro {
			head += " macro"
		}
		all = append(all, head, head+": "+e.Text(), head+": "+e.Text()+" => "+e.Expanded())
	}
	if s := f.StatementAt(line, column); s != nil {
		all = append(all, fmt.Sprintf("stmt %s %d: %s", s.Kind, s.Depth, s.Text()))
		if s.Condition != nil {
			for _, e := range f.StartingAt(line, column) {
				if e == s.Condition {
					all = append(all, "condition: "+e.Text())
				}
			}
		}
	}
	return all
}

func contains(all []string, want string) bool {
	for _, s := range all {
		if s == want {
			return true
		}
	}
	return false
}

func mustParse(t *testing.T, path string, flags ...string) *File {
	t.Helper()
	f, err := Parse(path, flags)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// parseText parses C source that a test writes itself.
func parseText(t *testing.T, source string, flags ...string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return mustParse(t, path, flags...)
}

func testdata(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no testdata/%s: %v", pattern, err)
	}
	return paths
}
