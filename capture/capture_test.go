package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

// project writes one of testdata into a folder of its own.
func project(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	testfile.Extract(t, testfile.Read(t, filepath.Join("testdata", name+".txtar")), dir)
	return dir
}

// files makes a project of texts.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// capture builds a project whose build has to work.
func captured(t *testing.T, dir string, opts Options) *Capture {
	t.Helper()
	if opts.Work == "" {
		opts.Work = filepath.Join(t.TempDir(), "work")
	}
	c, err := Build(context.Background(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hash is of all that a folder holds: names, contents, modes and times.
func hash(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, info.Mode(), info.ModTime().UnixNano())
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			h.Write(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// products prints each product with its role and inputs.
func products(c *Capture) string {
	var b strings.Builder
	for _, p := range c.Products {
		fmt.Fprintf(&b, "%s %s (%s):", p.Kind, p.Path, p.Role)
		for _, in := range p.Inputs {
			fmt.Fprintf(&b, " %s", strings.TrimSpace(in.Unit+in.Product+in.File+strings.Repeat("-l", min(1, len(in.Library)))+in.Library))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// testsOf prints each test with how it ended and what it reaches.
func testsOf(c *Capture) string {
	var b strings.Builder
	for _, t := range c.Tests {
		fmt.Fprintf(&b, "%s %s %s: %s\n", t.From, t.Name, t.Outcome, strings.Join(t.Reaches, " "))
	}
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if want = strings.TrimLeft(want, "\n"); got != want {
		t.Errorf("%s:\n%swant\n%s", what, got, want)
	}
}

func (s Subject) String() string {
	text := s.Name + "\n  made again: " + strings.Join(s.Products, " ") + "\n  mutated: " + strings.Join(s.Units, " ") + "\n"
	for _, l := range s.LeftOut {
		text += "  left out: " + l.Unit + ": " + l.Why + "\n"
	}
	return text
}

func TestAProjectInTheShapeOfAutotools(t *testing.T) {
	t.Parallel()
	dir := project(t, "autoshape")
	before := hash(t, dir)
	c := captured(t, dir, Options{})
	if hash(t, dir) != before {
		t.Error("the project has changed")
	}
	if c.System.Kind != "configure" || c.System.Build != "source" {
		t.Errorf("built by %s in %s", c.System.Kind, c.System.Build)
	}
	same(t, "products", products(c), `
archive source/.libs/libcalc.a (subject): source/src/add.c source/src/sub.c
shared source/.libs/libcalc.so.1 (part of the subject): source/src/add.c source/src/sub.c
program source/calc (subject): source/src/main.c source/.libs/libcalc.so.1
program source/examples/hello (example): source/examples/hello.c source/.libs/libcalc.a
program source/fuzz/calc_fuzzer (fuzzer): source/fuzz/calc_fuzzer.c source/.libs/libcalc.a
program source/tests/add (test program): source/tests/add.c source/.libs/libcalc.a
`)
	same(t, "subject", c.Subject.String(), `
libcalc
  made again: source/.libs/libcalc.a source/.libs/libcalc.so.1 source/calc
  mutated: source/src/add.c source/src/sub.c source/src/main.c
`)
	same(t, "tests", testsOf(c), `
automake tests/add passed: source/tests/add
automake tests/cli.sh passed: source/.libs/libcalc.so.1 source/calc
automake tests/broken.sh passed: 
`)
	if add := c.Tests[0]; !slices.Equal(add.Argv, []string{"./tests/add"}) {
		t.Errorf("the first test is %+v", add)
	}
	cli := c.Tests[1]
	if !slices.Equal(cli.Argv, []string{"/bin/sh", "./tests/cli.sh"}) || !slices.Contains(cli.Env, "GREETING=hello there") || cli.Skip != 77 ||
		!slices.Equal(cli.Needs, []string{"source/.libs/libcalc.so.1", "source/calc"}) || !c.Tests[2].Fails {
		t.Errorf("the tests are %+v", c.Tests)
	}
	add := c.Unit("source/src/add.c")
	if add == nil || !slices.Equal(add.Flags, []string{"-DHAVE_CONFIG_H", "-I.", "-Isrc", "-Wall", "-Wno-unused-variable", "-std=gnu99"}) ||
		!slices.Equal(add.Dropped, []string{"-O2"}) || add.Dir != "source" || !exists(c.Path("source/config.h")) {
		t.Errorf("the unit is %+v", add)
	}
	if in := c.Product("source/.libs/libcalc.so.1").Inputs[0]; !slices.Equal(in.Position, []string{"-fPIC", "-DPIC"}) {
		t.Errorf("the shared library's first input is %+v", in)
	}
}

func TestACaptureIsTheSameBytesEachTime(t *testing.T) {
	t.Parallel()
	dir := project(t, "autoshape")
	one, err := captured(t, dir, Options{Jobs: 1}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again := captured(t, dir, Options{Jobs: 1})
	two, err := again.Marshal()
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("%v; the first is\n%s\nthe second\n%s", err, one, two)
	}
	path := filepath.Join(t.TempDir(), "capture.json")
	if err := again.Write(path); err != nil {
		t.Fatal(err)
	}
	read, err := Read(path, again.Work)
	if err != nil {
		t.Fatal(err)
	}
	three, err := read.Marshal()
	if err != nil || !bytes.Equal(two, three) {
		t.Errorf("%v; written and read it is\n%s", err, three)
	}
	if got := read.Expand("-I" + workMark + "/source"); got[0] != "-I"+again.Work+"/source" {
		t.Errorf("a flag expands to %s", got)
	}
}

func TestAFormOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"version": 99}`: "another version",
		fmt.Sprintf(`{"version": %d, "flavour": ""}`, Version): "flavour",
		`[`: "no JSON",
	} {
		if _, err := Unmarshal([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %q", text, err, want)
		}
	}
}

func TestGeneratedHeadersAndParsersAreFollowed(t *testing.T) {
	t.Parallel()
	c := captured(t, project(t, "generated"), Options{})
	same(t, "products", products(c), `
program source/calc (subject): source/main.c source/parse.c
program source/mkprimes (generator): source/mkprimes.c
`)
	same(t, "subject", c.Subject.String(), `
calc
  made again: source/calc
  mutated: source/main.c
  left out: source/parse.c: It is made by the build with yacc.
`)
	// A line belongs to those that name what it wrote.
	same(t, "tests", testsOf(c), `
make check-1 passed: source/calc
make check-2 passed: source/calc
make check-3 passed: source/calc
`)
	if !exists(c.Path("source/primes.h")) || exists(filepath.Join(c.Work, "source", "copied")) {
		t.Error("the copy lacks primes.h, or has what a test removes")
	}
}

func TestABuildInASubfolderAndOutOfTree(t *testing.T) {
	t.Parallel()
	c := captured(t, project(t, "subfolder"), Options{})
	if c.System.Folder != "source/core" || !strings.Contains(c.System.Why, "core") {
		t.Errorf("built in %s: %s", c.System.Folder, c.System.Why)
	}
	same(t, "subject", c.Subject.String(), `
clamp
  made again: source/core/out/clamp source/core/out/liblimits.a
  mutated: source/core/app/clamp.c source/core/lib/max.c source/core/lib/min.c
`)
	same(t, "tests", testsOf(c), `
make test-1 passed: source/core/out/clamp
make test-2 passed: source/core/out/clamp
`)
}

func TestTwoProgramsAndASharedLibrary(t *testing.T) {
	t.Parallel()
	c := captured(t, project(t, "pair"), Options{})
	same(t, "products", products(c), `
shared source/libtext.so (subject): source/text.c
program source/bench/speed (benchmark): source/bench/speed.c source/libtext.so
program source/count (subject): source/count.c source/libtext.so
program source/upper (subject): source/upper.c source/libtext.so
`)
	if p := c.Product("source/bin/count"); p == nil || p.Path != "source/count" {
		t.Errorf("the copy in bin is of %+v", p)
	}
	same(t, "subject", c.Subject.String(), `
libtext
  made again: source/libtext.so source/upper source/count
  mutated: source/text.c source/upper.c source/count.c
`)
	same(t, "tests", testsOf(c), `
make check-1 passed: source/libtext.so source/upper
make check-2 passed: source/libtext.so source/upper
make check-3 passed: source/count source/libtext.so
`)
	if env := c.Tests[0].Env; !slices.Equal(env, []string{"LD_LIBRARY_PATH={work}/source"}) {
		t.Errorf("a test's variables are %v", env)
	}
}

// One script tests a library by its tools, each of which has one source more than the library.
func TestALibraryComesBeforeTheToolsThatAreMadeOfIt(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile": "all: one two\nlib.a: a.o b.o\n\tar cr lib.a a.o b.o\n" +
			"one: one.o lib.a\n\tcc -o one one.o lib.a\ntwo: two.o lib.a\n\tcc -o two two.o lib.a\n" +
			"check: all\n\tsh check.sh\n",
		"a.c":      "int a(int n) { return n + 1; }\n",
		"b.c":      "int b(int n) { return n * 2; }\n",
		"one.c":    "int a(int);\nint b(int);\nint main(int n, char **v) { return a(b(n)) != 3; }\n",
		"two.c":    "int a(int);\nint b(int);\nint main(int n, char **v) { return b(a(n)) != 4; }\n",
		"check.sh": "./one && ./two\n",
	}
	same(t, "subject", captured(t, files(t, texts), Options{}).Subject.String(), `
lib
  made again: source/lib.a source/one source/two
  mutated: source/a.c source/b.c source/one.c source/two.c
`)
	// A library of one program is a part of it.
	texts["Makefile"] = strings.ReplaceAll(strings.ReplaceAll(texts["Makefile"], "all: one two", "all: one"), "sh check.sh", "./one")
	same(t, "subject of one program", captured(t, files(t, texts), Options{}).Subject.String(), `
one
  made again: source/one source/lib.a
  mutated: source/one.c source/a.c source/b.c
`)
}

func TestSourcesThatOnlyTestsAreMadeOf(t *testing.T) {
	t.Parallel()
	c := captured(t, project(t, "testsonly"), Options{})
	same(t, "subject", c.Subject.String(), `
parser
  made again: source/test_fast source/test_strict
  mutated: source/parser.c source/parser.c#2
`)
	same(t, "tests", testsOf(c), `
make test_strict passed: source/test_strict
make test_fast passed: source/test_fast
`)
}

func TestTargetsAndExclusionsOverrule(t *testing.T) {
	t.Parallel()
	dir := project(t, "pair")
	c := captured(t, dir, Options{Target: []string{"bin/count"}, Exclude: []string{"text.c"}})
	same(t, "subject", c.Subject.String(), `
count
  made again: source/count source/libtext.so
  mutated: source/count.c
  left out: source/text.c: It was excluded.
`)
	_, err := Build(context.Background(), dir, Options{Target: []string{"counter"}, Work: filepath.Join(t.TempDir(), "w")})
	if err == nil || !strings.Contains(err.Error(), "counter") {
		t.Errorf("an unknown target: %v", err)
	}
}

func TestProgressIsToldWhileABuildIsSilent(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"Makefile": "a:\n\t@echo waiting\n\t@sleep 2.5\n\tcc -o a a.c\n", "a.c": "int main(void) { return 0; }\n"})
	var events []Event
	captured(t, dir, Options{Progress: func(e Event) { events = append(events, e) }})
	if len(events) < 2 || events[0].Elapsed > 2*time.Second || events[0].Step != "build" || !slices.ContainsFunc(events, func(e Event) bool { return e.Detail == "waiting" }) {
		t.Errorf("told %+v", events)
	}
}
