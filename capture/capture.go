package capture

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Version is that of the serialised form. A reader refuses others.
const Version = 1

// Folders below the work folder.
const (
	sourceDir = "source" // the copy of the project
	buildDir  = "build"  // where systems build that do so out of tree
	kitDir    = "kit"    // the stand-ins
	homeDir   = "home"   // HOME and TMPDIR of the build
	trialDir  = "trial"  // what tests printed
	outputLog = "output.log"
)

// work stands in commands and flags for the work folder.
const workMark = "{work}"

// Capture is what the build of a project did. Its paths are relative to the work
// folder, with slashes, where they lie below it ("source/lib/a.c",
// "build/config.h"), and absolute elsewhere; in command lines, flags and variables
// the work folder is written {work}. So two captures of a project are the same
// bytes, wherever they were made.
type Capture struct {
	Version int    `json:"version"`
	System  System `json:"system"`
	// Units are all that the build compiled, in the order of their compiles.
	Units    []Unit    `json:"units"`
	Products []Product `json:"products"`
	Subject  Subject   `json:"subject"`
	Tests    []Test    `json:"tests"`
	// Notes are what the user should know.
	Notes []string `json:"notes,omitempty"`

	// Work is the folder in which the project was built, and Times say how long the
	// steps took. They are not serialised.
	Work  string                   `json:"-"`
	Times map[string]time.Duration `json:"-"`
}

// System is how the project is built.
type System struct {
	Kind   string `json:"kind"`   // a name of Systems
	Folder string `json:"folder"` // where its files are
	Build  string `json:"build"`  // where it builds
	Why    string `json:"why"`
	// Steps are the commands that were run, in order.
	Steps []Step `json:"steps"`
}

// Step is a command of the build.
type Step struct {
	Name string   `json:"name"` // "configure", "build" or "check"
	Dir  string   `json:"dir"`
	Argv []string `json:"argv"`
}

// Unit is a source that was compiled with certain flags.
type Unit struct {
	// ID is the source, with "#2" for the second set of flags, and so on.
	ID       string `json:"id"`
	Source   string `json:"source"`
	Language string `json:"language"`
	Dir      string `json:"dir"`
	// Flags say what the source means (package command); the others were not kept.
	Flags   []string `json:"flags"`
	Dropped []string `json:"dropped,omitempty"`
	Refused []string `json:"refused,omitempty"`
	Env     []string `json:"env,omitempty"`
	// Made says how a source came about that a person did not write, "" of others.
	Made string `json:"made,omitempty"`
}

// Product is an archive, library or program that the build made.
type Product struct {
	Path   string   `json:"path"`
	Copies []string `json:"copies,omitempty"` // files that hold the same
	Kind   string   `json:"kind"`             // "program", "archive" or "shared"
	Inputs []Input  `json:"inputs"`           // in link order
	Dir    string   `json:"dir"`
	Link   []string `json:"link"` // the command that linked or archived it
	Step   string   `json:"step"` // the step that made it
	Gone   bool     `json:"gone,omitempty"`
	// Twin is a product of the same sources that this one stands beside.
	Twin string `json:"twin,omitempty"`
	Role Role   `json:"role"`
	Why  string `json:"why"`
}

// Input is one thing that a product is made of. One of Unit, Product, Library and
// File is set.
type Input struct {
	Unit string `json:"unit,omitempty"`
	// Position are flags on position independence with which the unit was compiled
	// for this product.
	Position []string `json:"position,omitempty"`
	// Operand is how the product's command names the object or source by which the unit
	// came into it.
	Operand string `json:"operand,omitempty"`
	Product string `json:"product,omitempty"`
	Library string `json:"library,omitempty"` // of the system, as after -l
	File    string `json:"file,omitempty"`    // one that the build did not make
}

// Subject is what is proposed to mutate.
type Subject struct {
	// Name is that of the program or library, for people.
	Name string `json:"name"`
	// Products have to be made again from mutated units, the main one first: twins
	// and libraries that it consists of are among them.
	Products []string `json:"products"`
	// Units are those to mutate.
	Units []string `json:"units"`
	Why   string   `json:"why"`
	// LeftOut are units of the products that are not proposed, and why.
	LeftOut []LeftOut `json:"left_out,omitempty"`
}

// LeftOut is a unit that is not proposed.
type LeftOut struct {
	Unit string `json:"unit"`
	Why  string `json:"why"`
}

// Unit returns the unit of an ID, or nil.
func (c *Capture) Unit(id string) *Unit {
	i := slices.IndexFunc(c.Units, func(u Unit) bool { return u.ID == id })
	if i < 0 {
		return nil
	}
	return &c.Units[i]
}

// Product returns the product of a path, which may be that of a copy, or nil.
func (c *Capture) Product(path string) *Product {
	i := slices.IndexFunc(c.Products, func(p Product) bool { return p.Path == path || slices.Contains(p.Copies, path) })
	if i < 0 {
		return nil
	}
	return &c.Products[i]
}

// UnitsOf returns the IDs of the units of a product in link order: its own, those of
// its archives and, if shared, those of the project's shared libraries.
func (c *Capture) UnitsOf(p *Product, shared Linking) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(p *Product)
	walk = func(p *Product) {
		if p == nil || seen[p.Path] {
			return
		}
		seen[p.Path] = true
		for _, in := range p.Inputs {
			if in.Unit != "" && !slices.Contains(out, in.Unit) {
				out = append(out, in.Unit)
			}
			if below := c.Product(in.Product); in.Product != "" && below != nil && (shared == WithShared || below.Kind != "shared") {
				walk(below)
			}
		}
	}
	walk(p)
	return out
}

// Linking says which libraries count as part of a product.
type Linking int

const (
	// Static counts archives.
	Static Linking = iota
	// WithShared counts the project's shared libraries, too.
	WithShared
)

// Path returns the absolute path of one of the capture's paths.
func (c *Capture) Path(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Work, filepath.FromSlash(path))
}

// Expand returns words of the capture (flags, command lines, variables) with the
// work folder in the place of its mark.
func (c *Capture) Expand(words ...string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = strings.ReplaceAll(word, workMark, c.Work)
	}
	return out
}

// InProject returns a path as the project has it, relative to its folder; false for
// what the build made outside of it.
func InProject(path string) (string, bool) {
	return strings.CutPrefix(path, sourceDir+"/")
}

// relative is the reverse of Path.
func (c *Capture) relative(path string) string {
	if path == c.Work {
		return "."
	}
	if below, ok := strings.CutPrefix(path, c.Work+"/"); ok {
		return filepath.ToSlash(below)
	}
	return path
}

// mark is the reverse of Expand.
func (c *Capture) mark(words []string) []string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = strings.ReplaceAll(word, c.Work, workMark)
	}
	return out
}

func (c *Capture) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(c.Notes, note) {
		c.Notes = append(c.Notes, note)
	}
}
