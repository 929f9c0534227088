package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project/compdb"
)

// File is the file in which a project tells winnow how to build and test
// it.
const File = "winnow.toml"

// Project is a program with tests and, for learning, known faulty versions.
type Project struct {
	// Program names the program in reports and histories.
	Program string `toml:"program"`
	// Model ranks the project's mutants where a command names none: a released one's name,
	// or paths relative to the project's folder. Empty leaves the choice to the command.
	Model string `toml:"model"`
	// Sources are its C files, relative to the project's folder.
	Sources []string `toml:"sources"`
	// Harness are C files that test the sources, the main function among them:
	// they belong to the program, and are not mutated.
	Harness []string `toml:"harness"`
	// Flags are for the compiler and the linker; paths in them are relative to
	// the project's folder.
	Flags []string `toml:"flags"`
	// Build, in the place of sources and tests, says that the project's own build and
	// tests are used.
	Build  *Build  `toml:"build"`
	Tests  Tests   `toml:"tests"`
	Faults []Fault `toml:"faults"`

	// Folder is where the project file lies.
	Folder string `toml:"-"`
}

// Fault is a faulty version of the program: one source is replaced.
type Fault struct {
	Name string `toml:"name"`
	// Source is the faulty file. It takes the place of the project's only
	// source, or of the one named by Replaces.
	Source      string `toml:"source"`
	Replaces    string `toml:"replaces"`
	Description string `toml:"description"`
	// Tests are those that belong to this fault alone, beside the project's, which say how
	// all are run.
	Tests Tests `toml:"tests"`
}

// ErrNoProject is a folder that does not say what there is to test, or to mutate.
var ErrNoProject = errors.New("the folder has no project file")

// Open reads the project file of a folder.
func Open(folder string) (*Project, error) {
	path := filepath.Join(folder, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit.Mark(exit.Input, ErrNoProject, err)
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	return parse(folder, text)
}

func parse(folder string, text []byte) (*Project, error) {
	path := filepath.Join(folder, File)
	p := &Project{Folder: folder}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(p); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			err = UnknownKeys(strict, p)
		}
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "")
	}
	if err := p.check(); err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", path, err), "")
	}
	return p, nil
}

func (p *Project) check() error {
	if p.Build != nil {
		return p.checkBuild()
	}
	if p.Program == "" || len(p.Sources) == 0 {
		return errors.New("program and sources must be given")
	}
	if err := p.checkTests(); err != nil {
		return err
	}
	for _, harness := range p.Harness {
		if slices.Contains(p.Sources, harness) {
			return fmt.Errorf("%s is among the sources, which are mutated, and among the harness, which is not", harness)
		}
	}
	if !FolderName(p.Program) {
		return fmt.Errorf("program %q: the name is also a folder's: want letters, digits, - and _", p.Program)
	}
	seen := map[string]bool{}
	for _, f := range p.Faults {
		if f.Name == "" || f.Source == "" || seen[f.Name] {
			return fmt.Errorf("fault %q: every fault needs a name of its own and a source", f.Name)
		}
		seen[f.Name] = true
		switch {
		case !FolderName(f.Name):
			return fmt.Errorf("fault %q: the name is also a folder's: want letters, digits, - and _", f.Name)
		case f.Replaces == "" && len(p.Sources) > 1:
			return fmt.Errorf("fault %q: say which source it replaces", f.Name)
		case f.Replaces != "" && !slices.Contains(p.Sources, f.Replaces):
			return fmt.Errorf("fault %q replaces %q, which is not among the sources", f.Name, f.Replaces)
		}
	}
	return nil
}

// ProgramName makes a name for a program, which run folders can have.
func ProgramName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
	if name = strings.TrimLeft(name, ".-"); name == "" {
		return "program"
	}
	return name
}

// FolderName reports whether a run folder can have the name.
func FolderName(name string) bool {
	return !strings.HasPrefix(name, ".") && !strings.ContainsFunc(name, func(r rune) bool {
		return r == '/' || r == '\\' || unicode.IsControl(r)
	})
}

// Inputs are the project's sources, those of its faulty version f if that is
// not nil, and its harness.
func (p *Project) Inputs(f *Fault) []program.Input {
	var out []program.Input
	flags := p.Flags
	if folder, err := filepath.Abs(p.Folder); err == nil {
		flags = compdb.AbsoluteFlags(folder, flags)
	}
	for _, source := range p.Sources {
		if f != nil && (f.Replaces == source || f.Replaces == "") {
			source = f.Source
		}
		out = append(out, program.Input{Path: filepath.Join(p.Folder, source), Flags: flags})
	}
	for _, harness := range p.Harness {
		out = append(out, program.Input{Path: filepath.Join(p.Folder, harness), Flags: flags, Harness: true})
	}
	return out
}
