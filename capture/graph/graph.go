// Package graph makes of a build's log what the build was: which units were
// compiled with which flags, and which of them make up which archive, library and
// program, in the order of linking.
//
// A file is known by what it holds. A compile is noted with a hash of the object
// that it left, a link with hashes of the objects that it read, and the two are
// brought together by hash, whatever moves, copies and names lie between: libtool
// moves .libs/x.o to x.o, a script compiles twice to t.o, make renames prog.tmp.
// Only where a hash is unknown (a tool that is not noted has changed the file) the
// path decides, with what was written there last.
//
// A source that is compiled twice with flags that differ in position independence
// or in warnings alone is one Unit: libtool's two objects of a source, a library
// built as .a and as .so. Two libraries of the same sources are twins: what
// replaces one has to replace the other.
//
// The units of an archive count for every program that is linked with it, although
// a linker takes only the members that it needs.
package graph

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// Unit is a source that was compiled with certain flags.
type Unit struct {
	Source   string // absolute
	Language string // as command.Input has it
	Dir      string // where the compiler ran
	// Flags are those that say what the source means; Dropped and Refused are as in
	// command.Command.
	Flags, Dropped, Refused []string
	// Env are variables that the compiler heeds.
	Env []string
	// Variant counts the units of one source, from 1.
	Variant int
}

// Kind is what a product is.
type Kind string

const (
	Program Kind = "program"
	Archive Kind = "archive"
	Shared  Kind = "shared"
)

// Input is one thing that a product is made of: a unit, a product, a library of the
// system, or a file that the build did not make.
type Input struct {
	Unit *Unit
	// Position are flags of this compile of the unit that others may not have.
	Position []string
	// Operand is the object or source, as the product's command names it, by which the
	// unit came into the product.
	Operand string
	// Object is the unit's own object, absolute, where Operand is one that was linked from several.
	Object  string
	Product *Product
	Library string
	File    string
}

// Product is an archive, library or program.
type Product struct {
	Path   string // absolute
	Copies []string
	Kind   Kind
	Inputs []Input
	// Dir and Link are where and how it was linked or archived.
	Dir  string
	Link []string
	// Step is the step of the build that made it, as Source.Step.
	Step string
	// Gone says that the build has removed it again.
	Gone bool
	// Twin is another product of the same sources, which this one stands beside.
	Twin *Product
}

// Graph is a build. Units are in the order of their sources. Products are in that of
// their paths, but for those that others are made of, which come before these: the
// order in which they were made is chance where make runs some commands at once.
type Graph struct {
	Units    []*Unit
	Products []*Product
}

// Source is the log of a step of the build.
type Source struct {
	Step    string
	Entries []note.Entry
}

// Build reads the logs of a build's steps, in their order. now has the hashes of the
// files that there are at the end (note.Scan).
func Build(steps []Source, now map[string]string) *Graph {
	b := &builder{byPath: map[string][]*artifact{}, byHash: map[string][]*artifact{}, units: map[string]*Unit{}}
	for _, step := range steps {
		b.step = step.Step
		for i := range step.Entries {
			b.note(&step.Entries[i])
		}
	}
	g := &Graph{Units: b.ordered(), Products: b.products(now)}
	g.pair()
	return g
}

// UnitsOf returns the units of a product, in link order, each once: its own, those
// of its archives, and, where asked for, those of shared libraries of the project.
func (g *Graph) UnitsOf(p *Product, shared bool) []*Unit {
	var out []*Unit
	seen := map[*Unit]bool{}
	visited := map[*Product]bool{}
	var walk func(p *Product)
	walk = func(p *Product) {
		if visited[p] {
			return
		}
		visited[p] = true
		for _, in := range p.Inputs {
			switch {
			case in.Unit != nil && !seen[in.Unit]:
				seen[in.Unit] = true
				out = append(out, in.Unit)
			case in.Product != nil && (shared || in.Product.Kind != Shared):
				walk(in.Product)
			}
		}
	}
	walk(p)
	return out
}

// sources are the sources of a product, sorted, as one text.
func (g *Graph) sources(p *Product) string {
	var out []string
	for _, u := range g.UnitsOf(p, false) {
		out = append(out, u.Source)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "\n")
}

// pair finds twins: libraries of the same sources; programs that one command has
// linked, one of them stripped since; and programs that libtool links twice, under
// names that differ in "lt-".
func (g *Graph) pair() {
	first := map[string]*Product{}
	for _, p := range g.Products {
		sources := g.sources(p)
		if p.Gone || sources == "" {
			continue
		}
		keys := []string{sources}
		if p.Kind == Program {
			place := filepath.Join(filepath.Dir(p.Path), strings.TrimPrefix(filepath.Base(p.Path), "lt-"))
			keys = []string{sources + "\n" + place, sources + "\n" + p.Dir + "\n" + strings.Join(p.Link, " ")}
		}
		for _, key := range keys {
			if first[key] == nil {
				first[key] = p
			}
			if p.Twin == nil && first[key] != p {
				p.Twin = first[key]
			}
		}
	}
}
