package examples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/tools/txtar"
)

const (
	compiler = "clang-14"

	minLines, maxLines = 60, 400
	minTests           = 35
	minFaults          = 4
	maxOutput          = 10_000 // bytes that a test may print

	// hardShare is the share of the tests that a hard fault stays below.
	hardShare = 0.25

	// runLimit is a thousand times what a test takes: it ends a version that
	// hangs, and does not fail on a busy machine.
	runLimit = 10 * time.Second
)

// config is a winnow.toml.
type config struct {
	Program string
	Sources []string
	Flags   []string
	Tests   struct{ File, Dir string }
	Faults  []fault
}

type fault struct{ Name, Source, Description string }

// testCase is a pair NAME.in and NAME.out.
type testCase struct {
	name      string
	in, wants []byte
}

// outcome is what a version did with the input of a test.
type outcome struct {
	out  []byte
	exit int
}

func TestEveryExampleIsRightAndItsFaultsAreRealAndHard(t *testing.T) {
	for _, dir := range exampleDirs(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			c := readConfig(t, dir)
			checkSource(t, dir, c)
			tests := readTests(t, dir, c)
			if len(tests) < minTests {
				t.Errorf("%d tests, want at least %d", len(tests), minTests)
			}
			checkProgram(t, dir, c, tests)
			checkFaults(t, dir, c, tests)
		})
	}
}

