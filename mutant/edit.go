package mutant

import (
	"fmt"
	"reflect"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Rewrite replaces consecutive instructions of a block by other code: one
// instruction, or a whole statement.
type Rewrite struct {
	// Insts are the instructions replaced, in block order, without gaps.
	Insts []llir.Instruction
	// Result is the one of Insts whose result is used outside of them, where
	// that is not the last one; nil means the last.
	Result llir.Instruction
	// Emit writes the mutated code and returns what takes the place of the
	// result (nil where none is used outside).
	// It names the original operands; where a value it names is itself behind
	// a selector, the caller of Emit substitutes the selected value. A nil
	// Emit deletes the instructions, whose results must not be used outside.
	Emit func(*Code) value.Value
}

// Replaced is the instruction whose result Emit's value takes the place of.
func (r Rewrite) Replaced() llir.Instruction {
	if r.Result != nil {
		return r.Result
	}
	return r.Insts[len(r.Insts)-1]
}

// Redirect replaces the terminator of a block.
type Redirect struct {
	Term llir.Terminator
	// Emit writes code for the end of the block and returns the terminator
	// that takes the original's place. It may only go to blocks of the same
	// function; functions are free of phis when it runs.
	Emit func(*Code) llir.Terminator
}

func (Rewrite) edit()  {}
func (Redirect) edit() {}

// Code collects the instructions of one mutated copy.
type Code struct {
	// Insts is what was written so far.
	Insts []llir.Instruction
	// Prefix starts the names of new results; it is unique in the function.
	Prefix string
}

// Add appends an instruction, gives its result a fresh name, and returns it.
func Add[I llir.Instruction](c *Code, inst I) I {
	c.Insts = append(c.Insts, inst)
	if named, ok := any(inst).(value.Named); ok && !named.Type().Equal(types.Void) {
		named.SetName(fmt.Sprintf("%s.%d", c.Prefix, len(c.Insts)))
	}
	return inst
}

// Copy appends a copy of an instruction, with the same operands but without
// the flags that promise the absence of overflow, and returns the copy.
func (c *Code) Copy(inst llir.Instruction) llir.Instruction {
	twin := CopyOf(inst)
	DropPromises(twin)
	return Add(c, twin)
}

// CopyOf returns a copy of an instruction whose operand slots are its own.
// The copy keeps the original's name.
func CopyOf(inst llir.Instruction) llir.Instruction {
	original := reflect.ValueOf(inst).Elem()
	twin := reflect.New(original.Type())
	twin.Elem().Set(original)
	for i := range twin.Elem().NumField() {
		field := twin.Elem().Field(i)
		values, ok := field.Interface().([]value.Value)
		if !ok {
			continue
		}
		own := make([]value.Value, len(values))
		for k, v := range values {
			if arg, ok := v.(*llir.Arg); ok {
				copied := *arg
				v = &copied
			}
			own[k] = v
		}
		field.Set(reflect.ValueOf(own))
	}
	return twin.Interface().(llir.Instruction)
}

// DropPromises removes nsw, nuw, exact and inbounds from an instruction: on
// mutated code they would let a compiler assume what the mutant breaks, and
// "prove" equivalences that no execution shows (Riener 2011, section 3.2).
func DropPromises(inst llir.Instruction) {
	switch i := inst.(type) {
	case *llir.InstAdd:
		i.OverflowFlags = nil
	case *llir.InstSub:
		i.OverflowFlags = nil
	case *llir.InstMul:
		i.OverflowFlags = nil
	case *llir.InstShl:
		i.OverflowFlags = nil
	case *llir.InstUDiv:
		i.Exact = false
	case *llir.InstSDiv:
		i.Exact = false
	case *llir.InstLShr:
		i.Exact = false
	case *llir.InstAShr:
		i.Exact = false
	case *llir.InstGetElementPtr:
		i.InBounds = false
	}
}
