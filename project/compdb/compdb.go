// Package compdb reads how a build compiles: compile_commands.json, and the words and
// flags of the commands in it.
//
// A database may say several ways to compile one file; the caller chooses one, since
// winnow mutates one configuration at a time (Read). Commands are split as a shell
// splits them and run by none (Words). Paths become absolute, because the flags are
// read by clang and by a parser of C that do not run in one folder (AbsoluteFlags).
package compdb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
)

// command is one entry of compile_commands.json (Clang's JSON compilation
// database: either Arguments or Command is set).
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Output    string   `json:"output"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// entry is a command read.
type entry struct {
	input  program.Input
	output string
}

// Read reads the C files of a compilation database, in the order of
// its first entries for each. Paths of the result are absolute: they are read
// from several folders.
func Read(folder string, extra, choices []string) ([]program.Input, error) {
	path := filepath.Join(folder, "compile_commands.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit.New(exit.Input, err, "write one with `bear -- make`, with CMake's -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or with Meson")
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var commands []command
	if err := json.Unmarshal(text, &commands); err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "write the file anew; it may be truncated")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return nil, fmt.Errorf("resolving the current folder: %w", err)
	}
	var files []string
	entries := map[string][]entry{}
	for _, c := range commands {
		if filepath.Ext(c.File) != ".c" {
			continue
		}
		e, err := c.read(paths.Absolute(here, folder))
		if err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: %s: %w", path, c.File, err), hintOf(err))
		}
		file := e.input.Path
		if entries[file] == nil {
			files = append(files, file)
		}
		if !slices.ContainsFunc(entries[file], e.same) {
			entries[file] = append(entries[file], e)
		}
	}
	if len(files) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no entry compiles a C file", path), "")
	}
	extra = AbsoluteFlags(here, extra)
	var out []program.Input
	for _, file := range files {
		in, err := chooseEntry(file, entries[file], choices)
		if err != nil {
			return nil, err
		}
		in.Flags = append(in.Flags, extra...)
		out = append(out, in)
	}
	return out, nil
}

// same reports an entry that compiles the file in the same way.
func (e entry) same(other entry) bool {
	return e.input.Directory == other.input.Directory && slices.Equal(e.input.Flags, other.input.Flags)
}

// ErrSeveralWays is a file that is compiled in several ways, none of which was chosen.
var ErrSeveralWays = errors.New("a file is compiled in several ways")

// chooseEntry returns the one way in which a file is compiled. Where there are
// several, a choice "FILE=N", with N from 1, or "FILE=OUTPUT" says which; FILE
// is as much of the end of the path as the user likes.
func chooseEntry(file string, entries []entry, choices []string) (program.Input, error) {
	for _, choice := range choices {
		name, want, ok := strings.Cut(choice, "=")
		if !ok || name == "" || want == "" {
			return program.Input{}, exit.Usagef("entry %s: want FILE=N or FILE=OUTPUT", choice)
		}
		if !strings.HasSuffix("/"+filepath.ToSlash(file), "/"+strings.TrimPrefix(filepath.ToSlash(name), "/")) {
			continue
		}
		if n, err := strconv.Atoi(want); err == nil && n >= 1 && n <= len(entries) {
			return entries[n-1].input, nil
		}
		for _, e := range entries {
			if e.output != "" && (e.output == want || strings.HasSuffix(filepath.ToSlash(e.output), "/"+want)) {
				return e.input, nil
			}
		}
		return program.Input{}, exit.New(exit.Input, fmt.Errorf("entry %s: no such entry of %s:%s", choice, file, listing(entries)), "choose one of these by its number or output")
	}
	if len(entries) > 1 {
		return program.Input{}, exit.Mark(exit.Input, ErrSeveralWays, fmt.Errorf("%s is compiled in %d ways:%s", file, len(entries), listing(entries)))
	}
	return entries[0].input, nil
}

// listing shows entries, one a line, by what makes them differ.
func listing(entries []entry) string {
	var out strings.Builder
	for i, e := range entries {
		fmt.Fprintf(&out, "\n  %d:", i+1)
		if e.output != "" {
			fmt.Fprintf(&out, " %s:", e.output)
		}
		fmt.Fprintf(&out, " %s", strings.Join(e.input.Flags, " "))
	}
	return out.String()
}

// responseFile is the error for a command whose flags are in a file.
type responseFile string

func (r responseFile) Error() string {
	return "the command reads flags from a response file, " + string(r)
}

func hintOf(err error) string {
	var response responseFile
	if errors.As(err, &response) {
		return "write the flags into the command itself: with CMake's Ninja generator, -DCMAKE_NINJA_FORCE_RESPONSE_FILE=OFF"
	}
	return "write the file anew"
}

// read resolves the command of a database that lies in a folder.
func (c command) read(folder string) (entry, error) {
	dir := paths.Absolute(folder, c.Directory)
	args := c.Arguments
	if len(args) == 0 {
		var err error
		if args, err = Words(c.Command); err != nil {
			return entry{}, err
		}
	}
	if len(args) > 0 {
		args = args[1:]
	}
	output := c.Output
	for i, arg := range args {
		if strings.HasPrefix(arg, "@") {
			return entry{}, responseFile(arg)
		}
		if arg == "-o" && i+1 < len(args) && output == "" {
			output = args[i+1]
		}
	}
	in := program.Input{Path: paths.Absolute(dir, c.File), Directory: dir, Flags: AbsoluteFlags(dir, clang.KeepFrontEnd(args))}
	return entry{in, output}, nil
}
