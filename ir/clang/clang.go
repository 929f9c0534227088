// Package clang starts the compiler: it is the only place of winnow that runs
// clang, opt and the linker.
//
// winnow compiles the user's C itself, with clang-14, whatever compiler the
// user builds with, since it reads the typed-pointer IR that newer clangs no
// longer print. A Toolchain is found once (Find) and then compiles C to IR,
// disassembles bitcode, verifies IR and links programs.
package clang

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Version is the major version of clang and LLVM that winnow is pinned to.
const Version = "14"

// ErrMissing is wrapped by Find when a tool is not installed.
var ErrMissing = errors.New("a tool is missing")

// Packages names the Debian and Ubuntu packages that hold the tools.
var Packages = []string{"clang-14", "llvm-14", "libc6-dev"}

// Toolchain holds the paths of the tools.
type Toolchain struct {
	Clang    string // the C compiler and linker driver
	Opt      string // passes and the verifier
	Assemble string // llvm-as: text to bitcode
	Disasm   string // llvm-dis: bitcode to text
	// dir is where the tools run; "" is the current folder.
	dir string
	// sanitizing builds programs that are checked as they run (Sanitizing).
	sanitizing bool
	// memory is what clang has printed; nil remembers nothing (Remembering).
	memory *memory
}

// In returns the same tools, run in another folder, to which relative paths in
// flags refer.
func (t *Toolchain) In(dir string) *Toolchain {
	twin := *t
	twin.dir = dir
	return &twin
}

// Find looks the tools up on PATH under their versioned names.
func Find() (*Toolchain, error) {
	var t Toolchain
	var missing []string
	for _, tool := range []struct {
		name string
		path *string
	}{
		{"clang-" + Version, &t.Clang},
		{"opt-" + Version, &t.Opt},
		{"llvm-as-" + Version, &t.Assemble},
		{"llvm-dis-" + Version, &t.Disasm},
	} {
		path, err := exec.LookPath(tool.name)
		if err != nil {
			missing = append(missing, tool.name)
			continue
		}
		*tool.path = path
	}
	if len(missing) > 0 {
		return nil, exit.New(exit.Tool, fmt.Errorf("%w: %s not found on PATH", ErrMissing, strings.Join(missing, ", ")),
			"on Debian or Ubuntu: sudo apt-get install "+strings.Join(Packages, " "))
	}
	return &t, nil
}

// FrontEndFlags make clang print the IR that winnow reads: unoptimised, with
// debug locations, open to passes, and with the names of values kept. The
// compilation folder is a dot so that files have in debug locations the names
// they were given: clang would cut off what they share with the current folder.
// x*y+z stays two operations, each with mutants of its own. And no pass runs: what is always inlined
// stays a function, with its mutants once, and not one a call, in C that nobody wrote.
var FrontEndFlags = []string{"-O0", "-g", "-fdebug-compilation-dir=.", "-ffp-contract=off", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"}

// Compile returns the IR of one C file as text. Flags are the user's (-I, -D,
// -std …); those that choose an output, an optimisation level or a stage are
// left out, for winnow's own.
func (t *Toolchain) Compile(ctx context.Context, source string, flags []string) ([]byte, error) {
	args := append([]string{"-S", "-emit-llvm", "-o", "-"}, KeepFrontEnd(flags)...)
	args = append(args, FrontEndFlags...)
	if t.sanitizing {
		args = append(args, sanitizeCompile...)
	}
	args = append(args, "-x", "c", source)
	return t.print(ctx, call{tool: t.Clang, input: source, args: args})
}

// Preprocess returns one C file as clang's preprocessor leaves it, with line markers.
func (t *Toolchain) Preprocess(ctx context.Context, source string, flags []string) ([]byte, error) {
	args := append([]string{"-E", "-w", "-o", "-"}, KeepFrontEnd(flags)...)
	return t.print(ctx, call{tool: t.Clang, input: source, args: append(args, "-x", "c", source)})
}

// CompilePreprocessed is Compile for the text of a file that is preprocessed already. The
// name stands for the text in messages.
func (t *Toolchain) CompilePreprocessed(ctx context.Context, name string, text []byte, flags []string) ([]byte, error) {
	args := append([]string{"-S", "-emit-llvm", "-w", "-o", "-"}, KeepFrontEnd(flags)...)
	args = append(append(args, FrontEndFlags...), "-x", "cpp-output", "-")
	return t.print(ctx, call{tool: t.Clang, input: name, text: text, args: args})
}

// Disassemble returns the text of a bitcode file.
func (t *Toolchain) Disassemble(ctx context.Context, file string) ([]byte, error) {
	return t.do(ctx, call{tool: t.Disasm, input: file, args: []string{"-o", "-", file}})
}

// AssembleFile writes IR text as bitcode, and fails for text that LLVM's
// verifier refuses. The name stands for the text in messages.
func (t *Toolchain) AssembleFile(ctx context.Context, name string, text []byte, out string) error {
	_, err := t.do(ctx, call{tool: t.Assemble, input: name, text: text, out: out, args: []string{"-o", out, "-"}, sealed: true})
	return err
}

// AssembleWritten is AssembleFile for a text that is written as it is read.
func (t *Toolchain) AssembleWritten(ctx context.Context, name string, write func(io.Writer) error, out string) error {
	read, text := io.Pipe()
	written := make(chan error, 1)
	go func() {
		buffered := bufio.NewWriterSize(text, 1<<16)
		err := write(buffered)
		if err == nil {
			err = buffered.Flush()
		}
		text.CloseWithError(err)
		written <- err
	}()
	_, err := t.do(ctx, call{tool: t.Assemble, input: name, stdin: read, out: out, args: []string{"-o", out, "-"}})
	read.CloseWithError(errNotRead)
	if failed := <-written; failed != nil && !errors.Is(failed, errNotRead) {
		return fmt.Errorf("writing the IR of %s: %w", name, failed)
	}
	return err
}

// errNotRead is what a writer gets whose reader has ended before it.
var errNotRead = errors.New("the assembler has ended")

// Verify runs LLVM's verifier over IR text; nil means that it is well formed.
func (t *Toolchain) Verify(ctx context.Context, name string, text []byte) error {
	_, err := t.do(ctx, call{tool: t.Opt, input: name, text: text, args: []string{"-passes=verify", "-disable-output", "-"}, sealed: true})
	return err
}

// Optimize runs a pass pipeline (opt's -passes syntax) over IR text. The text is
// verified, what the passes make of it is not: they are LLVM's own. Flags are
// further ones of opt's.
func (t *Toolchain) Optimize(ctx context.Context, name string, text []byte, passes string, flags ...string) ([]byte, error) {
	args := append([]string{"-S", "-disable-verify", "-passes=verify," + passes, "-o", "-", "-"}, flags...)
	return t.do(ctx, call{tool: t.Opt, input: name, text: text, args: args, sealed: true})
}
