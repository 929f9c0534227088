package csource

import (
	"modernc.org/cc/v4"
)

// builder turns the parser's tree into Functions, Stmts and Exprs, leaving
// out whatever lies in system headers.
type builder struct {
	unit      *unit
	functions []*Function
	exprs     []*Expr // outermost ones, in source order
	function  *Function
	stmt      *Stmt // the statement being built, nil at file scope
}

// build makes the File of a parse. It runs over the declarations twice: where
// a macro call ends is known only once every token is.
func build(u *unit, path string, tree *cc.AST, untyped error) *File {
	b := &builder{unit: u}
	var own []*cc.ExternalDeclaration
	for list := tree.TranslationUnit; list != nil; list = list.TranslationUnit {
		d := list.ExternalDeclaration
		if d == nil || u.texts[d.Position().Filename] == nil {
			continue
		}
		u.add(cc.NodeTokens(d))
		own = append(own, d)
	}
	u.finish()
	for _, d := range own {
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			f := d.FunctionDefinition
			b.define(f.Declarator, f.CompoundStatement, cc.NodeTokens(d))
		case cc.ExternalDeclarationDecl:
			for _, e := range b.declaration(d.Declaration) {
				b.exprs = append(b.exprs, e)
			}
		}
	}
	return newFile(u, path, b, untyped)
}

// define builds a function definition; nested ones (GNU) are functions of
// their own.
func (b *builder) define(d *cc.Declarator, body *cc.CompoundStatement, tokens []cc.Token) {
	function, stmt := b.function, b.stmt
	defer func() { b.function, b.stmt = function, stmt }()
	f := &Function{Name: d.Name()}
	b.function, b.stmt = f, nil
	b.functions = append(b.functions, f)
	sizes := b.parameterSizes(d)
	f.Body = b.block(body)
	for _, size := range sizes {
		size.Walk(func(e *Expr) bool { e.Stmt = f.Body; return true })
	}
	f.Body.Exprs = append(f.Body.Exprs, sizes...)
	b.exprs = append(b.exprs, sizes...)
	first, last := b.bounds(tokens)
	f.Start, f.End = b.unit.start(first), b.unit.end(last)
	f.from, f.to = b.unit.presumedStart(first), b.unit.presumedEnd(last)
}

// parameterSizes builds the sizes of array parameters, which are computed when
// the function is entered.
func (b *builder) parameterSizes(d *cc.Declarator) []*Expr {
	var sizes []*Expr
	for direct := d.DirectDeclarator; direct != nil; direct = direct.DirectDeclarator {
		if direct.Case == cc.DirectDeclaratorDecl {
			sizes = append(sizes, b.parameterSizes(direct.Declarator)...)
		}
		if direct.ParameterTypeList == nil {
			continue
		}
		for list := direct.ParameterTypeList.ParameterList; list != nil; list = list.ParameterList {
			if p := list.ParameterDeclaration; p != nil && p.Declarator != nil {
				sizes = append(sizes, b.arraySizes(p.Declarator)...)
			}
		}
	}
	return sizes
}

// bounds are the indices of the first and last of the parser's tokens.
func (b *builder) bounds(tokens []cc.Token) (first, last int) {
	first, last = -1, -1
	for _, t := range tokens {
		if t.Seq() == 0 {
			continue
		}
		i, ok := b.unit.bySeq[t.Seq()]
		if !ok {
			continue
		}
		if first < 0 || i < first {
			first = i
		}
		last = max(last, i)
	}
	return first, last
}

// index is the index of one token, or -1 for one that does not exist.
func (b *builder) index(t cc.Token) int {
	i, ok := b.unit.bySeq[t.Seq()]
	if !ok {
		return -1
	}
	return i
}

func (u *unit) start(i int) Position {
	if i < 0 || u.tokens[i].text == nil {
		return Position{}
	}
	return u.tokens[i].text.position(u.tokens[i].offset)
}

func (u *unit) end(i int) Position {
	if i < 0 || u.tokens[i].text == nil {
		return Position{}
	}
	return u.tokens[i].text.position(u.tokens[i].end)
}

func (u *unit) presumedStart(i int) point {
	if i < 0 || u.tokens[i].text == nil {
		return point{}
	}
	t := u.tokens[i].text
	offset := u.tokens[i].offset
	for isSpliceTail(t.bytes, offset) {
		// To clang a token begins with the line splice before it.
		offset = spliceStart(t.bytes, offset)
	}
	return t.presumed(offset)
}

// presumedEnd is measured at the token's last byte, so that a directive after
// it has no say.
func (u *unit) presumedEnd(i int) point {
	if i < 0 || u.tokens[i].text == nil || u.tokens[i].end == 0 {
		return point{}
	}
	p := u.tokens[i].text.presumed(u.tokens[i].end - 1)
	p.column++
	return p
}
