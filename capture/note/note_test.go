package note

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func install(t *testing.T) *Kit {
	t.Helper()
	k, err := Install(context.Background(), filepath.Join(t.TempDir(), "kit"), os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// run runs a program in a folder with the kit's environment.
func run(t *testing.T, k *Kit, dir string, argv ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	if !filepath.IsAbs(argv[0]) {
		if stand := filepath.Join(k.folder, "bin", argv[0]); exists(stand) {
			cmd = exec.Command(stand, argv[1:]...)
		}
	}
	cmd.Dir, cmd.Env = dir, k.Env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func must(t *testing.T, k *Kit, dir string, argv ...string) {
	t.Helper()
	if out, err := run(t, k, dir, argv...); err != nil {
		t.Fatalf("%v: %v\n%s", argv, err, out)
	}
}

func entries(t *testing.T, k *Kit) []Entry {
	t.Helper()
	all, _, err := k.Read(0)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestACompileIsNotedWithWhatItReadAndWrote(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "a.c"), "int main(void) { return 0; }\n")
	must(t, k, dir, "cc", "-c", "a.c", "-o", "a.o")
	must(t, k, dir, "cc", "a.o", "-o", "a")
	got := entries(t, k)
	if len(got) != 2 {
		t.Fatalf("%d entries, want a compile and a link: %+v", len(got), got)
	}
	compile, link := got[0], got[1]
	if compile.Kind != Compiler || compile.Dir != dir || !slices.Equal(compile.Argv, []string{"cc", "-c", "a.c", "-o", "a.o"}) || compile.Status != 0 {
		t.Errorf("the compile is %+v", compile)
	}
	if len(compile.Out) != 1 || len(link.In) != 1 || compile.Out[0] != link.In[0] {
		t.Errorf("the compile wrote %v, the link read %v", compile.Out, link.In)
	}
	if hash, ok := Hash(filepath.Join(dir, "a")); !ok || len(link.Out) != 1 || link.Out[0].Hash != hash {
		t.Errorf("the link wrote %v, and a has %s", link.Out, hash)
	}
	if compile.Began >= compile.Ended || compile.Ended > link.Began {
		t.Errorf("the times are %d to %d and %d to %d", compile.Began, compile.Ended, link.Began, link.Ended)
	}
}

// realDir is a temporary folder without links in its path, as getcwd has it.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAFailedCompileFailsWithTheCompilersStatus(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "a.c"), "int main(\n")
	if _, err := run(t, k, dir, "cc", "-c", "a.c"); err == nil {
		t.Fatal("it succeeded")
	}
	if got := entries(t, k); len(got) != 1 || got[0].Status != 1 || len(got[0].Out) != 0 {
		t.Errorf("noted as %+v", got)
	}
}

func TestResponseFilesAreExpandedAsGNUToolsDo(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "a.c"), "const char *name = NAME;\n")
	write(t, filepath.Join(dir, "inner"), `-o 'an object.o'`)
	write(t, filepath.Join(dir, "outer"), "-DNAME=\"\\\"a b\\\"\"\n\t@inner -DEMPTY='' back\\ slash.c")
	write(t, filepath.Join(dir, "back slash.c"), "")
	must(t, k, dir, "cc", "-c", "@outer", "-DX=@outer")
	want := []string{"cc", "-c", `-DNAME="a b"`, "-o", "an object.o", "-DEMPTY=", "back slash.c", "-DX=@outer"}
	if got := entries(t, k); !slices.Equal(got[0].Argv, want) {
		t.Errorf("noted %q\nwant  %q", got[0].Argv, want)
	}
}

func TestQuestionsAndProbesAreNotNoted(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "conftest.c"), "int main(void) { return 0; }\n")
	must(t, k, dir, "cc", "--version")
	must(t, k, dir, "cc", "conftest.c", "-o", "conftest")
	must(t, k, dir, "cc", "-c", "conftest.c")
	if err := os.MkdirAll(filepath.Join(dir, "CMakeFiles", "CMakeScratch", "TryCompile-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "CMakeFiles", "CMakeScratch", "TryCompile-1", "a.c"), "int main(void) { return 0; }\n")
	must(t, k, filepath.Join(dir, "CMakeFiles", "CMakeScratch", "TryCompile-1"), "cc", "a.c")
	if got := entries(t, k); len(got) != 0 {
		t.Errorf("noted %+v", got)
	}
}

func TestArchivesAreNotedAsTheyAreLeft(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "a.c"), "int a;\n")
	must(t, k, dir, "cc", "-c", "a.c")
	must(t, k, dir, "ar", "cr", "liba.a", "a.o")
	must(t, k, dir, "ranlib", "liba.a")
	got := entries(t, k)
	hash, _ := Hash(filepath.Join(dir, "liba.a"))
	last := got[len(got)-1]
	if len(got) != 3 || last.Kind != Binutil || len(last.Out) != 1 || last.Out[0] != (File{"liba.a", hash}) {
		t.Errorf("noted %+v, and liba.a has %s", got, hash)
	}
	if got[0].Out[0].Path != "a.o" || got[1].In[0].Hash != got[0].Out[0].Hash {
		t.Errorf("the compile wrote %v, the archiver read %v", got[0].Out, got[1].In)
	}
}

