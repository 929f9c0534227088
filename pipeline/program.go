// Package pipeline puts the stages in order: it turns C into mutants, features
// and scores, and programs with tests into recorded histories.
//
// A Program is C under mutation: its units are compiled, mutated and numbered
// through as one program (Load). Rank scores and orders a program's mutants.
// Record runs them against tests and writes the run folder that training
// reads. ImportCodeflaws does that for a whole benchmark. Everything here is
// glue: what a stage does is decided in its own room, and a stage never reaches
// around another.
package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

// Input is one file of a program and how to compile it.
type Input struct {
	Path string
	// Flags are the compiler's, for C sources.
	Flags []string
	// Directory is where the compiler runs; "" is the current one.
	Directory string
}

// Unit is one compiled file.
type Unit struct {
	Input Input
	// Text is the unit's IR as the compiler wrote it; Module is Text parsed and
	// prepared by operator.Generate.
	Text    []byte
	Module  *ir.Module
	Mutants []mutant.Mutant
}

// Program is C under mutation.
type Program struct {
	Name  string
	Units []*Unit
	// Sites is how many sites all units have.
	Sites int
}

// Mutants returns the mutants of all units, in selector order.
func (p *Program) Mutants() []mutant.Mutant {
	var out []mutant.Mutant
	for _, u := range p.Units {
		out = append(out, u.Mutants...)
	}
	return out
}

// Skipped lists the functions that were left alone, as "file: function:
// reason".
func (p *Program) Skipped() []string {
	var out []string
	for _, u := range p.Units {
		for _, s := range u.Module.Skipped {
			out = append(out, fmt.Sprintf("%s: %s: %s", u.Input.Path, s.Function, s.Reason))
		}
	}
	return out
}

// LoadOptions choose how a program is loaded.
type LoadOptions struct {
	// Workers compile units at the same time; 0 means one a CPU.
	Workers int
	// Name is the program's; "" takes it from the first input.
	Name string
}

// Load compiles the inputs and makes their mutants. The result is the same for
// any number of workers.
func Load(ctx context.Context, tools *clang.Toolchain, inputs []Input, opts LoadOptions) (*Program, error) {
	units, err := parallel.Map(ctx, opts.Workers, inputs, func(ctx context.Context, _ int, in Input) (*Unit, error) {
		return compileUnit(ctx, tools, in)
	})
	if err != nil {
		return nil, err
	}
	p := &Program{Name: opts.Name, Units: units}
	if p.Name == "" {
		p.Name = units[0].Module.Name
	}
	next := operator.Options{FirstSelector: 1}
	for _, u := range units {
		next.Source = sourceOf(u)
		r := operator.Generate(u.Module, next)
		u.Mutants = r.Mutants
		next.FirstSelector += int32(len(r.Mutants))
		next.FirstSite += r.Sites
		next.FirstStatement += r.Statements
	}
	p.Sites = next.FirstSite
	makeIDsUnique(units)
	return p, nil
}

// makeIDsUnique tells mutants apart that have one id in two units: files of
// one base name in different folders. The later ones get their unit's number.
func makeIDsUnique(units []*Unit) {
	seen := map[string]bool{}
	for k, u := range units {
		for i := range u.Mutants {
			id := u.Mutants[i].ID
			if seen[id] {
				id = fmt.Sprintf("%s-%d", id, k)
				u.Mutants[i].ID = id
			}
			seen[id] = true
		}
	}
}

// sourceOf reads the C face from the unit's source where that can be parsed;
// otherwise the face is rebuilt from the IR.
func sourceOf(u *Unit) *csource.File {
	if filepath.Ext(u.Input.Path) != ".c" {
		return nil
	}
	file, err := csource.Parse(u.Input.Path, u.Input.Flags)
	if err != nil {
		return nil
	}
	return file
}

func compileUnit(ctx context.Context, tools *clang.Toolchain, in Input) (*Unit, error) {
	text, err := irOf(ctx, tools, in)
	if err != nil {
		return nil, err
	}
	m, err := ir.Parse(in.Path, text)
	if err != nil {
		return nil, err
	}
	return &Unit{Input: in, Text: text, Module: m}, nil
}

func irOf(ctx context.Context, tools *clang.Toolchain, in Input) ([]byte, error) {
	switch filepath.Ext(in.Path) {
	case ".ll":
		text, err := os.ReadFile(in.Path)
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		return text, nil
	case ".bc":
		return tools.Disassemble(ctx, in.Path)
	}
	return tools.In(in.Directory).Compile(ctx, in.Path, in.Flags)
}

// Inputs resolves what the user named: C, .ll and .bc files, and folders with a
// compile_commands.json.
func Inputs(args, flags []string) ([]Input, error) {
	var out []Input
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		if info.IsDir() {
			fromFolder, err := compileCommands(arg, flags)
			if err != nil {
				return nil, err
			}
			out = append(out, fromFolder...)
			continue
		}
		switch filepath.Ext(arg) {
		case ".c", ".ll", ".bc":
			out = append(out, Input{Path: arg, Flags: flags})
		default:
			return nil, exit.Usagef("%s: want a .c, .ll or .bc file, or a folder with compile_commands.json", arg)
		}
	}
	if len(out) == 0 {
		return nil, exit.Usagef("no C file to mutate")
	}
	return out, nil
}

// command is one entry of compile_commands.json (Clang's JSON compilation
// database: either Arguments or Command is set).
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

func compileCommands(folder string, extra []string) ([]Input, error) {
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
	var out []Input
	seen := map[string]bool{}
	for _, c := range commands {
		if filepath.Ext(c.File) != ".c" {
			continue
		}
		in := c.input(folder)
		if seen[in.Path] {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: %s is compiled more than once", path, c.File),
				"keep one entry a file: winnow mutates one configuration at a time")
		}
		seen[in.Path] = true
		in.Flags = append(in.Flags, extra...)
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no entry compiles a C file", path), "")
	}
	return out, nil
}

func (c command) input(folder string) Input {
	dir := c.Directory
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(folder, dir)
	}
	file := c.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	args := c.Arguments
	if len(args) == 0 {
		args = splitCommand(c.Command)
	}
	if len(args) > 0 {
		args = args[1:]
	}
	return Input{Path: file, Directory: dir, Flags: absoluteIncludes(dir, clang.KeepFrontEnd(args))}
}

// absoluteIncludes resolves relative include paths, since the flags are also
// read by a parser that does not run in the compiler's folder.
func absoluteIncludes(dir string, flags []string) []string {
	out := append([]string(nil), flags...)
	for i, f := range out {
		switch {
		case strings.HasPrefix(f, "-I") && len(f) > 2 && !filepath.IsAbs(f[2:]):
			out[i] = "-I" + filepath.Join(dir, f[2:])
		case i > 0 && (out[i-1] == "-I" || out[i-1] == "-isystem" || out[i-1] == "-iquote") && !filepath.IsAbs(f):
			out[i] = filepath.Join(dir, f)
		}
	}
	return out
}

// splitCommand splits a command as a POSIX shell does: blanks separate, quotes
// and backslashes protect.
func splitCommand(s string) []string {
	var out []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if inWord {
				out = append(out, word.String())
				word.Reset()
				inWord = false
			}
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(s):
			i++
			word.WriteByte(s[i])
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		out = append(out, word.String())
	}
	return out
}
