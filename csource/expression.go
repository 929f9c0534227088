package csource

import (
	"modernc.org/cc/v4"
)

// shape is what a node is and where debug information puts it; a zero token
// stands for the first of the node.
type shape struct {
	kind Kind
	op   string
	at   cc.Token
}

// typed is any node of the parser that has a type.
type typed interface{ Type() cc.Type }

// node makes an expression that spans its operands and the tokens given.
func (b *builder) node(s shape, n typed, operands []*Expr, tokens ...cc.Token) *Expr {
	e := &Expr{Kind: s.kind, Op: s.op, Operands: operands, Stmt: b.stmt, unit: b.unit}
	e.first, e.last = b.bounds(tokens)
	for _, operand := range operands {
		operand.Parent = e
		if e.first < 0 || operand.first >= 0 && operand.first < e.first {
			e.first = operand.first
		}
		e.last = max(e.last, operand.last)
	}
	e.token = b.index(s.at)
	if e.token < 0 {
		e.token = e.first
	}
	if n != nil {
		e.TypeName = typeName(n.Type())
	}
	u := b.unit
	e.Start, e.End, e.At = u.start(e.first), u.end(e.last), u.start(e.token)
	e.presumed, e.presumedBase = u.presumedStart(e.token), u.presumedStart(e.first)
	e.InMacro = e.token < 0 || u.tokens[e.token].fromMacro
	return e
}

func (b *builder) leaf(kind Kind, t cc.Token, n typed) *Expr {
	return b.node(shape{kind, "", t}, n, nil, t)
}

// infix makes an expression of two operands with the operator between them.
func (b *builder) infix(kind Kind, n cc.ExpressionNode, left cc.ExpressionNode, op cc.Token, right cc.ExpressionNode) *Expr {
	return b.node(shape{kind, op.SrcStr(), op}, n, b.list(left, right), op)
}

// list builds expressions and leaves out absent ones.
func (b *builder) list(nodes ...cc.ExpressionNode) []*Expr {
	var exprs []*Expr
	for _, n := range nodes {
		if e := b.expr(n); e != nil {
			exprs = append(exprs, e)
		}
	}
	return exprs
}

