package features

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/mutant"
)

// changes are what a mutant may do to its expression, in the order of their
// columns; one mutant may do several.
var changes = []struct {
	name, doc string
	is        func(c *edit) bool
}{
	{"boundary", "a comparison gains or loses equality: < becomes <=", func(c *edit) bool { return pairs(c, "LT LE", "GT GE") }},
	{"negated_relation", "a comparison becomes its opposite: < becomes >=, == becomes !=", func(c *edit) bool { return pairs(c, "LT GE", "GT LE", "EQ NEQ") }},
	{"mirrored_relation", "a comparison changes direction: < becomes >", func(c *edit) bool { return pairs(c, "LT GT", "LE GE") }},
	{"relation", "a comparison becomes another one", func(c *edit) bool { return isRelation(c.matcher) && isRelation(c.replacer) }},
	{"always_true", "a condition becomes true", func(c *edit) bool { return c.truth == 1 }},
	{"always_false", "a condition becomes false", func(c *edit) bool { return c.truth == 0 }},
	{"negated_condition", "a condition that is no comparison is negated", func(c *edit) bool { return c.matcher == "COND" && c.replacer == "NOT" }},
	{"logical", "&& becomes ||, or the reverse", func(c *edit) bool { return pairs(c, "AND OR") }},
	{"operand", "an operator is dropped and one operand kept", func(c *edit) bool { return c.replacer == "OPERAND" }},
	{"keeps_first", "the first operand is kept", func(c *edit) bool { return c.kept == 0 }},
	{"keeps_second", "the second operand is kept", func(c *edit) bool { return c.kept == 1 }},
	{"additive", "+ becomes -, or the reverse", func(c *edit) bool { return pairs(c, "ADD SUB", "PADD PSUB") }},
	{"arithmetic", "an arithmetic operator becomes another one", func(c *edit) bool { return isArithmetic(c.matcher) && isArithmetic(c.replacer) }},
	{"bitwise", "a bitwise operator becomes another one", func(c *edit) bool { return isBitwise(c.matcher) && isBitwise(c.replacer) }},
	{"divides", "a division or remainder is put in", func(c *edit) bool { return c.replacer == "DIV" || c.replacer == "MOD" }},
	{"may_divide_by_zero", "a division by what may be zero is put in", (*edit).mayDivideByZero},
	{"sign", "a sign is changed: negated, or the absolute value taken", func(c *edit) bool { return c.replacer == "NEG" || c.replacer == "ABS" || c.matcher == "NEG" }},
	{"absolute", "the absolute value is taken", func(c *edit) bool { return c.replacer == "ABS" }},
	{"plus_one", "a value grows by one", func(c *edit) bool { return c.replacer == "SUCC" }},
	{"minus_one", "a value shrinks by one", func(c *edit) bool { return c.replacer == "PRED" }},
	{"number", "a number becomes another one", func(c *edit) bool { return c.matcher == "C" }},
	{"to_zero", "a number becomes 0", func(c *edit) bool { return c.matcher == "C" && c.new == 0 }},
	{"to_one", "a number becomes 1", func(c *edit) bool { return c.matcher == "C" && c.new == 1 }},
	{"step_reversed", "++ becomes --, or the reverse", func(c *edit) bool {
		return isStepName(c.matcher) && isStepName(c.replacer) && strings.HasSuffix(c.matcher, "INC") != strings.HasSuffix(c.replacer, "INC")
	}},
	{"step_moved", "x++ becomes ++x, or the reverse", func(c *edit) bool {
		return isStepName(c.matcher) && isStepName(c.replacer) && strings.Contains(c.matcher, "LEFT") != strings.Contains(c.replacer, "LEFT")
	}},
	{"step_dropped", "x++ becomes x", func(c *edit) bool { return isStepName(c.matcher) && c.replacer == "OPERAND" }},
	{"deletion", "a statement is deleted", func(c *edit) bool { return c.replacer == "DELSTMT" }},
	{"case_dropped", "a case of a switch is dropped", func(c *edit) bool { return c.replacer == "REMOVECASES" }},
}

var change = Family{
	Name:     "change",
	Doc:      "What the mutant changes, in terms of what the code means.",
	Columns:  changeColumns(),
	Requires: []Requirement{edited},
	PerMutant: func(m *mutation, row []float64) {
		c := edited.of(m)
		for k := range changes {
			if changes[k].is(c) {
				row[k] = 1
			}
		}
		row = row[len(changes):]
		row[0] = magnitude(c.old)
		row[1] = magnitude(c.new)
		row[2] = magnitude(c.new - c.old)
		row[3] = float64(c.written)
	},
}

