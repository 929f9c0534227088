//go:build linux

package build_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
)

// special are names that mean something to the compiler even where it is told that no
// function is the library's (-fno-builtin): it takes a function of such a name for one that
// returns twice, so that the mutants are others. As variables they are like any.
var special = []string{"setjmp", "sigsetjmp", "vfork", "getcontext", "savectx"}

// ours are names of the runtime's, some of which no library has.
var ours = []string{"winnow_fuel", "winnow_selector", "winnow_reached", "winnow_trap", "winnow_shared", "winnow_end_process"}

// libraryNames are all that the system's C library exports, but for those that C keeps
// for itself: no program may define them.
func libraryNames(t *testing.T) []string {
	t.Helper()
	path, err := exec.Command(clangtest.Tools(t).Clang, "-print-file-name=libc.so.6").Output()
	if err != nil {
		t.Fatal(err)
	}
	library, err := elf.Open(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	defer library.Close()
	symbols, err := library.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range symbols {
		reserved := strings.HasPrefix(s.Name, "_") || strings.ContainsAny(s.Name, ".@")
		if s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS && !reserved {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// batch is how many names stand in one program.
const batch = 32

// Each name is that of a function, and then of a variable, in a program that has mutants in
// it: what becomes of them is what becomes of them under a name that means nothing.
func TestAProgramMayCallThingsLikeTheLibraryAndTheRuntimeDo(t *testing.T) {
	all := append(libraryNames(t), ours...)
	if len(all) < 1500 {
		t.Fatalf("the library has %d names only", len(all))
	}
	once := []string{"exit", "on_exit", "environ", "mmap", "syscall", "write", "fork", "time", "stdout", "vfork", "winnow_fuel"} // verdicts were wrong, or could be
	for kind, texts := range map[string][2]string{
		"functions": {"int NAME(int x) { if (x > 3) return x * 2; return x + 1; }\n", "NAME(2)"},
		"variables": {"int NAME = 7;\nstatic int twice_NAME(int x) { NAME = NAME + x; return NAME * 2; }\n", "twice_NAME(2)"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			neutral := map[int][][]execute.Verdict{} // by how many names there are
			batches := slices.Collect(slices.Chunk(all, batch))
			if os.Getenv("WINNOW_NAMES") != "all" { // two minutes: make check-names, every night
				batches = deep.Spread(t, deep.Count(1, 8), batches)
			}
			batches = append([][]string{once}, batches...)
			for _, names := range batches {
				if kind == "functions" {
					names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(special, name) })
				}
				want, got := neutral[len(names)], verdictsOf(t, texts, names)
				if want == nil {
					plain := make([]string, len(names))
					for i := range plain {
						plain[i] = fmt.Sprintf("neutral_%d", i)
					}
					want = verdictsOf(t, texts, plain)
					neutral[len(names)] = want
				}
				if len(want) == 0 || !slices.Contains(want[0], execute.Killed) || !slices.Contains(want[0], execute.Survived) {
					t.Fatalf("the program tells nothing: %v", want)
				}
				for i := range want {
					if i >= len(got) || !slices.Equal(got[i], want[i]) {
						t.Errorf("%s: %v, want %v", names[i], got[i:min(i+1, len(got))], want[i])
					}
				}
			}
		})
	}
}

// printer is C that prints the letter c with a function of the library's that is none of
// the names.
func printer(names []string) string {
	if slices.Contains(names, "putchar") {
		return "long write(int, const void *, unsigned long);\nstatic void print(char c) { write(1, &c, 1); }\n"
	}
	return "int putchar(int);\nstatic void print(char c) { putchar(c); }\n"
}

// verdictsOf are the verdicts of the mutants of a program with a copy of a text for each
// name, by name.
func verdictsOf(t *testing.T, texts [2]string, names []string) [][]execute.Verdict {
	t.Helper()
	var text, calls strings.Builder
	last := make([]int, len(names)) // the lines on which each name's text ends
	for i, name := range names {
		text.WriteString(strings.ReplaceAll(texts[0], "NAME", name))
		last[i] = strings.Count(text.String(), "\n")
		fmt.Fprintf(&calls, "\tshow(%s);\n", strings.ReplaceAll(texts[1], "NAME", name))
	}
	text.WriteString(printer(names) + "static void show(int n) { if (n > 9) show(n / 10); print('0' + n % 10); }\n")
	text.WriteString("int main(void) {\n" + calls.String() + "\treturn 0;\n}\n")
	source := filepath.Join(t.TempDir(), "p.c")
	testfile.Write(t, source, text.String())
	p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: source, Flags: []string{"-fno-builtin"}}}, program.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]execute.Verdict, len(names))
	mutants := p.Mutants()
	for m, verdict := range runAll(t, p) {
		if at := slices.IndexFunc(last, func(line int) bool { return mutants[m].Line <= line }); at >= 0 {
			out[at] = append(out[at], verdict)
		}
	}
	return out
}

// runAll runs every mutant of a program that reads nothing.
func runAll(t *testing.T, p *program.Program) []execute.Verdict {
	t.Helper()
	binary, err := buildtest.Builder(t).MetaMutant(t.Context(), p, "meta")
	if err != nil {
		t.Fatal(err)
	}
	e, err := execute.Start(t.Context(), binary, []execute.Test{{Name: "t"}}, execute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	base, err := e.Originals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []execute.Mutant
	for _, m := range p.Mutants() {
		list = append(list, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	result, err := e.Kill(t.Context(), base, list)
	if err != nil {
		t.Fatal(err)
	}
	var out []execute.Verdict
	for m := range result.Mutants {
		out = append(out, result.Verdict(m, 0))
	}
	return out
}
