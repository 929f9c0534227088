// Package origin tells which tokens of the preprocessed C source the instructions of a
// module were made of.
//
// Debug information places all that a macro makes where the macro is called: a dozen
// instructions of `#define PICK(f) if (f & 8) …; if (f & 16) …` have one place, and what
// says `f & 8` to the user may be `f & 16`. So the source is compiled once more, from its
// preprocessed text with one token a line (csource.Expansion). That is the same code,
// instruction by instruction, and its debug information names tokens. Nobody else needs to
// know how clang orders what it makes of a macro.
package origin

import (
	"context"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Map is the tokens of instructions and terminators: where csource places an expression or
// a statement, by File.AtToken and its kin. Code that the compiler gives no place has none,
// and so have functions whose code is another in the second compilation (__builtin_LINE).
type Map map[any]csource.Token

// Of finds the origins of a module's code: nil where macros made none whose place does not
// say what it is. The module is as it was parsed.
func Of(ctx context.Context, tools *clang.Toolchain, m *ir.Module, source *csource.File, flags []string) (Map, error) {
	if !source.HasMacroCode() {
		return nil, nil
	}
	text, err := tools.Preprocess(ctx, source.Path, flags)
	if err != nil {
		return nil, err
	}
	expansion := source.Expand(text)
	again, err := tools.CompilePreprocessed(ctx, source.Path, expansion.Text, flags)
	if err != nil {
		return nil, err
	}
	out := Map{}
	for inst, line := range ir.Lines(m, again) {
		if token := expansion.TokenAt(line); token > 0 {
			out[inst] = token
		}
	}
	return out, nil
}
