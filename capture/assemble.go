package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/command"
	"github.com/winnow-mutants/winnow/capture/graph"
	"github.com/winnow-mutants/winnow/capture/note"
)

// assemble turns the log into units and products.
func (s *session) assemble() error {
	folders := []string{s.capture.Path(sourceDir)} // also where a folder below is built, which may write beside it
	if s.chosen.system.outOfTree {
		folders = append(folders, s.into)
	}
	now := note.Scan(folders...)
	var steps []graph.Source
	for _, step := range s.steps {
		steps = append(steps, graph.Source{Step: step.step, Entries: s.entries(step.step)})
	}
	g := graph.Build(steps, now)
	c := s.capture
	ids := map[*graph.Unit]string{}
	for _, u := range g.Units {
		id := c.relative(u.Source)
		if u.Variant > 1 {
			id = fmt.Sprintf("%s#%d", id, u.Variant)
		}
		ids[u] = id
		unit := Unit{ID: id, Source: c.relative(u.Source), Language: u.Language, Dir: c.relative(u.Dir), Flags: c.mark(u.Flags),
			Dropped: c.mark(u.Dropped), Refused: c.mark(u.Refused), Env: c.mark(u.Env)}
		unit.Origin = s.origin(&unit)
		c.Units = append(c.Units, unit)
	}
	for _, p := range g.Products {
		s.withoutSanitizers(p)
		out := Product{Path: c.relative(p.Path), Kind: string(p.Kind), Dir: c.relative(p.Dir), Link: c.mark(s.kit.Runnable(p.Link)), Step: p.Step, Gone: p.Gone || strings.Contains(p.Path, ofCMakes)}
		for _, copy := range p.Copies {
			out.Copies = append(out.Copies, c.relative(copy))
		}
		if p.Twin != nil {
			out.Twin = c.relative(p.Twin.Path)
		}
		for _, in := range p.Inputs {
			out.Inputs = append(out.Inputs, s.input(in, ids))
		}
		c.Products = append(c.Products, out)
	}
	if s.chosen.system.Name == database.Name {
		s.assume()
	}
	return nil
}

// ofCMakes is in the paths of what CMake builds to try a compiler and does not remove (CheckIPOSupported).
const ofCMakes = "/CMakeFiles/"

// withoutSanitizers takes sanitizers from the command that linked a product, as the build did
// without them (note/helper/tool.c), and says so once.
func (s *session) withoutSanitizers(p *graph.Product) {
	for _, word := range p.Link {
		if isSanitizer(word) && !s.sanitized {
			s.sanitized = true
			s.note("The build asks for sanitizers (%s): they are left out, for what they see is no difference in what the program does.", word)
		}
	}
	p.Link = slices.DeleteFunc(slices.Clone(p.Link), isSanitizer)
}

func isSanitizer(word string) bool {
	return strings.HasPrefix(word, "-fsanitize=") && !strings.Contains(word, "fuzzer")
}

func (s *session) input(in graph.Input, ids map[*graph.Unit]string) Input {
	switch {
	case in.Unit != nil:
		out := Input{Unit: ids[in.Unit], Position: in.Position, Operand: s.capture.mark([]string{in.Operand})[0]}
		if in.Object != "" {
			out.Object = s.capture.relative(in.Object)
		}
		return out
	case in.Product != nil:
		return Input{Product: s.capture.relative(in.Product.Path)}
	}
	return Input{Library: in.Library, File: s.capture.relative(in.File)}
}

// entriesSoFar are all notes of this attempt.
func (s *session) entriesSoFar() []note.Entry {
	entries, _, err := s.kit.Read(0)
	if err != nil {
		return nil
	}
	return entries
}

// programs returns the paths of the programs that entries link.
func programs(entries []note.Entry) []string {
	var out []string
	for _, e := range entries {
		if e.Kind != note.Compiler || e.Status != 0 {
			continue
		}
		if c := command.Parse(e.Argv); c.Stage == command.Link && !c.Shared && !c.Partial && c.Output != "" {
			if path := inFolder(e.Dir, c.Output); !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out
}
