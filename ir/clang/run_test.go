package clang_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// onAFullDisk are the tools as they are where nothing more can be written: each is
// started with a limit of size on every file.
func onAFullDisk(t *testing.T) *clang.Toolchain {
	t.Helper()
	tools := toolchain(t)
	folder := t.TempDir()
	for name, tool := range map[string]*string{"clang-14": &tools.Clang, "llvm-as-14": &tools.Assemble} {
		path := filepath.Join(folder, name)
		// A write beyond the limit fails with EFBIG where its signal is ignored.
		testfile.Write(t, path, "#!/bin/sh\ntrap '' XFSZ\nulimit -f 1\nexec "+*tool+" \"$@\"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		*tool = path
	}
	return tools
}

const large = "static char many[100000] = {1};\nint main(int argc, char **argv) { return many[argc]; }\n"

func TestADiskThatIsFullBelowAToolIsTheSystemsFault(t *testing.T) {
	full, folder := onAFullDisk(t), t.TempDir()
	source := filepath.Join(folder, "large.c")
	testfile.Write(t, source, large)
	ir, err := toolchain(t).Compile(t.Context(), source, nil)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"compiling":  full.Object(t.Context(), filepath.Join(folder, "large.o"), source, nil),
		"linking":    full.Link(t.Context(), filepath.Join(folder, "large"), []string{source}, nil),
		"assembling": full.AssembleFile(t.Context(), "large.c", ir, filepath.Join(folder, "large.bc")),
	} {
		if exit.Of(err) != exit.System || !strings.Contains(exit.HintOf(err), "make room") {
			t.Errorf("%s: status %v, hint %q, %v", what, exit.Of(err), exit.HintOf(err), err)
		}
		if err != nil && (strings.Contains(err.Error(), "Stack dump") || strings.Contains(err.Error(), "PLEASE submit") || strings.Count(err.Error(), "\n") > 0) {
			t.Errorf("%s: the message is the tool's crash report: %v", what, err)
		}
	}
}

func TestWordsOfTheProgramsAreNotTakenForTheSystems(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wrong.c")
	testfile.Write(t, file, "#error No space left on device\nconst char *s = \"No space left on device\" 1;\n")
	_, err := toolchain(t).Compile(t.Context(), file, nil)
	var failure *clang.Error
	if !errors.As(err, &failure) || exit.Of(err) != exit.Input {
		t.Errorf("status %v: %v", exit.Of(err), err)
	}
}

// llvm-as says no more where it cannot open what it is to write.
func TestToolsThatSayNoMoreThanTheSystemAreBelieved(t *testing.T) {
	for said, want := range map[string]exit.Code{
		"Input/output error": exit.System, "No space left on device\n": exit.System,
		"p.ll:1:1: error: x\nInput/output error": exit.Input, "Input/output error, he said": exit.Input,
	} {
		err := &clang.Error{Tool: "llvm-as-14", Input: "p.c", Stderr: said, Err: errors.New("exit status 1")}
		if exit.Of(err) != want {
			t.Errorf("%q: status %v", said, exit.Of(err))
		}
	}
}

func TestAnExecutableWithoutItsEndIsNotTakenForOne(t *testing.T) {
	folder := t.TempDir()
	source, out := filepath.Join(folder, "p.c"), filepath.Join(folder, "p")
	testfile.Write(t, source, "int main(void) { return 0; }\n")
	tools := toolchain(t)
	if err := tools.Link(t.Context(), out, []string{source}, nil); err != nil {
		t.Fatal(err)
	}
	// A linker that loses the last kilobyte and says that all is well.
	linker := filepath.Join(folder, "clang-14")
	testfile.Write(t, linker, "#!/bin/sh\n"+tools.Clang+" \"$@\" && truncate -s -1024 "+out+"\n")
	if err := os.Chmod(linker, 0o755); err != nil {
		t.Fatal(err)
	}
	tools.Clang = linker
	if err := tools.Link(t.Context(), out, []string{source}, nil); exit.Of(err) != exit.System || !strings.Contains(exit.HintOf(err), "make room") {
		t.Errorf("status %v, %v", exit.Of(err), err)
	}
}