// expr builds an expression, or nil for none. The parser has a node type for
// each level of C's grammar; those that only pass a level on are skipped.
func (b *builder) expr(n cc.ExpressionNode) *Expr { //nolint:funlen // exhaustive switch
	switch n := n.(type) {
	case *cc.ExpressionList:
		return b.comma(n)
	case *cc.ConstantExpression:
		return b.expr(n.ConditionalExpression)
	case *cc.AssignmentExpression:
		switch n.Case {
		case cc.AssignmentExpressionCond:
			return b.expr(n.ConditionalExpression)
		case cc.AssignmentExpressionAssign:
			return b.infix(Assignment, n, n.UnaryExpression, n.Token, n.AssignmentExpression)
		}
		return b.infix(CompoundAssign, n, n.UnaryExpression, n.Token, n.AssignmentExpression)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionLOr {
			return b.expr(n.LogicalOrExpression)
		}
		operands := b.list(n.LogicalOrExpression, n.ExpressionList, n.ConditionalExpression)
		return b.node(shape{kind: Conditional, op: "?:"}, n, operands, n.Token, n.Token2)
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLAnd {
			return b.expr(n.LogicalAndExpression)
		}
		return b.infix(Logical, n, n.LogicalOrExpression, n.Token, n.LogicalAndExpression)
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionOr {
			return b.expr(n.InclusiveOrExpression)
		}
		return b.infix(Logical, n, n.LogicalAndExpression, n.Token, n.InclusiveOrExpression)
	case *cc.InclusiveOrExpression:
		if n.Case == cc.InclusiveOrExpressionXor {
			return b.expr(n.ExclusiveOrExpression)
		}
		return b.infix(Binary, n, n.InclusiveOrExpression, n.Token, n.ExclusiveOrExpression)
	case *cc.ExclusiveOrExpression:
		if n.Case == cc.ExclusiveOrExpressionAnd {
			return b.expr(n.AndExpression)
		}
		return b.infix(Binary, n, n.ExclusiveOrExpression, n.Token, n.AndExpression)
	case *cc.AndExpression:
		if n.Case == cc.AndExpressionEq {
			return b.expr(n.EqualityExpression)
		}
		return b.infix(Binary, n, n.AndExpression, n.Token, n.EqualityExpression)
	case *cc.EqualityExpression:
		if n.Case == cc.EqualityExpressionRel {
			return b.expr(n.RelationalExpression)
		}
		return b.infix(Binary, n, n.EqualityExpression, n.Token, n.RelationalExpression)
	case *cc.RelationalExpression:
		if n.Case == cc.RelationalExpressionShift {
			return b.expr(n.ShiftExpression)
		}
		return b.infix(Binary, n, n.RelationalExpression, n.Token, n.ShiftExpression)
	case *cc.ShiftExpression:
		if n.Case == cc.ShiftExpressionAdd {
			return b.expr(n.AdditiveExpression)
		}
		return b.infix(Binary, n, n.ShiftExpression, n.Token, n.AdditiveExpression)
	case *cc.AdditiveExpression:
		if n.Case == cc.AdditiveExpressionMul {
			return b.expr(n.MultiplicativeExpression)
		}
		return b.infix(Binary, n, n.AdditiveExpression, n.Token, n.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		if n.Case == cc.MultiplicativeExpressionCast {
			return b.expr(n.CastExpression)
		}
		return b.infix(Binary, n, n.MultiplicativeExpression, n.Token, n.CastExpression)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionUnary {
			return b.expr(n.UnaryExpression)
		}
		return b.node(shape{Cast, "()", n.Token}, n, b.list(n.CastExpression), n.Token, n.Token2)
	case *cc.UnaryExpression:
		return b.unary(n)
	case *cc.PostfixExpression:
		return b.postfix(n)
	case *cc.PrimaryExpression:
		return b.primary(n)
	}
	return nil
}

func (b *builder) comma(n *cc.ExpressionList) *Expr {
	if n.ExpressionList == nil {
		return b.expr(n.AssignmentExpression)
	}
	var operands []*Expr
	var commas []cc.Token
	for list := n; list != nil; list = list.ExpressionList {
		operands = append(operands, b.list(list.AssignmentExpression)...)
		if list != n {
			commas = append(commas, list.Token)
		}
	}
	return b.node(shape{Comma, ",", commas[0]}, n, operands, commas...)
}

func (b *builder) unary(n *cc.UnaryExpression) *Expr {
	op := n.Token.SrcStr()
	tokens := []cc.Token{n.Token, n.Token2, n.Token3}
	switch n.Case {
	case cc.UnaryExpressionPostfix:
		return b.expr(n.PostfixExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return b.node(shape{PrefixIncrement, op, n.Token}, n, b.list(n.UnaryExpression), n.Token)
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
		return b.node(shape{Sizeof, op, n.Token}, n, b.list(n.UnaryExpression), n.Token)
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return b.node(shape{Sizeof, op, n.Token}, n, nil, tokens...)
	case cc.UnaryExpressionLabelAddr:
		return b.node(shape{LabelAddress, op, n.Token}, n, nil, tokens...)
	case cc.UnaryExpressionImag, cc.UnaryExpressionReal:
		return b.node(shape{Unary, op, n.Token}, n, b.list(n.UnaryExpression), n.Token)
	}
	return b.node(shape{Unary, op, n.Token}, n, b.list(n.CastExpression), n.Token)
}

func (b *builder) postfix(n *cc.PostfixExpression) *Expr {
	op := n.Token.SrcStr()
	switch n.Case {
	case cc.PostfixExpressionIndex:
		operands := b.list(n.PostfixExpression, n.ExpressionList)
		return b.node(shape{kind: Index, op: "[]"}, n, operands, n.Token, n.Token2)
	case cc.PostfixExpressionCall:
		operands := b.list(n.PostfixExpression)
		for list := n.ArgumentExpressionList; list != nil; list = list.ArgumentExpressionList {
			operands = append(operands, b.list(list.AssignmentExpression)...)
		}
		return b.node(shape{kind: Call, op: "()"}, n, operands, n.Token, n.Token2)
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		e := b.node(shape{Member, op, n.Token2}, n, b.list(n.PostfixExpression), n.Token, n.Token2)
		e.Name = n.Token2.SrcStr()
		return e
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return b.node(shape{PostfixIncrement, op, n.Token}, n, b.list(n.PostfixExpression), n.Token)
	case cc.PostfixExpressionComplit:
		values := b.node(shape{InitList, "", n.Token3}, nil, b.values(n.InitializerList), n.Token3, n.Token4, n.Token5)
		return b.node(shape{CompoundValue, "", n.Token}, n, []*Expr{values}, n.Token, n.Token2)
	}
	return b.expr(n.PrimaryExpression)
}

func (b *builder) primary(n *cc.PrimaryExpression) *Expr {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		e := b.leaf(Identifier, n.Token, n)
		e.Name = n.Token.SrcStr()
		return e
	case cc.PrimaryExpressionInt:
		return b.leaf(IntLiteral, n.Token, n)
	case cc.PrimaryExpressionFloat:
		return b.leaf(FloatLiteral, n.Token, n)
	case cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return b.leaf(CharLiteral, n.Token, n)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return b.leaf(StringLiteral, n.Token, n)
	case cc.PrimaryExpressionExpr:
		return b.node(shape{Paren, "", n.Token}, n, b.list(n.ExpressionList), n.Token, n.Token2)
	case cc.PrimaryExpressionStmt:
		if b.stmt != nil {
			b.block(n.CompoundStatement)
		}
		return b.node(shape{StatementExpr, "", n.Token}, n, nil, n.Token, n.Token2)
	case cc.PrimaryExpressionGeneric:
		g := n.GenericSelection
		operands := b.list(g.AssignmentExpression)
		for list := g.GenericAssociationList; list != nil; list = list.GenericAssociationList {
			operands = append(operands, b.list(list.GenericAssociation.AssignmentExpression)...)
		}
		return b.node(shape{Generic, g.Token.SrcStr(), g.Token}, n, operands, g.Token, g.Token2, g.Token3, g.Token4)
	}
	return b.leaf(UnknownExpr, n.Token, n)
}