func TestTheTableOfTheReadmeSaysWhatIsInTheFolder(t *testing.T) {
	readme := readFile(t, "README.md")
	row := regexp.MustCompile(`(?m)^\| \[(\w+)\]\((\w+)/\) \| [^|]+ \| (\d+) \| (\d+) \| (\d+) \|$`)
	var got []string
	for _, cells := range row.FindAllStringSubmatch(string(readme), -1) {
		got = append(got, strings.Join(cells[1:], " "))
	}
	var want []string
	for _, dir := range exampleDirs(t) {
		c := readConfig(t, dir)
		lines := bytes.Count(readFile(t, filepath.Join(dir, c.Sources[0])), []byte("\n"))
		tests := len(readTests(t, dir, c))
		want = append(want, fmt.Sprint(dir, " ", dir, " ", lines, tests, len(c.Faults)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows (name, link, lines, tests, faults)\n got %q\nwant %q", got, want)
	}
}

// exampleDirs returns the folders that hold a program, in order of name.
func exampleDirs(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		}
	}
	if len(dirs) == 0 {
		t.Fatal("there is no example")
	}
	return dirs
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readConfig(t *testing.T, dir string) config {
	t.Helper()
	var c config
	decoder := toml.NewDecoder(bytes.NewReader(readFile(t, filepath.Join(dir, "winnow.toml"))))
	if err := decoder.DisallowUnknownFields().Decode(&c); err != nil {
		t.Fatalf("%s/winnow.toml: %v", dir, err)
	}
	if c.Program != dir || len(c.Sources) != 1 || c.Tests.File == "" {
		t.Fatalf("%s/winnow.toml: program %q, sources %q, tests %q: want %q, one source and a file",
			dir, c.Program, c.Sources, c.Tests.File, dir)
	}
	return c
}

// readTests reads the pairs of an example's file and, where it names one, of its folder,
// which hold nothing else.
func readTests(t *testing.T, dir string, c config) []testCase {
	t.Helper()
	parts := map[string][]byte{}
	for _, part := range txtar.Parse(readFile(t, filepath.Join(dir, c.Tests.File))).Files {
		parts[part.Name] = part.Data
	}
	if c.Tests.Dir != "" {
		entries, err := os.ReadDir(filepath.Join(dir, c.Tests.Dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			parts[e.Name()] = readFile(t, filepath.Join(dir, c.Tests.Dir, e.Name()))
		}
	}
	var tests []testCase
	for _, file := range slices.Sorted(maps.Keys(parts)) {
		name, isInput := strings.CutSuffix(file, ".in")
		if wants, ok := parts[name+".out"]; isInput && ok {
			tests = append(tests, testCase{name: name, in: parts[file], wants: wants})
		}
	}
	if len(parts) != 2*len(tests) {
		t.Errorf("%s: %d parts for %d tests: want NAME.in and NAME.out for each", dir, len(parts), len(tests))
	}
	return tests
}

// checkSource holds the program to its size, and its list of faults to the
// files in its folder.
func checkSource(t *testing.T, dir string, c config) {
	t.Helper()
	lines := bytes.Count(readFile(t, filepath.Join(dir, c.Sources[0])), []byte("\n"))
	if lines < minLines || lines > maxLines {
		t.Errorf("%d lines, want %d to %d", lines, minLines, maxLines)
	}
	if len(c.Faults) < minFaults {
		t.Errorf("%d faults, want at least %d", len(c.Faults), minFaults)
	}
	files, err := filepath.Glob(filepath.Join(dir, "faults", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, f := range c.Faults {
		listed = append(listed, filepath.Join(dir, f.Source))
	}
	slices.Sort(listed)
	if !slices.Equal(files, listed) {
		t.Errorf("faults/ holds %q, winnow.toml lists %q", files, listed)
	}
}

// checkProgram runs every test on the program itself.
func checkProgram(t *testing.T, dir string, c config, tests []testCase) {
	t.Helper()
	program := compile(t, c, filepath.Join(dir, c.Sources[0]))
	for _, test := range tests {
		got := run(t, program, test)
		if !bytes.Equal(got.out, test.wants) {
			t.Errorf("%s: printed %q, want %q", test.name, got.out, test.wants)
		}
		if got.exit != exitFor(got.out) {
			t.Errorf("%s: exit code %d after printing %q", test.name, got.exit, got.out)
		}
		if len(got.out) > maxOutput {
			t.Errorf("%s: printed %d bytes, want at most %d", test.name, len(got.out), maxOutput)
		}
	}
}

// checkFaults runs every test on every faulty version: each fault is revealed
// by some test but by few of them, and the README tells by how many.
func checkFaults(t *testing.T, dir string, c config, tests []testCase) {
	t.Helper()
	readme := string(readFile(t, filepath.Join(dir, "README.md")))
	for _, f := range c.Faults {
		version := compile(t, c, filepath.Join(dir, f.Source))
		revealing := 0
		for _, test := range tests {
			got := run(t, version, test)
			if !bytes.Equal(got.out, test.wants) {
				revealing++
			} else if got.exit != exitFor(got.out) {
				t.Errorf("%s: %s: only the exit code %d differs, which the files cannot tell", f.Name, test.name, got.exit)
			}
		}
		share := float64(revealing) / float64(len(tests))
		if revealing == 0 || share >= hardShare {
			t.Errorf("%s: revealed by %d of %d tests, want more than none and less than a quarter", f.Name, revealing, len(tests))
		}
		row := fmt.Sprintf("| %s | %s | %d of %d |\n", f.Name, f.Description, revealing, len(tests))
		if !strings.Contains(readme, row) {
			t.Errorf("README.md lacks the row %q", row)
		}
	}
}

// exitFor is the exit code that the examples promise for an output: 1 when
// they report an error in their input.
func exitFor(out []byte) int {
	if bytes.HasPrefix(out, []byte("error: ")) || bytes.Contains(out, []byte("\nerror: ")) {
		return 1
	}
	return 0
}

// compile builds one version, without a single warning. Undefined behaviour
// traps, so that a run that meets it does not end by itself.
func compile(t *testing.T, c config, source string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c"))
	args := []string{"-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror",
		"-fsanitize=undefined", "-fsanitize-trap=undefined", source, "-o", binary}
	message, err := exec.CommandContext(t.Context(), compiler, append(args, c.Flags...)...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("%s is not installed: install LLVM 14", compiler)
	}
	if err != nil {
		t.Fatalf("compiling %s: %v\n%s", source, err, message)
	}
	return binary
}

// run gives a version the input of a test. A version that does not end by
// itself with 0 or 1 in time fails the test: faults of the examples are silent.
func run(t *testing.T, binary string, test testCase) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runLimit)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, binary)
	cmd.Stdin = bytes.NewReader(test.in)
	cmd.Stdout = &out
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
		t.Fatalf("%s on %s: %v", filepath.Base(binary), test.name, err)
	}
	return outcome{out.Bytes(), cmd.ProcessState.ExitCode()}
}
