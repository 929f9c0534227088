package csource

import (
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// unit is what the expressions and statements of one parse share: the user's
// files and the tokens that the compiler saw in them, in order.
type unit struct {
	texts  map[string]*text // by path as opened
	tokens []token
	bySeq  map[int]int // the parser's number of a token → index in tokens

	functions []*Function
	exprs     []*Expr // outermost ones, in source order
	// at and starting are the expressions in what macros made, by the token that File.At or
	// File.StartingAt would have the place of.
	at, starting map[Token][]*Expr
	renamed      bool // some file has #line directives

	including  sync.Once
	inclusions map[*text][][]token // of the files that are included several times
}

// token is one token after preprocessing.
type token struct {
	text      *text // the file it lies in; nil when that is a system header
	offset    int   // of the word or macro call it came from
	end       int   // of the same
	spelling  string
	spaced    bool // white space stands before it
	fromMacro bool
	literal   bool // a string literal
}

// add takes in the tokens of one declaration. Offsets are those of macro
// calls where a macro made the token; ends are known only after finish.
func (u *unit) add(tokens []cc.Token) {
	for _, t := range tokens {
		position := t.Position()
		spelling, _ := strings.CutSuffix(t.SrcStr(), plainSuffix)
		own := token{
			text:     u.texts[position.Filename],
			offset:   position.Offset,
			spelling: spelling,
			spaced:   len(t.Sep()) > 0,
			literal:  t.Ch == rune(cc.STRINGLITERAL) || t.Ch == rune(cc.LONGSTRINGLITERAL),
		}
		if own.text != nil {
			if own.text.injected(own.offset, spelling) {
				continue
			}
			own.text.parsed[own.offset]++
		}
		u.bySeq[t.Seq()] = len(u.tokens)
		u.tokens = append(u.tokens, own)
	}
}

// injected reports whether the parser made a token up: it declares __func__ at
// the brace that opens a function.
func (t *text) injected(offset int, spelling string) bool {
	return spelling != "{" && offset < len(t.bytes) && t.bytes[offset] == '{'
}

// finish tells the tokens that macros made and finds where all of them end.
func (u *unit) finish() {
	for _, t := range u.texts {
		u.renamed = u.renamed || len(t.marks) > 0
	}
	for i := range u.tokens {
		t := &u.tokens[i]
		if t.text == nil {
			t.fromMacro = true
			continue
		}
		t.fromMacro = u.samePlace(i, i-1) || u.samePlace(i, i+1) || !t.text.spells(t.offset, t)
		t.end = t.text.extent(t.offset, t.fromMacro, t.literal)
	}
}

// samePlace reports whether two tokens come from one word of the files: what a macro makes stands
// together, and what is included again elsewhere.
func (u *unit) samePlace(i, j int) bool {
	if min(i, j) < 0 || max(i, j) >= len(u.tokens) {
		return false
	}
	a, b := &u.tokens[i], &u.tokens[j]
	return a.text == b.text && a.offset == b.offset
}

// sameCall reports whether two tokens were made by the same macro call.
func (u *unit) sameCall(i, j int) bool {
	return u.samePlace(i, j) && u.tokens[i].fromMacro && u.tokens[j].fromMacro
}

// spells reports whether the word at an offset is the token itself, not the
// name of a macro that made it.
func (t *text) spells(offset int, tok *token) bool {
	i := t.wordAt(offset)
	if i == len(t.words) || t.words[i].start != offset {
		return false
	}
	if tok.literal {
		return t.words[i].kind == str
	}
	return string(t.spelling(t.words[i])) == tok.spelling
}

// text is the text of the user's file from one token to another.
func (u *unit) text(first, last int) string {
	if first < 0 {
		return ""
	}
	a, b := u.tokens[first], u.tokens[last]
	if a.text != nil && a.text == b.text {
		if s, ok := a.text.slice(a.offset, b.end); ok {
			return s
		}
	}
	return u.expanded(first, last)
}