func TestLinesOfRecipesAreNotedWithTargetAndVariables(t *testing.T) {
	k, dir := install(t), realDir(t)
	write(t, filepath.Join(dir, "Makefile"), `export COLOUR = red
V := $(shell echo inner)
all: sub
	@echo $(V) > out.txt
	@false || true
sub:
	@$(MAKE) -f Makefile below
below:
	@cc -c a.c
`)
	write(t, filepath.Join(dir, "a.c"), "int a;\n")
	must(t, k, dir, slices.Concat([]string{"make"}, k.Shell("sh", "-c"))...)
	var lines, targets []string
	var compile Entry
	byID := map[string]Entry{}
	for _, e := range entries(t, k) {
		byID[e.ID] = e
		if e.Kind == Compiler {
			compile = e
			continue
		}
		lines, targets = append(lines, e.Argv[len(e.Argv)-1]), append(targets, e.Target)
		if !slices.Contains(e.Env, "COLOUR=red") || slices.ContainsFunc(e.Env, func(v string) bool { return strings.HasPrefix(v, "PATH=") }) {
			t.Errorf("%v has the variables %v", e.Argv, e.Env)
		}
	}
	if !slices.Equal(targets, []string{"below", "sub", "all", "all"}) || !slices.Contains(lines, "echo inner > out.txt") || !slices.Contains(lines, "false || true") {
		t.Errorf("noted %q of %q", lines, targets)
	}
	below := byID[compile.Under]
	if below.Target != "below" || byID[below.Under].Target != "sub" {
		t.Errorf("the compile is under %+v", below)
	}
}

func TestTestsOfAutomakeAreNotedAndNotRun(t *testing.T) {
	k, dir := install(t), realDir(t)
	must(t, k, dir, k.Driver(), "--test-name", "sub/one", "--log-file", "one.log", "--trs-file", "one.trs", "--color-tests", "no",
		"--enable-hard-errors", "yes", "--expect-failure", "yes", "--", "/bin/sh", "./one", "--fail")
	must(t, k, dir, k.DriverEnv(), "LEVEL=2", "perl=no", "/no/such/interpreter", "./two")
	got := entries(t, k)
	if len(got) != 2 || got[0].Kind != Test || got[0].Target != "sub/one" || got[0].Expect != "fail" || !slices.Equal(got[0].Argv, []string{"/bin/sh", "./one", "--fail"}) {
		t.Fatalf("noted %+v", got)
	}
	if !slices.Equal(got[1].Argv, []string{"/no/such/interpreter", "./two"}) || !slices.Contains(got[1].Env, "LEVEL=2") || got[1].Expect != "pass" {
		t.Errorf("noted %+v", got[1])
	}
	trs, err := os.ReadFile(filepath.Join(dir, "one.trs"))
	if err != nil || !bytes.Contains(trs, []byte(":test-result: PASS\n")) {
		t.Errorf("one.trs holds %q, %v", trs, err)
	}
}

