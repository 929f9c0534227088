package csource

// Precedence orders C's operators by how tightly they bind; a higher one binds
// tighter (ISO C11, 6.5, in the order of its clauses from last to first).
type Precedence uint8

const (
	CommaPrecedence Precedence = iota + 1
	AssignmentPrecedence
	ConditionalPrecedence
	LogicalOrPrecedence
	LogicalAndPrecedence
	OrPrecedence
	XorPrecedence
	AndPrecedence
	EqualityPrecedence
	RelationalPrecedence
	ShiftPrecedence
	AdditivePrecedence
	MultiplicativePrecedence
	CastPrecedence
	UnaryPrecedence
	PostfixPrecedence
	PrimaryPrecedence
)

var infixPrecedence = map[string]Precedence{
	",": CommaPrecedence,
	"=": AssignmentPrecedence, "+=": AssignmentPrecedence, "-=": AssignmentPrecedence,
	"*=": AssignmentPrecedence, "/=": AssignmentPrecedence, "%=": AssignmentPrecedence,
	"<<=": AssignmentPrecedence, ">>=": AssignmentPrecedence, "&=": AssignmentPrecedence,
	"^=": AssignmentPrecedence, "|=": AssignmentPrecedence,
	"?:": ConditionalPrecedence,
	"||": LogicalOrPrecedence, "&&": LogicalAndPrecedence,
	"|": OrPrecedence, "^": XorPrecedence, "&": AndPrecedence,
	"==": EqualityPrecedence, "!=": EqualityPrecedence,
	"<": RelationalPrecedence, ">": RelationalPrecedence,
	"<=": RelationalPrecedence, ">=": RelationalPrecedence,
	"<<": ShiftPrecedence, ">>": ShiftPrecedence,
	"+": AdditivePrecedence, "-": AdditivePrecedence,
	"*": MultiplicativePrecedence, "/": MultiplicativePrecedence, "%": MultiplicativePrecedence,
	".": PostfixPrecedence, "->": PostfixPrecedence, "[]": PostfixPrecedence, "()": PostfixPrecedence,
}

// PrecedenceOf returns the precedence of an operator between two operands (and
// of "?:", "[]" and the call "()"); 0 for a string that is none.
func PrecedenceOf(op string) Precedence { return infixPrecedence[op] }

// Fragment is C text with the precedence of its outermost operator. The zero
// Precedence means the text is already a primary expression.
type Fragment struct {
	Text       string
	Precedence Precedence
}

// Paren returns the fragment's text, in parentheses when it binds less
// tightly than its place demands.
func (f Fragment) Paren(demanded Precedence) string {
	if f.Precedence == 0 || f.Precedence >= demanded {
		return f.Text
	}
	return "(" + f.Text + ")"
}

// RenderInfix renders an operator between two operands, assignments and the
// comma included.
func RenderInfix(op string, left, right Fragment) Fragment {
	p := PrecedenceOf(op)
	demandLeft, demandRight := p, p+1
	if p == AssignmentPrecedence {
		demandLeft, demandRight = UnaryPrecedence, p
	}
	if op != "," {
		op = " " + op
	}
	return Fragment{left.Paren(demandLeft) + op + " " + right.Paren(demandRight), p}
}

// RenderPrefix renders an operator before its operand: + - ! ~ & * ++ --
// sizeof; none for "". "-" before "-x" gives "- -x".
func RenderPrefix(op string, operand Fragment) Fragment {
	demanded := CastPrecedence
	if op == "" {
		return operand
	}
	if op == "++" || op == "--" || isNameByte(op[len(op)-1]) {
		demanded = UnaryPrecedence
	}
	text := operand.Paren(demanded)
	if wouldFuse(op, text) && (op[len(op)-1] == text[0] || isNameByte(text[0])) {
		op += " "
	}
	return Fragment{op + text, UnaryPrecedence}
}

// RenderPostfix renders ++ or -- after its operand.
func RenderPostfix(operand Fragment, op string) Fragment {
	return Fragment{operand.Paren(PostfixPrecedence) + op, PostfixPrecedence}
}

