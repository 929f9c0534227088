package graph

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/command"
	"github.com/winnow-mutants/winnow/capture/note"
)

// artifact is a file as the build made it once.
type artifact struct {
	path, hash string
	kind       Kind // "" for an object or assembly
	inputs     []part
	dir, step  string
	link       []string
	at         int64 // when it was finished
	product    *Product
}

// part is what an artifact is made of.
type part struct {
	unit     *Unit
	position []string
	made     *artifact
	library  string
	file     string
	operand  string // as the product's command names it
	object   string // absolute, of a unit that is in an object of several
}

type builder struct {
	step   string
	byPath map[string][]*artifact
	byHash map[string][]*artifact
	order  []*artifact
	units  map[string]*Unit
}

// note takes one entry of the log.
func (b *builder) note(e *note.Entry) {
	if e.Status != 0 || len(e.Argv) == 0 {
		return
	}
	switch e.Kind {
	case note.Compiler:
		b.compiler(e, command.Parse(e.Argv))
	case note.Binutil:
		b.binutil(e)
	}
}

func (b *builder) compiler(e *note.Entry, c *command.Command) {
	switch c.Stage {
	case command.Nothing:
	case command.Link:
		b.link(e, c)
	default:
		for _, in := range c.Inputs {
			if in.Source() {
				b.add(e, &artifact{path: compiled(c, in), inputs: b.compile(e, c, in)})
			}
		}
	}
}

// compiled is where a compiler puts what it makes of a source.
func compiled(c *command.Command, in command.Input) string {
	if c.Output != "" {
		return c.Output
	}
	base := filepath.Base(in.Path)
	extension := ".o"
	if c.Stage == command.Assembly {
		extension = ".s"
	}
	return strings.TrimSuffix(base, filepath.Ext(base)) + extension
}

// compile is what becomes of a source: its unit or, for assembly that a compiler
// has written, what that was made of.
func (b *builder) compile(e *note.Entry, c *command.Command, in command.Input) []part {
	source := absolute(e.Dir, in.Path)
	if in.Language == "assembler" {
		if made := b.latest(b.byPath[source], e.Began); made != nil {
			return made.inputs
		}
	}
	key := source + "\x00" + e.Dir
	for _, flag := range c.Flags {
		if !command.Advisory(flag) {
			key += "\x00" + flag
		}
	}
	u := b.units[key]
	if u == nil {
		u = &Unit{Source: source, Language: in.Language, Dir: e.Dir, Flags: c.Flags, Dropped: c.Dropped, Refused: c.Refused, Env: e.Env}
		b.units[key] = u
	}
	// Which of several compiles comes first is chance where make runs some at once.
	if slices.Compare(c.Flags, u.Flags) < 0 {
		u.Flags, u.Dropped, u.Refused, u.Env = c.Flags, c.Dropped, c.Refused, e.Env
	}
	return []part{{unit: u, position: c.Position}}
}

// ordered returns the units by source, those of one source numbered by folder and
// flags.
func (b *builder) ordered() []*Unit {
	var out []*Unit
	for _, key := range slices.Sorted(maps.Keys(b.units)) {
		u := b.units[key]
		u.Variant = 1
		if n := len(out); n > 0 && out[n-1].Source == u.Source {
			u.Variant = out[n-1].Variant + 1
		}
		out = append(out, u)
	}
	return out
}

func (b *builder) link(e *note.Entry, c *command.Command) {
	a := &artifact{path: cmp.Or(c.Output, "a.out"), kind: Program, link: e.Argv}
	switch {
	case c.Partial:
		a.kind = ""
	case c.Shared:
		a.kind = Shared
	}
	hashes := map[string]string{}
	for _, f := range e.In {
		hashes[f.Path] = f.Hash
	}
	for _, in := range c.Inputs {
		switch {
		case in.Library != "":
			a.inputs = append(a.inputs, b.library(e, c, in.Library))
		case in.Source():
			a.inputs = append(a.inputs, named(b.compile(e, c, in), in.Path)...)
		case hashes[in.Path] != "":
			a.inputs = append(a.inputs, named(b.linked(e, in.Path, hashes[in.Path]), in.Path)...)
		}
	}
	if c.Partial {
		for i := range a.inputs {
			if in := &a.inputs[i]; in.unit != nil && in.object == "" {
				in.object = absolute(e.Dir, in.operand)
			}
		}
	}
	b.add(e, a)
}

// named says how a command names what the parts came from.
func named(parts []part, operand string) []part {
	out := slices.Clone(parts)
	for i := range out {
		out[i].operand = operand
	}
	return out
}

