// Package operator makes mutants: it holds the mutation operators and the walk
// that applies them to a module.
//
// An Operator is a value in a small file of its own, listed in all.go. Its
// Match looks at one Place (an instruction, the end of a block, or a whole
// statement) and proposes changes, each with its C face and the recipe that
// carries it out. Generate walks the functions of a module, asks every
// operator about every place, and turns the proposals into numbered mutants
// with stable ids. It changes no code apart from demoting phis and naming
// unnamed values, which every later step relies on; package schemata applies
// the recipes.
//
// Code that the compiler made up is left alone: instructions without a debug
// location in a module that has debug information (parameter spills, the
// return slot), and parts that have no counterpart of their own in C (the
// load and store of a compound assignment, the implicit `!= 0` of a
// condition, conversions).
package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// Operator is one family of mutations.
type Operator struct {
	// Name is one lower-case word, used on the command line and in tables.
	Name string
	// Doc says in one sentence what the family does, with an example in C.
	Doc string
	// Match proposes the mutants of this family at a place; nil when there
	// are none.
	Match func(*Place) []Proposal
}

// Place is where an operator is asked for mutants: exactly one of Inst, Term
// and Statement is set.
type Place struct {
	Block     *llir.Block
	Inst      llir.Instruction
	Term      llir.Terminator
	Statement *Statement
	// Face renders the function's values as C.
	Face *face.Renderer
	// mart: the rules are for comparison with Mart.
	mart bool
	// fn holds facts on the whole function.
	fn *function
}

// Proposal is a mutant before it gets its number, id and position.
type Proposal struct {
	Matcher, Replacer     string // from mutant.Matchers and mutant.Replacers
	Original, Replacement face.Text
	Edit                  mutant.Edit
	// irOnly and touched become Mutant.IROnly and Site.Touched.
	irOnly  bool
	touched []llir.Instruction
	// Position overrides where the mutant is reported, if it is known.
	Position ir.Position
}

// replaceResult proposes that the result of the place's instruction be
// computed by emit instead.
func (p *Place) replaceResult(matcher, replacer string, replacement face.Text, emit func(*mutant.Code) value.Value) Proposal {
	out := Proposal{
		Matcher: matcher, Replacer: replacer,
		Original: p.Face.Of(p.Inst.(value.Value)), Replacement: replacement,
		Edit: mutant.Rewrite{Insts: []llir.Instruction{p.Inst}, Emit: emit},
	}
	if a, ok := p.Face.Assignment(p.Inst); ok && a.IsCompound {
		// The sum in x += y is not written as such.
		out.Original = a.With(a.Right)
		out.Replacement = face.Assigned{Left: a.Left, Op: "="}.With(replacement)
	}
	return out
}

// fragment pairs a C operator with its name in Mart's language.
type fragment struct{ symbol, name string }
