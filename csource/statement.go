package csource

import (
	"modernc.org/cc/v4"
)

// begin opens a statement inside the current one; end closes it.
func (b *builder) begin(kind StmtKind) *Stmt {
	s := &Stmt{Kind: kind, Parent: b.stmt, Function: b.function, unit: b.unit, first: -1, last: -1}
	if p := b.stmt; p != nil {
		s.Depth = p.Depth
		if p.Kind == If || p.Kind == Switch || p.Kind.IsLoop() {
			s.Depth++
		}
		p.Children = append(p.Children, s)
	}
	b.stmt = s
	return s
}

// end closes the current statement, which spans the tokens given and all that
// was built inside it.
func (b *builder) end(tokens ...cc.Token) *Stmt {
	s := b.stmt
	b.stmt = s.Parent
	first, last := b.bounds(tokens)
	s.cover(first, last)
	for _, e := range s.Exprs {
		s.cover(e.first, e.last)
	}
	for _, child := range s.Children {
		s.cover(child.first, child.last)
	}
	s.Start, s.End = b.unit.start(s.first), b.unit.end(s.last)
	s.from, s.to = b.unit.presumedStart(s.first), b.unit.presumedEnd(s.last)
	return s
}

func (s *Stmt) cover(first, last int) {
	if first >= 0 && (s.first < 0 || first < s.first) {
		s.first = first
	}
	s.last = max(s.last, last)
}

// outermost builds an expression that belongs to the current statement; nil
// for nil.
func (b *builder) outermost(n cc.ExpressionNode) *Expr {
	e := b.expr(n)
	if e != nil {
		b.stmt.Exprs = append(b.stmt.Exprs, e)
		b.exprs = append(b.exprs, e)
	}
	return e
}

func (b *builder) block(n *cc.CompoundStatement) *Stmt {
	b.begin(Block)
	for list := n.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		switch item.Case {
		case cc.BlockItemStmt:
			b.statement(item.Statement)
		case cc.BlockItemDecl:
			b.declarationStatement(item.Declaration)
		case cc.BlockItemFuncDef:
			b.define(item.Declarator, item.CompoundStatement, cc.NodeTokens(item))
		}
	}
	return b.end(n.Token, n.Token2)
}

func (b *builder) statement(n *cc.Statement) {
	if n == nil {
		return
	}
	switch n.Case {
	case cc.StatementCompound:
		b.block(n.CompoundStatement)
	case cc.StatementExpr:
		b.expressionStatement(n.ExpressionStatement)
	case cc.StatementSelection:
		b.selection(n.SelectionStatement)
	case cc.StatementIteration:
		b.iteration(n.IterationStatement)
	case cc.StatementJump:
		b.jump(n.JumpStatement)
	case cc.StatementLabeled:
		b.labeled(n.LabeledStatement)
	case cc.StatementAsm:
		b.begin(Asm)
		b.end(cc.NodeTokens(n.AsmStatement)...)
	}
}

func (b *builder) expressionStatement(n *cc.ExpressionStatement) {
	s := b.begin(Empty)
	if b.outermost(n.ExpressionList) != nil {
		s.Kind = ExprStmt
	}
	b.end(n.Token)
}

func (b *builder) declarationStatement(n *cc.Declaration) {
	tokens := cc.NodeTokens(n)
	if first, _ := b.bounds(tokens); first < 0 {
		return // the parser's own declaration of __func__
	}
	s := b.begin(DeclStmt)
	s.Exprs = b.declaration(n)
	b.exprs = append(b.exprs, s.Exprs...)
	b.end(tokens...)
}

func (b *builder) selection(n *cc.SelectionStatement) {
	kind := If
	if n.Case == cc.SelectionStatementSwitch {
		kind = Switch
	}
	s := b.begin(kind)
	s.Condition = b.outermost(n.ExpressionList)
	b.statement(n.Statement)
	b.statement(n.Statement2)
	b.end(n.Token, n.Token2, n.Token3, n.Token4)
}

