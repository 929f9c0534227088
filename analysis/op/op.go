// Package op is what the instructions of a function mean: one typed operation each,
// lowered once from LLVM IR (Lower), which the analyses share. The interpreter
// (analysis/concrete) computes with words, analysis/ranges with intervals, analysis/bits
// with known bits; a symbolic core makes terms of the same operations. What an operator
// makes of numbers is in compute.go; an analysis only says what it makes of its values.
//
// # What an operation says
//
// An operation has a code, the type of its result with its width in bits, and operands,
// each a number, the result of another item, a parameter or an address that is known.
// Whatever depends on the layout of data is computed here: how many bytes a load or a
// store touches, what the indices of an address are multiplied by, where a member lies.
// What the C library does is in analysis/libc; a call has its row.
//
// Nothing here or above reads what a pointer's type points to. An access says its own
// type, an address computation its sizes, an allocation its content: that is all that
// opaque pointers leave.
//
// # What it leaves out
//
// Instructions that clang does not make of C without optimisation are Other: a value of
// their type that nothing is known of. The layout of data is that of x86-64 and AArch64:
// little-endian, with addresses of 64 bits.
package op

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/libc"
)

// Code says what an operation does with its operands.
type Code uint8

// The codes. Operators and conversions have the meaning and the names that they have in
// LLVM's language reference.
const (
	Skip   Code = iota // nothing: what only debuggers read
	Other              // a value that depends on the operands, it is not known how
	Alloca             // an address of its own, of Content, or of as many as the argument says
	Load               // from the address Args[0], Type
	Store              // to the address Args[0], Args[1]
	// Address is Args[0] and Offset and each further operand times its scale.
	Address
	Select  // Args[1] where Args[0] is true, else Args[2]
	Phi     // the operand that comes with the block that control came from, of Targets
	Extract // the bytes of Args[0] at Offset
	Insert  // Args[0] with Args[1] at Offset
	Call    // of Args[0]

	CompareInts   // by Pred, of integers and addresses
	CompareFloats // by FPred

	Add
	Sub
	Mul
	SDiv
	UDiv
	SRem
	URem
	And
	Or
	Xor
	Shl
	LShr
	AShr

	FAdd
	FSub
	FMul
	FDiv
	FRem
	FNeg

	SExt
	ZExt
	Trunc
	SIToFP
	UIToFP
	FPToSI
	FPToUI
	FPExt
	FPTrunc
	BitCast // the same bits as another type, addresses and integers included

	Jump        // to Targets[0]
	Branch      // to Targets[0] where Args[0] is true, else to Targets[1]
	Switch      // to the target of the operand from Args[1] on that equals Args[0], else to the last
	IndirectTo  // to the block whose address Args[0] is, one of Targets
	Return      // of Args[0], if there is one
	Unreachable // ends the function: nothing comes here, or it is not of C
)

// IsBinaryInt reports an operator of two integers.
func (c Code) IsBinaryInt() bool { return c >= Add && c <= AShr }

// IsBinaryFloat reports an operator of two floating-point numbers.
func (c Code) IsBinaryFloat() bool { return c >= FAdd && c <= FRem }

// IsConversion reports a conversion of one operand.
func (c Code) IsConversion() bool { return c >= SExt && c <= BitCast }

// IsTerminator reports what ends a block.
func (c Code) IsTerminator() bool { return c >= Jump }

// Op is one instruction or terminator.
type Op struct {
	Code Code
	// Type is that of the result; that of a store is what is stored, and that of a comparison
	// is i1. Terminators have none.
	Type  Type
	Pred  enum.IPred
	FPred enum.FPred
	Flags Flags
	Args  []Operand
	// Scales are what the operands of an address after the first are multiplied by, 0 for
	// those that Offset has.
	Scales []int64
	Offset int64
	// Targets are blocks by their number. One that is no block of the function has the number
	// behind the last.
	Targets []int
	// Content is what an allocation holds, and Bytes how many it takes; 0 where that is not
	// known before it runs.
	Content Type
	Bytes   int64
	// Callee is what a call calls, if it names a function, and Library its row if that is of
	// the C library. ByValue are, by argument, the bytes that the callee gets a copy of, nil
	// where there are none.
	Callee  *llir.Func
	Library *libc.Function
	ByValue []int64
	// Node is the instruction.
	Node any
}

// Flags are what the compiler promises of a result.
type Flags uint8

const (
	// NoSignedWrap and NoUnsignedWrap: the result is what it is without a width.
	NoSignedWrap Flags = 1 << iota
	NoUnsignedWrap
)

// Kind says where an operand comes from.
type Kind uint8

const (
	// Number is X: an integer with its sign, a truth as 0 or 1, the bits of a floating-point
	// number, an address. What is undefined is 0.
	Number  Kind = iota
	Item         // the result of item X
	Scratch      // the result of operation X of code that takes the place of some of the function's
	Param        // the parameter X, from 0
	Symbol       // the address X bytes from that of Of, which has a name outside of functions
	Wide         // an integer of more than 64 bits: Of
	Unknown      // a constant of which nothing is known: Of
)

// Operand is a value that an operation uses.
type Operand struct {
	Kind Kind
	Type Type
	X    int64
	Of   value.Value
}

// IsNumber reports a number that is the same all the time, of up to 64 bits.
func (a Operand) IsNumber() bool { return a.Kind == Number }

// Writes reports that an operation may write memory, or do something that is seen outside.
func (o *Op) Writes() bool {
	switch o.Code {
	case Store, Call:
		return true
	case Other:
		switch o.Node.(type) {
		case *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstVAArg:
			return true
		}
	}
	return false
}
