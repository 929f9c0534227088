package expr

import "fmt"

// Kind is what an expression does, whatever the signedness or width of its
// operands. The kinds are a closed set.
type Kind uint8

const (
	// Other is what none of the kinds below describes.
	Other Kind = iota
	// Identifier reads a variable, or names one whose address is meant.
	Identifier
	// Dereference, Element and Member are *p, a[i] (and p + i) and s.m.
	Dereference
	Element
	Member
	// Add to Complement are arithmetic and bitwise operators.
	Add
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Neg
	Complement
	// Eq to Ge are comparisons.
	Eq
	Ne
	Lt
	Gt
	Le
	Ge
	// Not is !x where it leaves an instruction.
	Not
	// Logical and Conditional are the results of && and || and of ?: where
	// they are used as values.
	Logical
	Conditional
	// Assignment is =, Update is ++, -- or an assignment with an operator.
	Assignment
	Update
	// Call is a call of a function.
	Call
	// Conversion is a cast of something that is itself no expression.
	Conversion
	// Return, Branch and Switch are statements that use a value.
	Return
	Branch
	Switch

	kinds // their number
)

var names = [kinds]string{
	Other: "other", Identifier: "identifier", Dereference: "dereference", Element: "element", Member: "member",
	Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem",
	And: "and", Or: "or", Xor: "xor", Shl: "shl", Shr: "shr", Neg: "neg", Complement: "complement",
	Eq: "eq", Ne: "ne", Lt: "lt", Gt: "gt", Le: "le", Ge: "ge", Not: "not",
	Logical: "logical", Conditional: "conditional", Assignment: "assignment", Update: "update",
	Call: "call", Conversion: "conversion", Return: "return", Branch: "branch", Switch: "switch",
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

// IsStatement reports the kinds that are statements of C, no expressions.
func (k Kind) IsStatement() bool { return k >= Return && k < kinds }
