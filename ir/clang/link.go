package clang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/internal/toolcache"
)

// Object compiles one .ll, .bc or .c file to an object file, with -O1 unless the flags say
// otherwise.
func (t *Toolchain) Object(ctx context.Context, out, input string, flags []string) error {
	return t.drive(ctx, out, []string{input}, append([]string{"-c"}, flags...))
}

// Link builds an executable or a shared library from .ll, .bc, .c and .o files. Flags come last,
// so that libraries (-lm) follow what uses them. C and IR inputs are compiled with
// -O1 unless the flags say otherwise.
//
// That is what clang does when it is given all of them. But as a driver it starts itself anew for
// each input, one after the other: here they are compiled side by side, each by a clang that
// does it itself, and the linker is started as clang would. Where any of it fails clang is given
// all of them, and what it says of it is the error.
func (t *Toolchain) Link(ctx context.Context, out string, inputs, flags []string) error {
	if t.linkApart(ctx, out, inputs, flags) != nil {
		if err := t.drive(ctx, out, inputs, flags); err != nil {
			return err
		}
		t.keptLinker(flags).Remove() // it may be of a linker or of libraries that were here before
	}
	return Whole(out)
}

// drive has clang make out of the inputs, in as many steps as it takes.
func (t *Toolchain) drive(ctx context.Context, out string, inputs, flags []string) error {
	args := append([]string{"-O1", "-w", "-o", out}, inputs...)
	args = append(args, t.sanitized(flags)...)
	_, err := t.do(ctx, call{tool: t.Clang, input: strings.Join(inputs, " "), out: out, args: args, from: inputs, sealed: t.sealed(inputs, flags)})
	return err
}

// sealed says whether what is compiled of inputs depends on these and on the flags' words alone: on
// no header, no library, not on which processor this is, and on no file that a flag names.
func (t *Toolchain) sealed(inputs, flags []string) bool {
	isIR := func(input string) bool { return filepath.Ext(input) == ".ll" || filepath.Ext(input) == ".bc" }
	leadsOn := func(flag string) bool {
		_, value, _ := strings.Cut(flag, "=")
		_, err := os.Stat(filepath.Join(t.dir, value))
		return strings.Contains(flag, "native") || value != "" && (filepath.IsAbs(value) || err == nil)
	}
	return slices.Contains(flags, "-c") && !slices.ContainsFunc(inputs, func(input string) bool { return !isIR(input) }) && !slices.ContainsFunc(flags, leadsOn)
}

// sanitized are the flags of a compilation to machine code, or of a link.
func (t *Toolchain) sanitized(flags []string) []string {
	if t.sanitizing {
		return append(slices.Clone(flags), sanitizeLink...)
	}
	return flags
}

// linkApart compiles what is no object yet, and starts the linker.
func (t *Toolchain) linkApart(ctx context.Context, out string, inputs, flags []string) error {
	temporary, err := scratch.New("link")
	if err != nil {
		return err
	}
	defer temporary.Remove()
	objects, err := parallel.Map(ctx, 0, inputs, func(ctx context.Context, k int, input string) (string, error) {
		if filepath.Ext(input) == ".o" {
			return input, nil
		}
		object := filepath.Join(temporary.Path, fmt.Sprintf("%d.o", k))
		return object, t.Object(ctx, object, input, flags)
	})
	if err != nil {
		return err
	}
	command, err := t.linker(ctx, flags)
	if err != nil {
		return err
	}
	var args []string
	for _, arg := range command[1:] {
		switch arg {
		case standInOutput:
			args = append(args, out)
		case standInObjects:
			args = append(args, objects...)
		default:
			args = append(args, arg)
		}
	}
	_, err = t.do(ctx, call{tool: command[0], input: strings.Join(inputs, " "), out: out, args: args})
	return err
}

// standInOutput and standInObjects stand where the files of a link stand, in the question and in
// clang's answer: an object that is not there clang would not take.
const standInOutput, standInObjects = "winnow-output", "-lwinnow-objects"

// linker is the linker that clang starts for the flags, with its arguments. They are kept for the
// next link.
func (t *Toolchain) linker(ctx context.Context, flags []string) ([]string, error) {
	kept := t.keptLinker(flags)
	if before, ok := kept.Read(); ok {
		if command, err := readLinker(string(before)); err == nil {
			return command, nil
		}
	}
	_, said, err := t.run(ctx, call{tool: t.Clang, input: "no file", args: t.linkerArgs(flags)})
	if err != nil {
		return nil, err
	}
	command, err := readLinker(string(said))
	if err == nil {
		kept.Write(said)
	}
	return command, err
}

func (t *Toolchain) linkerArgs(flags []string) []string {
	return append([]string{"-###", "-w", "-o", standInOutput, standInObjects}, t.sanitized(flags)...)
}

// keptLinker is where the command is kept.
func (t *Toolchain) keptLinker(flags []string) *toolcache.Entry {
	// The linker is found on PATH, and libraries below the folder in which clang runs.
	return toolcache.Of("linker", []string{t.Clang}, append(t.linkerArgs(flags), t.dir, os.Getenv("PATH"))...)
}

// word is an argument as clang prints it: within quotes, with a backslash before what would end it.
var word = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)

var errNoLinker = errors.New("clang does not say how it links")

// readLinker reads the one command that clang says it would start, which has the stand-ins.
func readLinker(said string) ([]string, error) {
	var commands [][]string
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, ` "`) {
			continue
		}
		var command []string
		for _, quoted := range word.FindAllStringSubmatch(line, -1) {
			command = append(command, escaped.ReplaceAllString(quoted[1], "$1"))
		}
		commands = append(commands, command)
	}
	if len(commands) != 1 || !slices.Contains(commands[0], standInOutput) || !slices.Contains(commands[0], standInObjects) {
		return nil, errNoLinker
	}
	return commands[0], nil
}

var escaped = regexp.MustCompile(`\\(.)`)
