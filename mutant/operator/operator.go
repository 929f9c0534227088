// Package operator makes mutants: it holds the mutation operators and the walk
// that applies them to a module.
//
// An operator is a rule (package rule): a fragment to match and one that
// replaces it. A Matcher finds the occurrences of a fragment at one Place (an
// instruction, the end of a block, or a whole statement), a Replacer renders
// and computes a fragment; both are values, listed in all.go. Generate walks
// the functions of a module, asks every rule about every place, and turns the
// proposals, each with its C face and the recipe that carries it out, into
// numbered mutants with stable ids. It changes no code apart from demoting phis
// and naming unnamed values, which every later step relies on; package schemata
// applies the recipes.
//
// Code that the compiler made up is left alone, unless the rules are for
// comparison with Mart: instructions without a debug location in a module that
// has debug information (parameter spills, the return slot), and parts that
// have no counterpart of their own in C (the load and store of a compound
// assignment, the implicit `!= 0` of a condition, conversions).
package operator

import (
	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// Place is where rules are asked for mutants: exactly one of Inst, Term and
// Statement is set.
type Place struct {
	Block     *llir.Block
	Inst      llir.Instruction
	Term      llir.Terminator
	Statement *Statement
	// Face renders the function's values as C.
	Face *face.Renderer
	// shown is the same place with the face that users see; nil where Face is that.
	shown *Place
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
	// block is that of the change where it is not the place's.
	block *llir.Block
	// at is the instruction where the mutant is reported, if it is not the last of the
	// edit's; a label has a place of its own.
	at    any
	label *face.CaseLabel
	// shown finds the proposal as users see it, the one of its number, where that may be another;
	// it is irOnly where it does something else to the code.
	shown  *views
	number int
}

// fragment pairs a C operator with its name in Mart's language.
type fragment struct{ symbol, name string }
