package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gate runs testgate over a module of one package with the given test file.
func gate(t *testing.T, requireTools bool, test string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/gated\n\ngo 1.26\n",
		"x.go":   "package gated\n",
		"x_test.go": "package gated\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n\nfunc TestFine(t *testing.T) {}\n\n" +
			test,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out bytes.Buffer
	err := run([]string{"-count=1", "-vet=off", "./..."}, requireTools, &out)
	return out.String(), err
}

func TestGateOpensWhenEveryTestPasses(t *testing.T) {
	out, err := gate(t, true, "func TestTwo(t *testing.T) { t.Run(\"a\", func(*testing.T) {}) }\n")
	if err != nil || !strings.HasSuffix(out, "\n3 passed, 0 failed, 0 skipped\n") {
		t.Errorf("err %v, output:\n%s", err, out)
	}
	if !strings.HasPrefix(out, "ok  \texample.com/gated\t") {
		t.Errorf("the line of go test for the package is missing:\n%s", out)
	}
}

func TestGateStaysShut(t *testing.T) {
	tests := []struct{ name, test, inOutput, summary, inError string }{
		{"for a failing test, whose words it shows", "func TestBad(t *testing.T) { t.Error(\"the words\") }\n",
			"the words", "1 passed, 1 failed, 0 skipped\n", "1 tests failed"},
		{"for a skipped test, with its reason", "func TestSkip(t *testing.T) { t.Skip(\"no clang here\") }\n",
			"", "1 passed, 0 failed, 1 skipped\n", "TestSkip: x_test.go:12: no clang here"},
		{"for a panic", "func TestPanic(t *testing.T) { panic(\"the cause\") }\n",
			"panic: the cause", "1 passed, 1 failed, 0 skipped\n", "1 tests failed"},
		{"for an exit in the middle", "func TestExit(t *testing.T) { os.Exit(3) }\n",
			"FAIL\texample.com/gated", "1 passed, 1 failed, 0 skipped\n", "failed"},
		{"for a package that does not build", "func TestX(t *testing.T) { undefined() }\n",
			"undefined: undefined", "0 passed, 0 failed, 0 skipped\n", "in 1 packages"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := gate(t, true, tt.test)
			if err == nil || !strings.Contains(err.Error(), tt.inError) {
				t.Errorf("err = %v, want one that says %q", err, tt.inError)
			}
			if !strings.Contains(out, tt.inOutput) || !strings.HasSuffix(out, tt.summary) {
				t.Errorf("output lacks %q or does not end with %q:\n%s", tt.inOutput, tt.summary, out)
			}
		})
	}
}

func TestTheLongestTestsAreTold(t *testing.T) {
	var out bytes.Buffer
	tally := newTally(&out)
	for _, line := range []string{`{"Action":"pass","Package":"p","Test":"TestShort","Elapsed":0.2}`, `{"Action":"pass","Package":"p","Test":"TestLong","Elapsed":7.1}`,
		`{"Action":"pass","Package":"q","Test":"TestLonger/part","Elapsed":61}`} {
		if err := tally.readAll(strings.NewReader(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	tally.printLongest()
	if got, want := out.String(), "  61.0 s  q: TestLonger/part\n   7.1 s  p: TestLong\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGateLetsSkipsPassWhereToolsAreNotRequired(t *testing.T) {
	out, err := gate(t, false, "func TestSkip(t *testing.T) { t.Skip(\"no clang here\") }\n")
	if err != nil || !strings.HasSuffix(out, "1 passed, 0 failed, 1 skipped\n") {
		t.Errorf("err %v, output:\n%s", err, out)
	}
}

func TestGateStaysShutWhenNoTestRan(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/empty\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var out bytes.Buffer
	if err := run([]string{"./..."}, true, &out); err == nil || err.Error() != "no test ran" {
		t.Errorf("err = %v, output:\n%s", err, out.String())
	}
}
