package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project/compdb"
)

// Inputs resolves what the user named: C, .ll and .bc files, and folders with a
// compile_commands.json or, without one, a project file. Flags are for all C
// files. Entries choose among several ways in which a folder compiles one file (compdb.Read).
func Inputs(args, flags []string, entries ...string) ([]program.Input, error) {
	var out []program.Input
	named := map[string]bool{}
	for _, arg := range args {
		inputs, err := inputsOf(arg, flags, entries)
		if err != nil {
			return nil, err
		}
		for _, in := range inputs {
			path, err := filepath.Abs(in.Path)
			if err != nil {
				return nil, fmt.Errorf("resolving %s: %w", in.Path, err)
			}
			if named[path] {
				return nil, exit.Usagef("%s is named more than once", in.Path)
			}
			named[path] = true
		}
		out = append(out, inputs...)
	}
	if len(out) == 0 {
		return nil, exit.Usagef("no C file to mutate")
	}
	return out, nil
}

func inputsOf(arg string, flags, entries []string) ([]program.Input, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	if info.IsDir() {
		if !paths.Exist(filepath.Join(arg, "compile_commands.json")) && paths.Exist(filepath.Join(arg, File)) {
			project, err := Open(arg)
			if err != nil {
				return nil, err
			}
			return project.Inputs(nil), nil
		}
		inputs, err := compdb.Read(arg, flags, entries)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, exit.Mark(exit.Input, ErrNoProject, fmt.Errorf("%s has neither %s nor compile_commands.json", arg, File))
		}
		return inputs, err
	}
	switch filepath.Ext(arg) {
	case ".c", ".ll", ".bc":
		return []program.Input{{Path: arg, Flags: flags}}, nil
	}
	return nil, exit.Usagef("%s: want a .c, .ll or .bc file, or a folder with compile_commands.json", arg)
}