// linked is an object, archive or library that a product is linked with. The parts
// of an object are the product's own.
func (b *builder) linked(e *note.Entry, path, hash string) []part {
	full := absolute(e.Dir, path)
	made := b.find(full, hash, e.Began)
	switch {
	case made == nil:
		return []part{{file: full}}
	case made.kind == "":
		return made.inputs
	}
	return []part{{made: made}}
}

// library finds what -l means: a library of the build, if one is where the linker
// looks for it, or one of the system.
func (b *builder) library(e *note.Entry, c *command.Command, name string) part {
	dirs := c.LibraryDirs
	for _, entry := range e.Env {
		if value, ok := strings.CutPrefix(entry, "LIBRARY_PATH="); ok {
			dirs = slices.Concat(dirs, filepath.SplitList(value))
		}
	}
	files := []string{"lib" + name + ".so", "lib" + name + ".a"}
	if file, exact := strings.CutPrefix(name, ":"); exact {
		files = []string{file}
	} else if slices.Contains(e.Argv, "-static") {
		files = files[1:]
	}
	for _, dir := range dirs {
		for _, file := range files {
			path := absolute(e.Dir, filepath.Join(dir, file))
			if made := b.latest(b.byPath[path], e.Began); made != nil && made.kind != "" {
				return part{made: made}
			}
			if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
				if made := b.latest(b.byPath[real], e.Began); made != nil && made.kind != "" {
					return part{made: made}
				}
			}
		}
	}
	return part{library: name}
}

// binutil takes a call of an archiver, or of strip and its like, which change files
// but not what these are made of.
func (b *builder) binutil(e *note.Entry) {
	a := command.ParseArchive(e.Argv)
	if strings.Contains(e.Argv[0], "ranlib") || strings.Contains(e.Argv[0], "strip") || strings.Contains(e.Argv[0], "objcopy") {
		b.changed(e)
		return
	}
	if a.Path == "" {
		return
	}
	hashes := map[string]string{}
	for _, f := range e.In {
		hashes[f.Path] = f.Hash
	}
	archive := &artifact{path: a.Path, kind: Archive, link: e.Argv}
	if was := b.find(absolute(e.Dir, a.Path), hashes[a.Path], e.Began); hashes[a.Path] != "" && was != nil {
		archive.inputs = slices.Clone(was.inputs)
	}
	gone := func(name string) {
		archive.inputs = slices.DeleteFunc(archive.inputs, func(p part) bool {
			return p.made != nil && filepath.Base(p.made.path) == name || p.file != "" && filepath.Base(p.file) == name
		})
	}
	for _, name := range a.Gone {
		gone(filepath.Base(name))
	}
	for _, path := range a.Members {
		if a.Replaces {
			gone(filepath.Base(path))
		}
		full := absolute(e.Dir, path)
		if made := b.find(full, hashes[path], e.Began); made != nil {
			archive.inputs = append(archive.inputs, part{made: made, operand: path})
		} else if hashes[path] != "" {
			archive.inputs = append(archive.inputs, part{file: full})
		}
	}
	b.add(e, archive)
}

// changed files what strip and its like have written under what it was before.
func (b *builder) changed(e *note.Entry) {
	var was *artifact
	for _, f := range e.In {
		if found := b.find(absolute(e.Dir, f.Path), f.Hash, e.Began); found != nil {
			was = found
			break
		}
	}
	for _, f := range e.Out {
		if was == nil {
			return
		}
		next := *was
		next.path, next.hash, next.at = absolute(e.Dir, f.Path), f.Hash, e.Ended
		b.file(&next)
	}
}

// add completes an artifact from the entry that made it.
func (b *builder) add(e *note.Entry, a *artifact) {
	name := a.path
	a.path, a.dir, a.step, a.at = absolute(e.Dir, name), e.Dir, b.step, e.Ended
	for _, f := range e.Out {
		if absolute(e.Dir, f.Path) == a.path {
			a.hash = f.Hash
		}
	}
	b.file(a)
}

func (b *builder) file(a *artifact) {
	b.byPath[a.path] = append(b.byPath[a.path], a)
	if a.hash != "" {
		b.byHash[a.hash] = append(b.byHash[a.hash], a)
	}
	b.order = append(b.order, a)
}

// find returns the artifact that a file was: by what it held, and among equals by
// where it lay; or, where nothing of that content is known, by its place.
func (b *builder) find(path, hash string, before int64) *artifact {
	same := b.byHash[hash]
	there := slices.DeleteFunc(slices.Clone(same), func(a *artifact) bool { return a.path != path })
	return cmp.Or(b.latest(there, before), b.latest(same, before), b.latest(b.byPath[path], before))
}

func (b *builder) latest(of []*artifact, before int64) *artifact {
	for _, a := range slices.Backward(of) {
		if a.at <= before {
			return a
		}
	}
	return nil
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
