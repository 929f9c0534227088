//go:build linux

package build_test

import (
	"fmt"
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

// names are those of libc that the runtime or its server is made of, under their own or
// by the number of the call, and those with which verdicts were once wrong. Not vfork:
// clang takes a function of that name for one that returns twice.
var names = []string{
	"exit", "on_exit", "_exit", "_Exit", "atexit", "environ", "stdin", "stdout", "stderr", "errno_location",
	"time", "gettimeofday", "clock_gettime", "_IO_setvbuf", "_IO_getc", "_IO_ungetc", "setvbuf", "getc", "ungetc",
	"read", "write", "writev", "open", "openat", "close", "lseek", "dup", "dup2", "dup3", "pipe", "fcntl", "ioctl", "ftruncate", "fchdir",
	"mmap", "munmap", "mprotect", "mremap", "madvise", "brk", "sbrk", "memfd_create",
	"fork", "clone", "execve", "wait4", "waitpid", "kill", "raise", "abort", "tgkill", "getpid", "getppid", "gettid", "setpgid",
	"signal", "sigaction", "sigprocmask", "sigaltstack", "sigemptyset", "sigaddset", "sigtimedwait",
	"prctl", "prlimit", "setrlimit", "getrlimit", "personality", "syscall", "nanosleep", "sysinfo",
	"strlen", "strcmp", "memchr", "winnow_fuel", "winnow_selector", "winnow_reached", "winnow_trap", "winnow_shared", "winnow_end_process",
}

// Each name is that of a function, and then of a variable, in a program that has mutants in
// it: what becomes of them is what becomes of them under a name that means nothing.
func TestAProgramMayCallThingsLikeTheRuntimeDoes(t *testing.T) {
	for kind, text := range map[string]string{
		"functions": "int NAME(int x) { if (x > 3) return x * 2; return x + 1; }\n#define USE(x) NAME(x)\n",
		"variables": "int NAME = 7;\nint twice(int x) { NAME = NAME + x; return NAME * 2; }\n#define USE(x) twice(x)\n",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			want := verdictsOf(t, text, "neutral")
			if !slices.Contains(want, execute.Killed) || !slices.Contains(want, execute.Survived) {
				t.Fatalf("the program tells nothing: %v", want)
			}
			some := []string{"exit", "environ", "mmap", "syscall", "winnow_fuel"}
			if deep.Asked() {
				some = names
			}
			for _, name := range some {
				if got := verdictsOf(t, text, name); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
			}
		})
	}
}

func verdictsOf(t *testing.T, text, name string) []execute.Verdict {
	t.Helper()
	source := filepath.Join(t.TempDir(), "p.c")
	testfile.Write(t, source, strings.ReplaceAll(text, "NAME", name)+"int printf(const char *, ...);\nint main(void) { printf(\"%d\\n\", USE(2)); return 0; }\n")
	p, err := program.Load(t.Context(), clangtest.Tools(t), []program.Input{{Path: source, Flags: []string{"-fno-builtin"}}}, program.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	binary, err := buildtest.Builder(t).MetaMutant(t.Context(), p, "meta")
	if err != nil {
		t.Error(fmt.Errorf("%s: %w", name, err))
		return nil
	}
	e, err := execute.Start(t.Context(), binary, []execute.Test{{Name: "t"}}, execute.Options{Workers: 1})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer e.Close()
	base, err := e.Originals(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var list []execute.Mutant
	for _, m := range p.Mutants() {
		list = append(list, execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal})
	}
	result, err := e.Kill(t.Context(), base, list)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out []execute.Verdict
	for m := range result.Mutants {
		out = append(out, result.Verdict(m, 0))
	}
	return out
}
