package clang_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
)

func toolchain(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func TestAToolThatIsMissingIsNamedWithItsPackages(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := clang.Find()
	if !errors.Is(err, clang.ErrMissing) {
		t.Fatalf("got %v, want ErrMissing", err)
	}
	message := err.Error() + "\n" + exit.HintOf(err)
	for _, word := range []string{"clang-14", "opt-14", "apt-get install", "llvm-14"} {
		if !strings.Contains(message, word) {
			t.Errorf("the message does not name %s: %v", word, message)
		}
	}
	if exit.Of(err) != exit.Tool {
		t.Errorf("exit status %d, want %d", exit.Of(err), exit.Tool)
	}
}

func TestSourceThatDoesNotCompileShowsTheCompilersOwnMessage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wrong.c")
	if err := os.WriteFile(file, []byte("int main(void) { return undeclared; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := toolchain(t).Compile(context.Background(), file, nil)
	var failure *clang.Error
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want a *clang.Error", err)
	}
	if !strings.Contains(err.Error(), "use of undeclared identifier 'undeclared'") {
		t.Errorf("the message lacks clang's words: %v", err)
	}
}

func TestTheVerifierRefusesAModuleThatBreaksDominance(t *testing.T) {
	bad := "define i32 @f() {\nentry:\n  %a = add i32 %b, 1\n  %b = add i32 1, 1\n  ret i32 %a\n}\n"
	if err := toolchain(t).Verify(context.Background(), "bad.ll", []byte(bad)); err == nil {
		t.Error("accepted")
	}
	good := "define i32 @f() {\nentry:\n  %b = add i32 1, 1\n  ret i32 %b\n}\n"
	if err := toolchain(t).Verify(context.Background(), "good.ll", []byte(good)); err != nil {
		t.Error(err)
	}
}

func TestKeepFrontEndKeepsWhatChangesTheMeaningOfTheSource(t *testing.T) {
	got := clang.KeepFrontEnd([]string{"-Iinc", "-I", "more", "-DX=1", "-O3", "-Wall", "-c", "-o", "x.o", "-MF", "x.d",
		"-std=gnu99", "-include", "config.h", "-fno-strict-aliasing", "-lm", "-flto", "x.c", "-g"})
	want := []string{"-Iinc", "-I", "more", "-DX=1", "-std=gnu99", "-include", "config.h", "-fno-strict-aliasing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestATextIsAssembledAsItIsWritten(t *testing.T) {
	tools, out := toolchain(t), filepath.Join(t.TempDir(), "out.bc")
	lines := func(first string) func(io.Writer) error {
		return func(w io.Writer) error {
			if _, err := io.WriteString(w, first); err != nil {
				return err
			}
			for i := range 200_000 {
				if _, err := fmt.Fprintf(w, "@g%d = global i32 %d\n", i, i); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if err := tools.AssembleWritten(t.Context(), "good.c", lines(""), out); err != nil {
		t.Error(err)
	}
	text, err := tools.Disassemble(t.Context(), out)
	if err != nil || strings.Count(string(text), " = global i32 ") != 200_000 {
		t.Errorf("%v, or lines are lost", err)
	}
	var refused *clang.Error
	if err := tools.AssembleWritten(t.Context(), "bad.c", lines("what is this\n"), out); !errors.As(err, &refused) || !strings.Contains(refused.Stderr, "expected top-level entity") {
		t.Errorf("text that is no IR: %v", err)
	}
	broken := errors.New("no more text")
	if err := tools.AssembleWritten(t.Context(), "broken.c", func(io.Writer) error { return broken }, out); !errors.Is(err, broken) {
		t.Errorf("a text that cannot be written: %v", err)
	}
}

// Debian keeps the sanitizers apart from clang. That they are missing is no error of
// the program that is to be linked.
func TestSanitizersThatAreMissingAreNamedWithTheirPackage(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "clang-14")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho 'cannot find libclang_rt.asan' >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := (&clang.Toolchain{Clang: fake}).CheckSanitizer(t.Context(), t.TempDir())
	var failure *clang.Error
	if !errors.Is(err, clang.ErrMissing) || errors.As(err, &failure) {
		t.Errorf("got %v, want ErrMissing alone", err)
	}
	if hint := exit.HintOf(err); !strings.Contains(hint, clang.SanitizerPackage) {
		t.Errorf("the hint %q does not name the package", hint)
	}
}
