package schemata

import (
	"fmt"
	"io"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// The branching build is the program without any mutant; it notes which sides of
// its branches a run takes, for branch coverage. It is driven like a meta-mutant,
// and has the same table, of sides instead of sites (Options.Sites is the number of
// sides of the whole program). A branch here is a conditional jump of the compiler's
// unoptimised code: && || ! and ?: make branches of their own, as they do for gcov.
//
// A side is noted at the end of the block that branches, by the condition, so that
// no edge has to be cut:
//
//	%side = select i1 %condition, i64 12, i64 13
//	store i8 1, @winnow_reached[%side]

// Side is one way out of a branch.
type Side struct {
	Function string
	Position ir.Position
	// Taken says when: "true", "false", "default", or "case" and its values.
	Taken string
}

// SideNames say where sides are, in files of the names that name gives them, and when they are taken,
// e.g. "a.c:12:7 in f: true".
func SideNames(sides []Side, name func(file string) string) []string {
	out := make([]string, len(sides))
	for k, s := range sides {
		out[k] = fmt.Sprintf("%s:%d:%d in %s: %s", name(s.Position.File), s.Position.Line, s.Position.Column, s.Function, s.Taken)
	}
	return out
}

// Sides lists the sides of a module's branches, in the order of their numbers. The
// two of a condition follow each other, the true one first; of a switch the default
// comes first. Ways of a switch to one place are one side. Computed gotos have none.
func Sides(m *ir.Module) []Side {
	var out []Side
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			for _, taken := range sidesOf(b.Term) {
				out = append(out, Side{f.Name(), ir.PositionOf(b.Term), taken})
			}
		}
	}
	return out
}

func sidesOf(term llir.Terminator) []string {
	switch t := term.(type) {
	case *llir.TermCondBr:
		return []string{"true", "false"}
	case *llir.TermSwitch:
		out := []string{"default"}
		numbers := waysOf(t)
		for k, c := range t.Cases {
			switch n := numbers[k]; {
			case n == len(out):
				out = append(out, "case "+c.X.Ident())
			case n > 0:
				out[n] += ", " + c.X.Ident()
			}
		}
		return out
	}
	return nil
}

// waysOf numbers the places that the cases of a switch lead to, by case; 0 is where
// the default leads.
func waysOf(t *llir.TermSwitch) []int {
	places := []value.Value{t.TargetDefault}
	var out []int
	for _, c := range t.Cases {
		n := slices.Index(places, c.Target)
		if n < 0 {
			n = len(places)
			places = append(places, c.Target)
		}
		out = append(out, n)
	}
	return out
}

// WriteBranching writes the text of a module's branching build, and leaves the
// module as it was; its phis are slots (ir.DemotePhis). first is the number of its first side in the whole program.
func WriteBranching(w io.Writer, m *ir.Module, first int, opts Options) error {
	defer rememberModule(m)()
	b := newBuilder(m, opts)
	starts := map[*llir.Func]int{}
	for _, f := range m.Functions() {
		starts[f] = first
		for _, block := range f.Blocks {
			first += len(sidesOf(block.Term))
		}
	}
	building := &rebuilding{module: m, ownMain: !opts.StandAlone, weave: func(f *llir.Func, _ []*mutant.Mutant) {
		noteSides(b, f, starts[f])
		newWeaver(b, f, nil).weave()
	}}
	return building.write(w)
}

// BranchingText returns what WriteBranching writes.
func BranchingText(m *ir.Module, first int, opts Options) string {
	return textOf(func(w io.Writer) error { return WriteBranching(w, m, first, opts) })
}

// noteSides puts the notes at the ends of a function's blocks.
func noteSides(b *builder, f *llir.Func, first int) {
	for k, block := range f.Blocks {
		n := len(sidesOf(block.Term))
		if n == 0 {
			continue
		}
		side, code := sideTaken(block.Term, first, fmt.Sprintf("winnow.side.%d", k))
		first += n
		at := llir.NewGetElementPtr(b.reached.ContentType, b.reached, constant.NewInt(types.I64, 0), side)
		at.SetName(fmt.Sprintf("winnow.noted.%d", k))
		block.Insts = slices.Concat(block.Insts, code, []llir.Instruction{at, llir.NewStore(constant.NewInt(types.I8, 1), at)})
	}
}

// sideTaken computes which side a terminator is about to take.
func sideTaken(term llir.Terminator, first int, prefix string) (side value.Value, code []llir.Instruction) {
	number := func(n int) value.Value { return constant.NewInt(types.I64, int64(first+n)) }
	name := func(v value.Named) { v.SetName(strings.Join([]string{prefix, fmt.Sprint(len(code))}, ".")) }
	switch t := term.(type) {
	case *llir.TermCondBr:
		chosen := llir.NewSelect(t.Cond, number(0), number(1))
		name(chosen)
		return chosen, append(code, chosen)
	case *llir.TermSwitch:
		side = number(0)
		numbers := waysOf(t)
		for k, c := range t.Cases {
			is := llir.NewICmp(enum.IPredEQ, t.X, c.X)
			name(is)
			code = append(code, is)
			chosen := llir.NewSelect(is, number(numbers[k]), side)
			name(chosen)
			code = append(code, chosen)
			side = chosen
		}
	}
	return side, code
}
