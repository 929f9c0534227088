package discover

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/project"
)

// Text is the project file that says what was guessed.
func (g *Guess) Text() []byte {
	p := &g.Project
	w := &tomlWriter{why: g.Why}
	w.line("# Written by winnow init from what it found in this folder: every line is a guess,")
	w.line("# so read it through. docs/usage.md (winnow.toml) explains the keys.")
	for _, note := range g.Notes {
		w.line("#")
		w.line("# " + strings.ReplaceAll(note, "\n", "\n# "))
	}
	w.line("")
	w.line("program = " + quote(p.Program))
	w.list("sources", p.Sources)
	w.list("harness", p.Harness)
	w.list("flags", p.Flags)
	w.line("\n[tests]")
	if p.Tests.Dir != "" {
		w.comment("dir")
		w.line("dir = " + quote(p.Tests.Dir))
	}
	if p.Tests.Compare != "" {
		w.comment("compare")
		w.line("compare = " + quote(p.Tests.Compare))
	}
	if p.Tests.Writable {
		w.comment("writable")
		w.line("writable = true")
	}
	if len(p.Tests.Commands) > 0 {
		w.line("")
		w.comment("command")
	}
	for _, c := range p.Tests.Commands {
		w.command(c)
	}
	return []byte(w.String())
}

// tomlWriter writes TOML with comments, which the encoder has no words for.
type tomlWriter struct {
	strings.Builder
	why map[string]string
}

func (w *tomlWriter) line(text string) { fmt.Fprintln(w, text) }

func (w *tomlWriter) comment(key string) {
	if why := w.why[key]; why != "" {
		w.line("# " + why)
	}
}

func (w *tomlWriter) list(key string, items []string) {
	if len(items) == 0 {
		return
	}
	w.line("")
	w.comment(key)
	if len(items) < 4 {
		w.line(key + " = [" + strings.Join(quoteAll(items), ", ") + "]")
		return
	}
	w.line(key + " = [")
	for _, item := range items {
		w.line("  " + quote(item) + ",")
	}
	w.line("]")
}

func (w *tomlWriter) command(c project.Command) {
	w.line("[[tests.command]]")
	w.line("name = " + quote(c.Name))
	for _, list := range []struct {
		key   string
		items []string
	}{{"args", c.Args}, {"files", c.Files}, {"outputs", c.Outputs}} {
		if len(list.items) > 0 {
			w.line(list.key + " = [" + strings.Join(quoteAll(list.items), ", ") + "]")
		}
	}
	if c.Input != "" {
		w.line("input = " + quote(c.Input))
	}
	if c.Expect != "" {
		w.line("expect = " + quote(c.Expect))
	}
	if c.Status != nil {
		w.line("status = " + strconv.Itoa(*c.Status))
	}
	if c.Fails {
		w.line("fails = true")
	}
	w.line("")
}

// quote writes a basic string of TOML: quotation marks, backslashes and control
// characters are escaped.
func quote(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteString("\\" + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&out, "\\u%04X", r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func quoteAll(items []string) []string {
	var out []string
	for _, item := range items {
		out = append(out, quote(item))
	}
	return out
}
