// Package block tells what part of a C statement a basic block is: a loop's
// condition, the "then" arm of an if, a join.
//
// The kind is read off the structure of the control-flow graph, dominance and
// loops; only the kinds of && || and ?: look at instructions, for the slot that
// joins their results, and so expect a function without phis. Names of blocks are never read: clang's names are
// gone in a release build, and labels are the user's. So kinds survive
// renaming, and some distinctions of C, which leave no trace in the graph, are
// not made: `if (c) return; rest` has the graph of an else arm, and clang
// exchanges the arms of `if (!c)`.
package block

import "fmt"

// Kind is the part that a block plays. The kinds are a closed set; the first
// that fits, in the order below, is a block's kind.
type Kind uint8

const (
	// Dead blocks are not reached from the entry.
	Dead Kind = iota
	// Entry is the block where the function starts.
	Entry
	// Exit blocks end the function: they have no successor.
	Exit
	// LoopCondition decides whether to stay in a loop: the first block with an
	// edge out of the loop that every way from the loop's header meets.
	LoopCondition
	// ShortCircuit blocks compute the second operand of && or ||.
	ShortCircuit
	// ConditionalArm blocks compute the second or third operand of ?:.
	ConditionalArm
	// SwitchDefault is where a switch goes for values without a case, unless
	// that is the switch's end.
	SwitchDefault
	// SwitchCase is where a switch goes for some value.
	SwitchCase
	// LoopBody is entered from the loop's condition, inside the loop; in a
	// loop without a condition before its body, the header.
	LoopBody
	// LoopLatch goes back to the loop's header without condition: the third
	// part of a for, or the last block of a body.
	LoopLatch
	// LoopEnd is entered when a loop ends.
	LoopEnd
	// IfThen is entered from a branch when its condition is true, IfElse when
	// it is false; where only one side is an arm, that is the IfThen.
	IfThen
	IfElse
	// Join has several predecessors and none of the parts above.
	Join
	// Straight is any other block.
	Straight

	kinds // their number
)

var names = [kinds]string{
	Dead: "dead", Entry: "entry", Exit: "exit", LoopCondition: "loop condition",
	ShortCircuit: "short circuit", ConditionalArm: "conditional arm",
	SwitchDefault: "switch default", SwitchCase: "switch case",
	LoopBody: "loop body", LoopLatch: "loop latch", LoopEnd: "loop end",
	IfThen: "if then", IfElse: "if else", Join: "join", Straight: "straight",
}

func (k Kind) String() string {
	if k < kinds {
		return names[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Kinds returns all kinds, in order.
func Kinds() []Kind {
	out := make([]Kind, kinds)
	for i := range out {
		out[i] = Kind(i)
	}
	return out
}