func TestNotesOfManyAtOnceStayWhole(t *testing.T) {
	k, dir := install(t), realDir(t)
	const writers, each = 8, 20
	var wait sync.WaitGroup
	for i := range writers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for j := range each {
				// Long lines: a write that were not one would be torn.
				name := strconv.Itoa(i) + "-" + strconv.Itoa(j) + strings.Repeat("x", 5000)
				cmd := exec.Command(k.DriverEnv(), "./t", name)
				cmd.Dir, cmd.Env = dir, k.Env
				if err := cmd.Run(); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, e := range entries(t, k) {
		seen[e.Argv[1]] = true
	}
	if len(seen) != writers*each {
		t.Errorf("%d notes, want %d", len(seen), writers*each)
	}
}

func TestAToolNamedByItsPathIsStoodFor(t *testing.T) {
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Fatal(err)
	}
	bin := realDir(t)
	gcc := filepath.Join(bin, "special-gcc")
	if err := os.Symlink(tool, gcc); err != nil { // any program: it is only started
		t.Fatal(err)
	}
	k, err := Install(context.Background(), filepath.Join(t.TempDir(), "kit"), append(os.Environ(), "CC="+gcc+" -std=c99"))
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(k.folder, "bin", "special-gcc")
	if got := variable(k.Env, "CC"); got != want+" -std=c99" || !exists(want) {
		t.Errorf("CC is %q, want %q, which is there", got, want+" -std=c99")
	}
	other := filepath.Join(bin, "other-gcc-12")
	if err := os.Symlink(tool, other); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Stand(other); err != nil || got != filepath.Join(k.folder, "bin", "other-gcc-12") || !exists(got) {
		t.Errorf("Stand(%s) is %s, %v", other, got, err)
	}
	for _, command := range []string{"gcc -m32", tool, "/no/such/gcc", want} {
		if got, err := k.Stand(command); err != nil || got != command {
			t.Errorf("Stand(%s) is %s, %v", command, got, err)
		}
	}
	text := "PATH=" + filepath.Join(k.folder, "bin") + ":/usr/bin " + filepath.Join(k.folder, "shell", "sh") + " " + filepath.Join(k.folder, "bin", "gcc")
	if got := k.Real(text); got != "PATH=/usr/bin /bin/sh gcc" {
		t.Errorf("Real gives %q", got)
	}
}

func TestClang14HasTheNamesOfCompilersThatAreNotThere(t *testing.T) {
	compiler, err := exec.LookPath("clang-14")
	if err != nil {
		compiler, err = exec.LookPath("cc")
	}
	if err != nil {
		t.Fatal(err)
	}
	bin := realDir(t)
	for name, to := range map[string]string{"clang-14": compiler, "ld": "/usr/bin/ld", "as": "/usr/bin/as"} {
		if err := os.Symlink(to, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	k, err := Install(context.Background(), filepath.Join(t.TempDir(), "kit"), []string{"PATH=" + bin})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cc", "gcc", "clang"} {
		if real, err := os.Readlink(filepath.Join(k.folder, "compiler", name)); err != nil || real != filepath.Join(bin, "clang-14") {
			t.Errorf("%s stands for %s, %v", name, real, err)
		}
		if got := k.Runnable([]string{name, "-o", "x"}); !slices.Equal(got, []string{filepath.Join(bin, "clang-14"), "-o", "x"}) {
			t.Errorf("%s is run as %q", name, got)
		}
	}
	if got := k.Runnable([]string{"ld", "x"}); got[0] != "ld" {
		t.Errorf("ld, which is there, is run as %q", got)
	}
}

func TestHashesInGoAreThoseOfTheHelper(t *testing.T) {
	k, dir := install(t), realDir(t)
	random := rand.New(rand.NewPCG(1, 2))
	argv := []string{"ar", "cr", "all.a"}
	for _, size := range []int{8, 9, 15, 16, 17, 65535, 65536, 65537, 200000} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		copy(content, "\x7fELF")
		name := "f" + strconv.Itoa(size) + ".o"
		write(t, filepath.Join(dir, name), string(content))
		argv = append(argv, name)
	}
	write(t, filepath.Join(dir, "no.o"), "no object")
	// That ar takes no such objects is not the point; the inputs are hashed before.
	_, _ = run(t, k, dir, append(argv, "no.o")...)
	got := entries(t, k)[0].In
	if len(got) != 9 {
		t.Fatalf("%d files were hashed, want 9: %v", len(got), got)
	}
	scanned := Scan(dir)
	for _, f := range got {
		if hash, ok := Hash(filepath.Join(dir, f.Path)); !ok || hash != f.Hash || scanned[filepath.Join(dir, f.Path)] != hash {
			t.Errorf("%s: the helper has %s, Go %s", f.Path, f.Hash, hash)
		}
	}
}

func TestALineThatIsNotFinishedIsLeftForLater(t *testing.T) {
	whole := `{"kind":"line","id":"1","dir":"/","argv":["sh"],"status":0}` + "\n"
	got, n, err := Parse([]byte(whole + `{"kind":"li`))
	if err != nil || n != len(whole) || len(got) != 1 {
		t.Errorf("read %d entries in %d bytes, %v", len(got), n, err)
	}
	if _, _, err := Parse([]byte("{broken}\n")); err == nil {
		t.Error("a broken line was read")
	}
}
