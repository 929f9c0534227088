package csource

import "strconv"

// Kind says what an expression is. The set is closed; every value but
// UnknownExpr occurs in some C program.
type Kind uint8

const (
	UnknownExpr Kind = iota // an extension that has no kind of its own; its text is still exact

	Identifier   // a variable, function or enumerator
	IntLiteral   // 42, 0x2aUL
	FloatLiteral // 2.5, 1e-3f
	CharLiteral  // 'x', L'x'
	StringLiteral
	Paren // ( operand )

	Unary            // + - ! ~ & * __real__ __imag__
	PrefixIncrement  // ++a and --a
	PostfixIncrement // a++ and a--
	Binary           // arithmetic, shifts, bitwise, comparisons
	Logical          // && and ||
	Comma            // a, b (of two or more operands)
	Assignment       // =
	CompoundAssign   // += and its kin
	Conditional      // condition ? then : else; the GNU a ?: b has two operands

	Call          // operands: the callee, then the arguments
	Index         // operands: base, subscript
	Member        // operand: the aggregate; Op is "." or "->", Name the member
	Cast          // operand: the value; TypeName the target
	Sizeof        // sizeof and _Alignof of an expression (one operand) or a type (none)
	CompoundValue // (T){ … }
	InitList      // { … } in an initialiser or a compound literal
	Initializer   // a declared name with its initial value; operands: Identifier, value
	StatementExpr // ({ … }), GNU
	Generic       // _Generic(…); operands: the control, then the alternatives
	LabelAddress  // &&label, GNU
)

var kindNames = [...]string{
	"unknown", "identifier", "int", "float", "char", "string", "paren",
	"unary", "prefix", "postfix", "binary", "logical", "comma", "assignment",
	"compound-assignment", "conditional", "call", "index", "member", "cast",
	"sizeof", "compound-literal", "init-list", "initializer",
	"statement-expression", "generic", "label-address",
}

// String returns the kind's name in lower case, e.g. "compound-assignment".
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// IsLiteral reports whether the kind is a constant written out.
func (k Kind) IsLiteral() bool { return k >= IntLiteral && k <= StringLiteral }

// StmtKind says what a statement is. The set is closed.
type StmtKind uint8

const (
	Block StmtKind = iota // { … }
	If
	Switch
	While
	Do
	For
	Return
	Break
	Continue
	Goto
	Label   // name: statement
	Case    // case v: statement, and the GNU case a ... b
	Default // default: statement
	ExprStmt
	DeclStmt
	Empty // ;
	Asm
)

var stmtNames = [...]string{
	"block", "if", "switch", "while", "do", "for", "return", "break",
	"continue", "goto", "label", "case", "default", "expression",
	"declaration", "empty", "asm",
}

// String returns the kind's name in lower case, e.g. "declaration".
func (k StmtKind) String() string { return nameOf(stmtNames[:], int(k)) }

// IsLoop reports whether the statement may run its body again.
func (k StmtKind) IsLoop() bool { return k == While || k == Do || k == For }

func nameOf(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return "kind(" + strconv.Itoa(k) + ")"
}