// Precedence is the precedence of the expression's outermost operator.
func (e *Expr) Precedence() Precedence {
	switch e.Kind {
	case Binary, Logical, Comma, Assignment, CompoundAssign, Conditional, Index, Call, Member:
		return PrecedenceOf(e.Op)
	case Initializer:
		return AssignmentPrecedence
	case Cast:
		return CastPrecedence
	case Unary, PrefixIncrement, Sizeof, LabelAddress:
		return UnaryPrecedence
	case PostfixIncrement, CompoundValue:
		return PostfixPrecedence
	}
	return PrimaryPrecedence
}

// Fragment is the expression's text as a part to render with: as the user
// wrote it, or expanded when a macro made it together with what is around it.
func (e *Expr) Fragment() Fragment {
	if e.InsideCall() {
		return Fragment{e.Expanded(), e.Precedence()}
	}
	return Fragment{e.Text(), e.Precedence()}
}

// InsideCall reports whether the expression is only part of what one macro
// call made, so that the call is not its text.
func (e *Expr) InsideCall() bool {
	if e.first < 0 {
		return false
	}
	return e.unit.sameCall(e.first, e.first-1) || e.unit.sameCall(e.last, e.last+1)
}

// Demand is the least precedence that may stand in the expression's place
// without parentheses.
func (e *Expr) Demand() Precedence {
	p := e.Parent
	if p == nil {
		return CommaPrecedence
	}
	left := p.Operands[0] == e
	switch p.Kind {
	case Binary, Logical, Comma:
		if left {
			return p.Precedence()
		}
		return p.Precedence() + 1
	case Assignment, CompoundAssign:
		if left {
			return UnaryPrecedence
		}
		return AssignmentPrecedence
	case Conditional:
		switch {
		case left:
			return LogicalOrPrecedence
		case p.Operands[len(p.Operands)-1] == e:
			return ConditionalPrecedence
		}
		return CommaPrecedence
	case Index, Call, Member, PostfixIncrement:
		switch {
		case left:
			return PostfixPrecedence
		case p.Kind == Call:
			return AssignmentPrecedence
		}
		return CommaPrecedence
	case Unary, Cast:
		return CastPrecedence
	case PrefixIncrement, Sizeof:
		return UnaryPrecedence
	case Paren:
		return CommaPrecedence
	}
	return AssignmentPrecedence
}

// WithOperator returns the expression with its operator replaced, in the
// parentheses that its own place demands: the "*" of c + a * b replaced by
// "-" gives "(a - b)". Kinds that have no operator to replace are returned
// as they are.
func (e *Expr) WithOperator(op string) string {
	var f Fragment
	switch {
	case len(e.Operands) == 2 && (e.Kind == Binary || e.Kind == Logical || e.Kind == Assignment || e.Kind == CompoundAssign):
		f = RenderInfix(op, e.Operands[0].Fragment(), e.Operands[1].Fragment())
	case len(e.Operands) == 1 && (e.Kind == Unary || e.Kind == PrefixIncrement):
		f = RenderPrefix(op, e.Operands[0].Fragment())
	case len(e.Operands) == 1 && e.Kind == PostfixIncrement:
		f = RenderPostfix(e.Operands[0].Fragment(), op)
	default:
		f = e.Fragment()
	}
	return f.Paren(e.Demand())
}

// Splice returns the expression's text with one of the expressions below it
// (or itself) replaced. Macros are expanded when the part lies in one.
func (e *Expr) Splice(part *Expr, replacement string) string {
	return e.unit.splice(e.first, e.last, part, replacement)
}

// Splice returns the statement's text with one of the expressions in it
// replaced. Macros are expanded when the part lies in one.
func (s *Stmt) Splice(part *Expr, replacement string) string {
	return s.unit.splice(s.first, s.last, part, replacement)
}

func (u *unit) splice(first, last int, part *Expr, replacement string) string {
	if part.first < first || part.last > last {
		return u.text(first, last)
	}
	render := u.text
	if part.InsideCall() {
		render = func(i, j int) string { return u.expandedPart(i, j, first) }
	}
	text := replacement
	if part.first > first {
		text = u.join(render(first, part.first-1), text, part.first, first)
	}
	if part.last < last {
		text = u.join(text, render(part.last+1, last), part.last+1, first)
	}
	return text
}

// join puts two texts together, spaced as token i, with which the second one
// begins, is spaced among those from first.
func (u *unit) join(left, right string, i, first int) string {
	if u.spaceBefore(i, first) || wouldFuse(left, right) {
		return left + " " + right
	}
	return left + right
}
