package capture

import (
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/command"
	"github.com/winnow-mutants/winnow/capture/note"
)

const databaseFile = "compile_commands.json"

var database = system{
	Name:      "compile_commands",
	Doc:       "compile_commands.json and nothing that could be run; its compiles are done in the copy",
	marks:     []string{databaseFile},
	configure: nil,
	build:     buildDatabase,
}

// databaseEntry is one of the format's (https://clang.llvm.org/docs/JSONCompilationDatabase.html).
type databaseEntry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// buildDatabase runs each compile with the project's folder replaced by the copy.
func buildDatabase(ctx context.Context, s *session) error {
	text, err := os.ReadFile(filepath.Join(s.source, databaseFile))
	if err != nil {
		return fmt.Errorf("reading the compile commands: %w", err)
	}
	var entries []databaseEntry
	if err := json.Unmarshal(text, &entries); err != nil {
		return fmt.Errorf("reading the compile commands: %w", err)
	}
	here := func(text string) string {
		return strings.ReplaceAll(text, s.project, filepath.Join(s.capture.Work, sourceDir))
	}
	failed := 0
	for _, e := range entries {
		argv := e.Arguments
		if len(argv) == 0 {
			if argv, err = splitWords(e.Command); err != nil {
				return fmt.Errorf("reading the compile commands: %s: %w", e.File, err)
			}
		}
		for i := range argv {
			argv[i] = here(argv[i])
		}
		dir := inFolder(s.source, here(e.Directory))
		if len(argv) == 0 || !strings.HasPrefix(dir, s.capture.Work) {
			s.note("%s is compiled outside of the project, in %s, and left out.", e.File, e.Directory)
			continue
		}
		if argv[0], err = s.kit.Stand(argv[0]); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("making a folder to compile in: %w", err)
		}
		s.record("build", dir, argv)
		done, err := s.run(ctx, job{step: "build", dir: dir, argv: argv})
		if err != nil {
			return err
		}
		if done.status != 0 {
			failed++
			s.note("%s cannot be compiled as compile_commands.json says: %s", e.File, lastLines(s.tail(15), 2))
		}
	}
	return nil
}

// assume makes programs of units that nothing says how to link: one of each object
// that defines main, with all objects that do not.
func (s *session) assume() {
	c := s.capture
	var mains, rest []string
	for _, e := range s.entriesSoFar() {
		if e.Kind != note.Compiler || e.Status != 0 || len(e.Out) != 1 {
			continue
		}
		for _, in := range command.Parse(e.Argv).Inputs {
			i := slices.IndexFunc(c.Units, func(u Unit) bool { return c.Path(u.Source) == inFolder(e.Dir, in.Path) })
			switch {
			case i < 0:
			case definesMain(inFolder(e.Dir, e.Out[0].Path)):
				mains = append(mains, c.Units[i].ID)
			default:
				rest = append(rest, c.Units[i].ID)
			}
		}
	}
	for _, main := range mains {
		name := strings.TrimSuffix(filepath.Base(c.Unit(main).Source), filepath.Ext(c.Unit(main).Source))
		p := Product{Path: buildDir + "/" + name, Kind: "program", Dir: c.Unit(main).Dir, Step: "build"}
		for _, id := range append([]string{main}, rest...) {
			p.Inputs = append(p.Inputs, Input{Unit: id})
		}
		c.Products = append(c.Products, p)
	}
	s.note("compile_commands.json says what is compiled and not what is linked: each main is assumed to be linked with all other objects, and there are no tests.")
}

// definesMain says whether an object defines main.
func definesMain(object string) bool {
	f, err := elf.Open(object)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.Symbols()
	return err == nil && slices.ContainsFunc(symbols, func(sym elf.Symbol) bool { return sym.Name == "main" && sym.Section != elf.SHN_UNDEF })
}