func (b *builder) iteration(n *cc.IterationStatement) {
	switch n.Case {
	case cc.IterationStatementWhile:
		s := b.begin(While)
		s.Condition = b.outermost(n.ExpressionList)
		b.statement(n.Statement)
	case cc.IterationStatementDo:
		s := b.begin(Do)
		b.statement(n.Statement)
		s.Condition = b.outermost(n.ExpressionList)
	case cc.IterationStatementFor:
		s := b.begin(For)
		b.outermost(n.ExpressionList)
		s.Condition = b.outermost(n.ExpressionList2)
		b.outermost(n.ExpressionList3)
		b.statement(n.Statement)
	case cc.IterationStatementForDecl:
		s := b.begin(For)
		b.declarationStatement(n.Declaration)
		s.Condition = b.outermost(n.ExpressionList)
		b.outermost(n.ExpressionList2)
		b.statement(n.Statement)
	}
	b.end(n.Token, n.Token2, n.Token3, n.Token4, n.Token5)
}

func (b *builder) jump(n *cc.JumpStatement) {
	kinds := map[cc.JumpStatementCase]StmtKind{
		cc.JumpStatementGoto:     Goto,
		cc.JumpStatementGotoExpr: Goto,
		cc.JumpStatementContinue: Continue,
		cc.JumpStatementBreak:    Break,
		cc.JumpStatementReturn:   Return,
	}
	b.begin(kinds[n.Case])
	b.outermost(n.ExpressionList)
	b.end(n.Token, n.Token2, n.Token3)
}

func (b *builder) labeled(n *cc.LabeledStatement) {
	kind := Label
	switch n.Case {
	case cc.LabeledStatementCaseLabel, cc.LabeledStatementRange:
		kind = Case
	case cc.LabeledStatementDefault:
		kind = Default
	}
	b.begin(kind)
	b.outermost(n.ConstantExpression)
	b.outermost(n.ConstantExpression2)
	b.statement(n.Statement)
	b.end(n.Token, n.Token2, n.Token3)
}

// declaration builds the expressions of a declaration: the sizes of arrays
// and the initialisers.
func (b *builder) declaration(n *cc.Declaration) []*Expr {
	if n == nil {
		return nil
	}
	var exprs []*Expr
	if n.Case == cc.DeclarationAuto {
		return append(exprs, b.initialized(n.Declarator, n.Token2, n.Initializer))
	}
	for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
		d := list.InitDeclarator
		if d == nil || d.Declarator == nil {
			continue
		}
		exprs = append(exprs, b.arraySizes(d.Declarator)...)
		if d.Case == cc.InitDeclaratorInit {
			exprs = append(exprs, b.initialized(d.Declarator, d.Token, d.Initializer))
		}
	}
	return exprs
}

func (b *builder) arraySizes(d *cc.Declarator) []*Expr {
	var exprs []*Expr
	for direct := d.DirectDeclarator; direct != nil; direct = direct.DirectDeclarator {
		if e := b.expr(direct.AssignmentExpression); e != nil {
			exprs = append(exprs, e)
		}
		if direct.Case == cc.DirectDeclaratorDecl {
			exprs = append(exprs, b.arraySizes(direct.Declarator)...)
		}
	}
	return exprs
}

func (b *builder) initialized(d *cc.Declarator, assign cc.Token, value *cc.Initializer) *Expr {
	nameToken := d.NameTok()
	declared := b.leaf(Identifier, nameToken, d)
	declared.Name = d.Name()
	operands := []*Expr{declared}
	if v := b.initializer(value); v != nil {
		operands = append(operands, v)
	}
	e := b.node(shape{Initializer, "=", nameToken}, d, operands, append(named(d), assign)...)
	e.Name = d.Name()
	return e
}

// named are the tokens of a declarator from its name on, where only stars and qualifiers come
// before it, which belong to the type as one reads it: `p` of `char *const p`, and all of `(*f)(void)`.
func named(d *cc.Declarator) []cc.Token {
	tokens, name := cc.NodeTokens(d), d.NameTok()
	for k, t := range tokens {
		switch {
		case t == name:
			return tokens[k:]
		case t.Ch == '(':
			return tokens
		}
	}
	return tokens
}

// initializer builds a value or a braced list.
func (b *builder) initializer(n *cc.Initializer) *Expr {
	if n == nil {
		return nil
	}
	if n.Case == cc.InitializerExpr {
		return b.expr(n.AssignmentExpression)
	}
	return b.node(shape{InitList, "", n.Token}, n, b.values(n.InitializerList), n.Token, n.Token2, n.Token3)
}

func (b *builder) values(list *cc.InitializerList) []*Expr {
	var values []*Expr
	for ; list != nil; list = list.InitializerList {
		if v := b.initializer(list.Initializer); v != nil {
			values = append(values, v)
		}
	}
	return values
}
