// Package program is C under mutation: sources go in, and one program comes out
// whose mutants are made, numbered and built in.
//
// Load compiles an Input each to a Unit, makes the mutants of all units, numbers
// them through as those of one program, and leaves out those that package equiv
// finds to be equal to the original or to one another. From there a Program goes
// three ways: Features says what is known of its mutants, package build makes the
// executables that hold them, and package export writes it all to a folder for
// other tools. Nothing here runs a program or knows of tests.
package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/ub"
)

// Unit is one compiled file.
type Unit struct {
	Input Input
	// Module is the unit's IR, prepared by operator.Generate.
	Module *ir.Module
	// Source is the syntax tree of a C source; nil for IR, and where NoSource
	// says why it could not be read.
	Source   *csource.File
	NoSource error
	// Mutants are those to work with: Removed ones are not among them.
	Mutants []mutant.Mutant
}

// Program is C under mutation.
type Program struct {
	Name  string
	Units []*Unit
	// Sites is how many sites all units have.
	Sites int
	// Generated is how many mutants were made. OutOfScope of them were not asked
	// for, Suppressed ones the source asks not to make, and Removed ones are
	// worth no run: what every stage works with is the rest.
	Generated  int
	OutOfScope int
	Suppressed []Suppressed
	Removed    []Removed
	// Undefined says, by the mutant's id, what C may leave undefined in what one of the
	// units' mutants does (ub.Potential).
	Undefined map[string]ub.Verdict
	// Open are the last verdicts on the mutants that stay, by id; none unless
	// Mutation.Further was asked.
	Open map[string]equiv.Verdict
	// Phases are what Load did, in order.
	Phases []Phase
	// Stages are what those that look for equal mutants cost and found.
	Stages []equiv.Report
	// Warnings say what winnow could not do as it should.
	Warnings []string

	warning sync.Mutex    // of Warnings
	ages    features.Ages // nil unless asked for
	workers int           // LoadOptions.Workers
}

// Phase is a part of the work and how long it took.
type Phase struct {
	Name    string
	Seconds float64
}

// Mutants returns the mutants of all units, in selector order.
func (p *Program) Mutants() []mutant.Mutant {
	var out []mutant.Mutant
	for _, u := range p.Units {
		out = append(out, u.Mutants...)
	}
	return out
}

// WithoutCopies is the program without the units of tests that hold copies of others' code (Copies): itself where there
// are none.
func (p *Program) WithoutCopies() *Program {
	if !slices.ContainsFunc(p.Units, (*Unit).Copies) {
		return p
	}
	return &Program{Name: p.Name, Units: slices.DeleteFunc(slices.Clone(p.Units), (*Unit).Copies), Sites: p.Sites, Generated: p.Generated, OutOfScope: p.OutOfScope,
		Suppressed: p.Suppressed, Removed: slices.DeleteFunc(slices.Clone(p.Removed), func(r Removed) bool { return r.Unit.Copies() }), Undefined: p.Undefined, Open: p.Open, Phases: p.Phases, Stages: p.Stages, Warnings: slices.Clone(p.Warnings),
		ages: p.ages, workers: p.workers}
}

// Copies reports a unit of a test that holds copies of others' code (Input.Only).
func (u *Unit) Copies() bool { return u.Input.Only != nil }

// Skipped lists the functions that were left alone, as "file: function:
// reason".
func (p *Program) Skipped() []string {
	var out []string
	for _, u := range p.Units {
		for _, s := range u.Module.Skipped {
			out = append(out, fmt.Sprintf("%s: %s: %s", paths.Relative("", u.Input.Path), s.Function, s.Reason))
		}
	}
	return out
}

// warn adds a warning once, in an order that does not depend on who is first.
func (p *Program) warn(text string) {
	p.warning.Lock()
	defer p.warning.Unlock()
	if at, known := slices.BinarySearch(p.Warnings, text); !known {
		p.Warnings = slices.Insert(p.Warnings, at, text)
	}
}

// Notes say, by unit, what the user should know of the mutants' C text.
func (p *Program) Notes() []string {
	var out []string
	for _, u := range p.Units {
		if u.NoSource != nil {
			out = append(out, fmt.Sprintf("%s: the C text of mutants is rebuilt from the IR, and jumps are not deleted: %v",
				paths.Relative("", u.Input.Path), u.NoSource))
		}
	}
	return append(out, p.invalidNotes()...)
}

