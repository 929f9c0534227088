package foreign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/matrix"
)

const source = `int sum(int a, int b) { return a + b; }
int less(int a, int b) { return a < b; }
int neg(int a) { return -a; }
`

// inFolder is a folder that has the source, as src/a.c.
func inFolder(name string) (string, bool) { return source, name == "src/a.c" }

// told is the verdicts of a subject, a mutant a line: its id, and for each test 1, 0 or -1, with
// n behind a 0 where the test does not reach it.
func told(t *testing.T, r *Report) (string, *dataset.Subject) {
	t.Helper()
	s, err := r.Subject()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintln(&out, strings.Join(s.Kills.Tests(), " "))
	for m, id := range s.Kills.Mutants() {
		fmt.Fprint(&out, id)
		for test := range s.Kills.Tests() {
			cell := s.Kills.Cell(m, test)
			fmt.Fprint(&out, " ", map[matrix.Verdict]string{matrix.Killed: "1", matrix.Survived: "0", matrix.Unknown: "-1"}[cell.Verdict])
			if cell.Cause == matrix.NotReached {
				fmt.Fprint(&out, "n")
			}
		}
		fmt.Fprintln(&out)
	}
	return out.String(), s
}

// changes are the mutants as changes, each "old>new".
func changes(s *dataset.Subject) string {
	var out []string
	for row := range s.Edits.Rows() {
		start, end := s.Edits.Value(row, 2).(int64), s.Edits.Value(row, 3).(int64)
		out = append(out, source[start:end]+">"+s.Edits.Value(row, 4).(string))
	}
	return strings.Join(out, " ")
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

func TestAReportOfElementsSaysWhatItSays(t *testing.T) {
	r, err := Elements([]byte(`{"schemaVersion": "2.0", "thresholds": {"high": 80, "low": 60}, "framework": {"name": "StrykerJS", "version": "9"},
		"testFiles": {"t": {"tests": [{"id": "7", "name": "adds"}, {"id": "8", "name": "compares"}, {"id": "9", "name": "adds"}]}},
		"files": {"src/ä.c": {"language": "c", "source": "/* 😀ü */ int f(void) { return 1 + 2; }\n", "mutants": [
		{"id": "1", "mutatorName": "math", "replacement": "-", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "Killed", "killedBy": ["7"], "coveredBy": ["7", "9"]},
		{"id": "2", "mutatorName": "math", "replacement": "*", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "Killed", "killedBy": ["9"], "coveredBy": ["7", "9"], "testsCompleted": 2},
		{"id": "3", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "Survived", "coveredBy": ["8"]},
		{"id": "4", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "Timeout"},
		{"id": "5", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "NoCoverage"},
		{"id": "6", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "RuntimeError"},
		{"id": "6", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "Ignored", "statusReason": "Equivalent (both are ints)"},
		{"id": "7", "mutatorName": "math", "location": {"start": {"line": 1, "column": 34}, "end": {"line": 1, "column": 35}}, "status": "CompileError", "statusReason": "no"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, s := told(t, r)
	expect(t, "verdicts", got, "adds compares adds 9 suite\n1 1 0n -1 1\n2 0 0n 1 1\n3 0n 0 0n 0\n4 -1 -1 -1 1\n5 0n 0n 0n 0n\n6 -1 -1 -1 -1\nsrc/ä.c:6 -1 -1 -1 -1\n")
	if start := s.Edits.Value(0, 2).(int64); r.Sources["src/ä.c"][start:start+1] != "+" {
		t.Errorf("columns of UTF-16 were read as %d", start)
	}
	if s.Removed.Rows() != 1 || s.Removed.Value(0, 1) != "invalid" {
		t.Errorf("%d were left out, want the one that does not compile", s.Removed.Rows())
	}
	if p := s.ProofRows(); len(p) != 1 || p[0].ID != "src/ä.c:6" || p[0].Evidence != "StrykerJS 9" {
		t.Errorf("equivalent: %v", p)
	}
}

func TestOfMullsElementsACrashIsAKillAndTheSuiteIsOneTest(t *testing.T) {
	r, err := Elements([]byte(`{"schemaVersion": "1.7", "framework": {"name": "Mull"}, "files": {"a.c": {"language": "cpp", "source": "", "mutants": [
		{"id": "a", "mutatorName": "m", "location": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}}, "status": "RuntimeError"},
		{"id": "b", "mutatorName": "m", "location": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}}, "status": "Survived"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := told(t, r)
	expect(t, "verdicts", got, "suite\na 1\nb 0\n")
}

func TestEachDatabaseOfMullIsATest(t *testing.T) {
	r, err := Mull("testdata/mull.sqlite", "testdata/parser.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	r.Below(inFolder)
	for i := range r.Mutants {
		r.Mutants[i].ID = r.Mutants[i].Operator
	}
	got, s := told(t, r)
	expect(t, "verdicts", got, "mull parser\ncxx_add_to_sub 1 0\ncxx_lt_to_le 0 0\ncxx_lt_to_ge 1 1\ncxx_sub_to_add 0n 0\ncxx_remove -1 -1\n")
	expect(t, "changes", changes(s), "+>- <><= <>>= ->+")
	if r.Tool != "Mull 0.33.0" || r.Mutants[0].File != "src/a.c" {
		t.Errorf("of %s, %s", r.Tool, r.Mutants[0].File)
	}
}

func TestDextoolsDatabaseNamesTestsAndPlaces(t *testing.T) {
	r, err := Dextool("testdata/dextool.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	r.Below(inFolder)
	got, s := told(t, r)
	expect(t, "verdicts", got, "Sum.adds Less.is suite\ndextool-1 1 -1 1\ndextool-2 0 0 0\ndextool-3 -1 -1 1\ndextool-4 -1 -1 -1\ndextool-6 0n 0n 0n\n")
	expect(t, "changes", changes(s), "+>- <><= <>>= <>==")
	if p := s.ProofRows(); len(p) != 1 || p[0].Reason != "both are ints" {
		t.Errorf("marked as equivalent: %v", p)
	}
}

func TestWhatIsNoReportIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "no mutation testing report", `{}`: "no schemaVersion", `{"schemaVersion": "2", "files": {"a": {"mutants": [{"id": "1", "status": "Odd"}]}}}`: `a, mutant 1: the status "Odd"`,
	} {
		if _, err := Elements([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Mull("testdata/dextool.sqlite"); err == nil || !strings.Contains(err.Error(), "no table mutant") {
		t.Errorf("another database: %v", err)
	}
	if _, err := Dextool("testdata/mull.sql"); err == nil || !strings.Contains(err.Error(), "not a whole SQLite") {
		t.Errorf("no database: %v", err)
	}
}

// FuzzAReportIsReadOrRefused: whatever the report says, what comes of it is an error or a subject
// that fits together.
func FuzzAReportIsReadOrRefused(f *testing.F) {
	f.Add([]byte(`{"schemaVersion": "2.0", "testFiles": {"t": {"tests": [{"id": "1", "name": "suite"}]}}, "files": {"a.c": {"source": "int x;\n", "mutants": [
		{"id": "1", "replacement": "y", "location": {"start": {"line": 1, "column": 5}, "end": {"line": 1, "column": 6}}, "status": "Killed", "killedBy": ["1", "2"]}]}}}`))
	f.Add([]byte(`{"schemaVersion": "1", "files": {"": {"source": "é", "mutants": [{"location": {"start": {"line": -1, "column": 900}, "end": {"line": 1}}, "status": "Survived", "coveredBy": [""]}]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		bounded.Check(t, len(data), func() {
			r, err := Elements(data)
			if err != nil {
				return
			}
			s, err := r.Subject()
			if err != nil {
				return
			}
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
		})
	})
}
