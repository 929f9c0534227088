// Package mutant is the vocabulary of the field: what a mutant is, where it
// sits and what it changes.
//
// A Mutant is one small fault in one function of one module. Package
// mutant/operator makes mutants, package mutant/schemata builds the
// meta-mutant that contains all of them behind one selector, and every other
// room only reads them. A mutant's edit is a recipe on IR (package operator's
// business); its face is C text.
package mutant

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
)

// Mutant is one first-order mutant.
type Mutant struct {
	// ID names the mutant for users, files and reports: 12 hexadecimal digits.
	// It depends on the function, the text of the statement and the change, so
	// the same source gives the same id and an edit elsewhere in the file does
	// not change it. What the same code of the same file makes once more has the
	// same digits, and behind them "-x1", "-x2" and so on within a unit, and "-" and the
	// number of its unit in another.
	ID string
	// Selector is the mutant's number in the meta-mutant, from 1; 0 is the
	// original. Mutants of one site are contiguous, as are those of one
	// function.
	Selector int32

	// Operator names the operator family, e.g. "arithmetic".
	Operator string
	// Matcher and Replacer are the two halves of the mutant's type in Mart's
	// terms, e.g. "ADD" and "SUB": the fragment matched and its replacement.
	Matcher, Replacer string
	// Rule is the name that the configuration gives the rule which made the
	// mutant, e.g. "ADD$@1$@2$!SUB$@2$@1$"; Mart calls it the mutant's Type.
	Rule string

	// IROnly says that no change of the C text does what the mutant does.
	IROnly bool
	// Artefact says that the mutant changes code which the compiler made and
	// the user did not write: a parameter's spill, the implicit != 0 of a
	// condition. Only configurations that ask for such mutants have them.
	Artefact bool

	Function string
	File     string
	Line     int // from 1; 0 where the module has no debug information
	Column   int // bytes, from 1

	// Original and Replacement are the change as C text, e.g. "i < n" and
	// "i <= n".
	Original, Replacement string
	// Identity is the change as the id knows it, and the features that read C text, which
	// models were trained with. It is another where a macro makes several pieces of code,
	// of which it takes the first that fits, and where a text would be no C.
	Identity Texts
	// Token says, of code that a macro makes, which of its tokens has the mutant's place,
	// as csource.Token; 0 where Line and Column say all, and where IROnly says that nothing
	// does.
	Token int

	// Where the mutant sits in the IR it was generated from.
	Site Site
	// Edit is the recipe that makes the change in the IR.
	Edit Edit
}

// Find returns the place of an id among those of mutants, or of the only one that begins
// so: -1 where there is none. Where two begin so, other is the second, else -1.
func Find(ids []string, id string) (at, other int) {
	at, other = slices.Index(ids, id), -1
	if at >= 0 || id == "" {
		return at, other
	}
	for k, known := range ids {
		switch {
		case !strings.HasPrefix(known, id):
		case at < 0:
			at = k
		case other < 0:
			other = k
		}
	}
	return at, other
}

// CopiedFrom returns the id of the mutant that an id is a copy of, in the same unit: "a-3" of "a-x1-3". It
// is false for other ids.
func CopiedFrom(id string) (first string, is bool) {
	first, rest, is := strings.Cut(id, "-x")
	if _, unit, numbered := strings.Cut(rest, "-"); numbered {
		first += "-" + unit
	}
	return first, is
}

// Texts are a change as C text.
type Texts struct{ Original, Replacement string }

// Type is the mutant's type as one word, e.g. "ADD!SUB".
func (m *Mutant) Type() string { return m.Matcher + "!" + m.Replacer }

// Site is the place of a mutant in the IR. Several mutants share a site.
type Site struct {
	// Ordinal numbers the sites of a module from 0, in function and
	// instruction order.
	Ordinal int
	// Statement numbers the statements of a module from 0. A statement is a
	// maximal run of instructions of a block that are linked by registers
	// (dissertation, chapter 8: a connected component of the def-use graph).
	Statement int
	Func      *llir.Func
	Block     *llir.Block
	// Touched are the instructions whose computation the mutant replaces, in
	// block order (empty when it replaces only the terminator). Two mutants
	// that share a touched instruction are tie-dependent (FaRM, table 6.1).
	Touched []llir.Instruction
	// Term is the block's terminator when the mutant replaces it, else nil.
	Term llir.Terminator
}

// Edit is how a mutant changes its site; package mutant/schemata says how each
// kind is carried out. It is a closed set.
type Edit interface{ edit() }
