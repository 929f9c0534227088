package capture

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/command"
	"github.com/winnow-mutants/winnow/capture/graph"
	"github.com/winnow-mutants/winnow/capture/note"
)

// assemble turns the log into units and products.
func (s *session) assemble() error {
	folders := []string{s.source}
	if s.into != s.source {
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
		unit.Made = s.made(&unit)
		c.Units = append(c.Units, unit)
	}
	for _, p := range g.Products {
		out := Product{Path: c.relative(p.Path), Kind: string(p.Kind), Dir: c.relative(p.Dir), Link: c.mark(p.Link), Step: p.Step, Gone: p.Gone}
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

func (s *session) input(in graph.Input, ids map[*graph.Unit]string) Input {
	switch {
	case in.Unit != nil:
		return Input{Unit: ids[in.Unit], Position: in.Position, Operand: s.capture.mark([]string{in.Operand})[0]}
	case in.Product != nil:
		return Input{Product: s.capture.relative(in.Product.Path)}
	}
	return Input{Library: in.Library, File: s.capture.relative(in.File)}
}

var (
	// byTool is how generators sign the first lines of what they write.
	byTool = regexp.MustCompile(`(?i)\b(?:made|generated|produced|created|output)\b[^\n]{0,20}?\b(?:by|from|using|with)\b[^\n]{0,20}?\b(bison|flex|lex|yacc|byacc|re2c|gperf|lemon|ragel|swig|protoc|antlr|vala|cython)\b`)
	yacc   = regexp.MustCompile(`(?m)^#define YYBYACC\b|^\s*static (?:const )?char yysccsid\[\]`)
	// edit is a warning that generators leave for people.
	edit = regexp.MustCompile(`(?i)\b(?:do not edit|auto(?:matically)?[ -]?generated)\b`)
)

// made says how a source came about that nobody wrote: the build made it or changed
// it, or a generator has signed it.
func (s *session) made(u *Unit) string {
	copied := s.capture.Path(u.Source)
	text, err := os.ReadFile(copied)
	if err != nil {
		return "" // made and removed again; nothing can be said
	}
	head := text[:min(len(text), 600)]
	by := ""
	switch m := byTool.FindSubmatch(head); {
	case m != nil:
		by = " by " + strings.ToLower(string(m[1]))
	case yacc.Match(text[:min(len(text), 4000)]):
		by = " by yacc"
	}
	below, inside := InProject(u.Source)
	if original, err := os.ReadFile(filepath.Join(s.project, below)); !inside || err != nil {
		return "made by the build" + strings.TrimPrefix(by, " by the build")
	} else if !bytes.Equal(original, text) {
		return "made again by the build" + by
	}
	switch {
	case by != "":
		return "generated" + by
	case edit.Match(head):
		return "generated: its first lines say so"
	}
	return ""
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