func changeColumns() []Column {
	var out []Column
	for _, k := range changes {
		out = append(out, Column{Name: "change_" + k.name, Source: "own", Doc: k.doc})
	}
	return append(out,
		Column{Name: "number_old", Unit: "signed log2", Source: "own", Doc: "the number that is replaced, as sign(x) log2(1 + |x|); missing when none is"},
		Column{Name: "number_new", Unit: "signed log2", Source: "own", Doc: "the number that is put in for it, on the same scale"},
		Column{Name: "number_difference", Unit: "signed log2", Source: "own", Doc: "the difference of the two, on the same scale"},
		Column{Name: "change_instructions", Unit: "instructions", Source: "own", Doc: "instructions that the mutant puts in"})
}

// edit is one mutant's change as far as its recipe shows it.
type edit struct {
	matcher, replacer string
	// old and new are the number replaced and its replacement, else NaN.
	old, new float64
	// truth is what a condition becomes, kept the operand that remains; -1 when
	// there is none.
	truth, kept int
	written     int // instructions
	divisor     value.Value
	// replaced are the instructions that insts take the place of, and resultOf
	// the one of them whose value result becomes; term is the terminator of a
	// redirection, nil for rewrites.
	replaced []llir.Instruction
	resultOf llir.Instruction
	insts    []llir.Instruction
	result   value.Value
	term     llir.Terminator
	lowered  *op.Replacement // insts and term, on demand
}

// replacement is what an edit of the function puts in, lowered for all analyses.
func (f *function) replacement(c *edit) *op.Replacement {
	if c.lowered == nil {
		c.lowered = f.p.lowered.Function(f.code.Func).Instead(c.insts, c.term)
	}
	return c.lowered
}

// edited is a mutant's edit.
var edited = &analysis[*mutation, *edit]{
	name: "edit",
	find: func(m *mutation) *edit { return newEdit(m.Mutant) },
}

// newEdit carries a mutant's recipe out on scratch code, which changes nothing
// in the module.
func newEdit(m *mutant.Mutant) *edit {
	c := &edit{matcher: m.Matcher, replacer: m.Replacer, old: math.NaN(), new: math.NaN(), truth: -1, kept: -1}
	scratch := &mutant.Code{Prefix: "features"}
	switch e := m.Edit.(type) {
	case mutant.Rewrite:
		c.replaced = e.Insts
		if e.Emit == nil || len(e.Insts) == 0 {
			return c
		}
		original := e.Replaced()
		result := e.Emit(scratch)
		c.insts, c.result, c.resultOf = scratch.Insts, result, original
		c.written = len(scratch.Insts)
		c.findKept(original, result)
		if len(scratch.Insts) > 0 {
			last := scratch.Insts[len(scratch.Insts)-1]
			c.compare(original, last)
			c.findDivisor(original, last)
		}
	case mutant.Redirect:
		if e.Emit == nil {
			return c
		}
		terminator := e.Emit(scratch)
		c.insts, c.term = scratch.Insts, terminator
		c.written = len(scratch.Insts) + 1
		c.compare(e.Term, terminator)
		if c.replacer == "OPERAND" {
			// The second operand alone decides where its block is entered
			// without condition, and nothing is computed.
			c.kept = 0
			if _, always := terminator.(*llir.TermBr); always && len(scratch.Insts) == 0 {
				c.kept = 1
			}
		}
	}
	return c
}

// findKept recognises a constant truth value and an operand in the place of
// the result.
func (c *edit) findKept(original any, result value.Value) {
	if truth, ok := result.(*constant.Int); ok && truth.Typ.BitSize == 1 {
		c.truth = truth.X.Sign() & 1
		return
	}
	user, ok := original.(value.User)
	if !ok || result == nil || c.replacer != "OPERAND" {
		return
	}
	for k, slot := range user.Operands() {
		if *slot == result && k < 2 && c.kept < 0 {
			c.kept = k
		}
	}
}

// compare finds the number in which two instructions of one kind differ.
func (c *edit) compare(old, new any) {
	a, okA := old.(value.User)
	b, okB := new.(value.User)
	if c.matcher != "C" || !okA || !okB {
		return
	}
	was, is := a.Operands(), b.Operands()
	for k := range min(len(was), len(is)) {
		x, okX := numberOf(*was[k])
		y, okY := numberOf(*is[k])
		if okX && okY && x != y {
			c.old, c.new = x, y
			return
		}
	}
}

// findDivisor notes what a division that is put in divides by, unless the
// original divides by the same.
func (c *edit) findDivisor(original, instead any) {
	if !isDivision(instead) {
		return
	}
	c.divisor = divisorOf(instead)
	if isDivision(original) && divisorOf(original) == c.divisor {
		c.divisor = nil
	}
}

func divisorOf(division any) value.Value { return *division.(value.User).Operands()[1] }

// mayDivideByZero: integers only; floating-point division by zero is defined.
func (c *edit) mayDivideByZero() bool {
	if c.divisor == nil {
		return false
	}
	x, isNumber := numberOf(c.divisor)
	return !isNumber || x == 0
}
