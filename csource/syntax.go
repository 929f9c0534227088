package csource

// Expr is one expression of the C source, as the user wrote it.
type Expr struct {
	Kind Kind
	// Op is the operator as C spells it: "+", "<=", "&&", "+=", "++", "->",
	// "?:", "[]", "()", "sizeof", "="; "" for kinds without one.
	Op string
	// Name is the identifier, the member, or the declared name.
	Name string
	// TypeName is the expression's type as C spells it ("unsigned int",
	// "char *"); "" where types could not be resolved (see File.Untyped).
	TypeName string
	// Start and End bound the text, End exclusive. What a macro made lies
	// where the macro is called.
	Start, End Position
	// At is the place that debug information has for the expression.
	At Position
	// InMacro is true when the expression's operator (or first token) was
	// made by a macro.
	InMacro bool

	Operands []*Expr // in source order
	Parent   *Expr   // nil for the outermost expression of a statement
	Stmt     *Stmt   // nil at file scope

	unit         *unit
	first, last  int   // indices in unit.tokens, both included
	token        int   // the token at At
	presumed     point // At, as debug information names it
	presumedBase point // Start, as debug information names it
}

// Stmt is one statement.
type Stmt struct {
	Kind       StmtKind
	Start, End Position // End is exclusive
	Parent     *Stmt    // nil for a function's body
	Children   []*Stmt
	Function   *Function
	// Depth counts the control statements (if, switch, loops) around this
	// one; blocks and labels do not count.
	Depth int
	// Condition is what an if, switch or loop tests; nil where there is none.
	Condition *Expr
	// Exprs are the outermost expressions in source order, Condition among
	// them: those of a for's header, a return's value, the initialisers of a
	// declaration. A function's body has the sizes of its array parameters.
	Exprs []*Expr

	unit        *unit
	first, last int
	from, to    point // to is exclusive
}

// Function is one function definition.
type Function struct {
	Name       string
	Start, End Position // the whole definition; End is exclusive
	Body       *Stmt

	from, to point
}

// Unparen returns the expression inside any parentheses.
func (e *Expr) Unparen() *Expr {
	for e.Kind == Paren && len(e.Operands) == 1 {
		e = e.Operands[0]
	}
	return e
}

// Walk calls visit for the expression and all below it, outermost first, and
// leaves out what is below one for which visit returns false.
func (e *Expr) Walk(visit func(*Expr) bool) {
	if !visit(e) {
		return
	}
	for _, operand := range e.Operands {
		operand.Walk(visit)
	}
}

// Text is the expression exactly as the user's file has it, except that each
// run of white space and comments is one space. Where a macro made all of it,
// this is the macro call. An expression interrupted by preprocessor
// directives has no such text and is rendered from what was compiled.
func (e *Expr) Text() string { return e.unit.text(e.first, e.last) }

// Expanded is the expression as the compiler sees it, macros expanded.
func (e *Expr) Expanded() string { return e.unit.expanded(e.first, e.last) }

// Text is the statement as the user's file has it, folded like Expr.Text.
func (s *Stmt) Text() string { return s.unit.text(s.first, s.last) }

// Expanded is the statement as the compiler sees it, macros expanded.
func (s *Stmt) Expanded() string { return s.unit.expanded(s.first, s.last) }

// Walk calls visit for the statement and all below it, outermost first, and
// leaves out what is below one for which visit returns false.
func (s *Stmt) Walk(visit func(*Stmt) bool) {
	if !visit(s) {
		return
	}
	for _, child := range s.Children {
		child.Walk(visit)
	}
}