// LoadOptions choose how a program is loaded.
type LoadOptions struct {
	// Workers compile units, compare mutants, and compute features at the same time;
	// 0 means one a CPU.
	Workers int
	// Name is the program's; "" takes it from the first input.
	Name string
	// Mutation says which mutants the program has.
	Mutation Mutation
	// Sources, when set, has the syntax trees of inputs that were loaded before, and keeps those
	// of this program.
	Sources *Sources
	// LeaveOut, when set, is told of an input that does not compile, and the program goes
	// without it; otherwise that is an error.
	LeaveOut func(in Input, err error)
	// Ages asks git for the age of every line, for the features of the family
	// "history". They are missing for files that git does not know.
	Ages bool
}

// Load compiles the inputs, makes their mutants and removes those that are not
// worth a run. The result is the same for any number of workers.
func Load(ctx context.Context, tools *clang.Toolchain, inputs []Input, opts LoadOptions) (*Program, error) {
	start := time.Now()
	units, err := compile(ctx, tools, inputs, opts)
	if err != nil {
		return nil, err
	}
	p := &Program{Name: opts.Name, Units: units, workers: opts.Workers}
	if p.Name == "" {
		p.Name = units[0].Module.Name
	}
	p.phase("compile", &start)
	if opts.Mutation.Nothing {
		return p, nil
	}
	if err := p.mutate(ctx, tools, opts.Mutation, opts.Workers); err != nil {
		return nil, err
	}
	start = time.Now()
	if opts.Ages {
		if err := p.ReadAges(ctx); err != nil {
			return nil, err
		}
		p.phase("ages", &start)
	}
	return p, nil
}

// compile makes a unit of each input.
func compile(ctx context.Context, tools *clang.Toolchain, inputs []Input, opts LoadOptions) ([]*Unit, error) {
	failed := make([]error, len(inputs))
	units, err := parallel.Map(ctx, opts.Workers, inputs, func(ctx context.Context, i int, in Input) (*Unit, error) {
		u, err := compileUnit(ctx, tools, in, opts.Sources)
		if opts.LeaveOut != nil && ctx.Err() == nil {
			failed[i], err = err, nil
		}
		return u, err
	})
	if err != nil {
		return nil, err
	}
	for i, err := range failed {
		if err != nil {
			opts.LeaveOut(inputs[i], err)
		}
	}
	if units = slices.DeleteFunc(units, func(u *Unit) bool { return u == nil }); len(units) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no source compiles: %w", opts.Name, errors.Join(failed...)), "")
	}
	return units, nil
}

// phase notes what was done since start, and sets start to now.
func (p *Program) phase(name string, start *time.Time) {
	now := time.Now()
	p.Phases = append(p.Phases, Phase{name, now.Sub(*start).Seconds()})
	*start = now
}

// readSource parses the unit's C source for the mutants' C face. Where that
// fails, although clang accepts the source, the face is rebuilt from the IR and
// the unit says why.
func (u *Unit) readSource(known *Sources) {
	if filepath.Ext(u.Input.Path) == ".c" {
		u.Source, u.NoSource = known.parse(u.Input)
	}
}

// Prepare gives the module the form that package schemata needs, which modules without
// mutants do not have yet: no phis, a name for every value, and a first one for every variable.
func (u *Unit) Prepare() {
	for _, f := range u.Module.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
		ir.GiveFirstValues(f)
	}
}

func compileUnit(ctx context.Context, tools *clang.Toolchain, in Input, known *Sources) (*Unit, error) {
	text, err := CompileIR(ctx, tools, in)
	if err != nil {
		return nil, err
	}
	m, err := ir.Parse(in.Path, text)
	if err != nil {
		return nil, err
	}
	u := &Unit{Input: in, Module: m}
	u.readSource(known)
	return u, nil
}

// CompileIR returns the text of the IR of an input, whatever it is written in.
func CompileIR(ctx context.Context, tools *clang.Toolchain, in Input) ([]byte, error) {
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
