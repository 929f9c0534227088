package csource

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// All that a macro made has one place, that of the macro's call: debug information does
// not tell the parts of it apart. An Expansion does. It is the file as the compiler's own
// preprocessor leaves it, laid out with one token a line: compiled, it is the same code,
// and the lines of its debug information name tokens.

// Token is a token of a parse, counted from 1; 0 is none.
type Token int

// Expansion is a file after preprocessing.
type Expansion struct {
	// Text is what to compile, as C that is preprocessed already.
	Text []byte

	tokens []Token // by line, from 1; 0 for what is not the user's, or was not found
}

// TokenAt is the token in a line, from 1.
func (x *Expansion) TokenAt(line int) Token {
	if line < 1 || line >= len(x.tokens) {
		return 0
	}
	return x.tokens[line]
}

// Expand lays out what the compiler's preprocessor made of the file, with the line
// markers that it writes.
func (f *File) Expand(preprocessed []byte) *Expansion {
	var out bytes.Buffer
	var lines []int // of the user's tokens
	var spellings []string
	line, isUsers := 1, false
	for text := range bytes.Lines(preprocessed) {
		text = bytes.TrimSpace(text)
		if bytes.HasPrefix(text, []byte("#")) {
			if users, ok := readMarker(string(text)); ok {
				isUsers = users
				continue
			}
			out.Write(text) // a pragma
			out.WriteByte('\n')
			line++
			continue
		}
		for _, w := range scan(text) {
			spelling := text[w.start:w.end]
			if isUsers {
				lines, spellings = append(lines, line), append(spellings, string(spelling))
			}
			out.Write(spelling)
			out.WriteByte('\n')
			line++
		}
	}
	x := &Expansion{Text: out.Bytes(), tokens: make([]Token, line)}
	f.unit.align(spellings, func(k, token int) { x.tokens[lines[k]] = Token(token + 1) })
	return x
}

// readMarker reads `# line "file" flags`, and says whether a file of the user's goes on
// there: flag 3 is that of system headers, and names in angle brackets are the compiler's
// own.
func readMarker(text string) (isUsers, ok bool) {
	words := strings.Fields(strings.TrimPrefix(text, "#"))
	if len(words) < 2 {
		return false, false
	}
	if _, err := strconv.Atoi(words[0]); err != nil {
		return false, false
	}
	end := strings.LastIndexByte(text, '"')
	return !strings.HasPrefix(words[1], `"<`) && !slices.Contains(strings.Fields(text[end+1:]), "3"), true
}

// How far align looks for the next tokens that agree, and how many have to.
const (
	alignWithin = 64
	alignAgree  = 4
)

// align finds the unit's tokens among others that are spelled as the compiler sees them,
// and calls found with the places of each pair. The parser knows some words otherwise than
// the compiler, joins pieces of string literals and drops attributes: what does not agree
// is left out, up to where the next few tokens do.
func (u *unit) align(spellings []string, found func(k, token int)) {
	agree := func(k, i int) bool {
		for n := range alignAgree {
			if k+n < len(spellings) && i+n < len(u.tokens) && spellings[k+n] != u.tokens[i+n].spelling {
				return false
			}
		}
		return true
	}
	for k, i := 0, 0; k < len(spellings) && i < len(u.tokens); {
		if spellings[k] == u.tokens[i].spelling {
			found(k, i)
			k, i = k+1, i+1
			continue
		}
		skip := 1
		var more int
		for ; skip <= alignWithin; skip++ {
			for more = 0; more <= skip && !agree(k+more, i+skip-more); more++ {
			}
			if more <= skip {
				break
			}
		}
		if skip > alignWithin {
			return
		}
		k, i = k+more, i+skip-more
	}
}

// HasMacroCode reports whether there is a place of InMacro anywhere.
func (f *File) HasMacroCode() bool {
	for _, file := range f.all {
		for _, n := range file.macros {
			if n > 1 {
				return true
			}
		}
	}
	return false
}

// InMacro reports whether a macro made several pieces of code that debug information
// places there, so that the place does not say which.
func (f *File) InMacro(line, column int) bool { return f.macros[spot{line, column}] > 1 }

// HasMacroOperand reports whether an expression there has an operand that is a macro's call, and
// that the macro put in parentheses: NULL, and numbers that have names.
func (f *File) HasMacroOperand(line, column int) bool { return f.operands[spot{line, column}] }

// isCallInParens reports a macro's call that made an expression in parentheses.
func (e *Expr) isCallInParens() bool {
	return e.Kind == Paren && e.Unparen().InsideCall() && !e.InsideCall()
}

// isJump reports statements that are code themselves.
func (k StmtKind) isJump() bool { return k == Return || k == Break || k == Continue || k == Goto }

// makesCode reports expressions that compilers make instructions of.
func (e *Expr) makesCode() bool {
	switch e.Kind {
	case Paren, Cast, Sizeof, InitList, IntLiteral, FloatLiteral, CharLiteral, StringLiteral:
		return false
	}
	return true
}

// HasToken reports whether a token is one of the expression's.
func (e *Expr) HasToken(t Token) bool { return t > 0 && e.first < int(t) && int(t) <= e.last+1 }

// HasToken reports whether a token is one of the statement's.
func (s *Stmt) HasToken(t Token) bool { return t > 0 && s.first < int(t) && int(t) <= s.last+1 }

// BeginsWith reports whether a token is the statement's first.
func (s *Stmt) BeginsWith(t Token) bool { return t > 0 && s.first == int(t)-1 }

// Token is the statement's first token.
func (s *Stmt) Token() Token { return Token(s.first + 1) }

// AtToken is At by a token.
func (f *File) AtToken(t Token) []*Expr { return f.unit.at[t] }

// StartingAtToken is StartingAt by a token.
func (f *File) StartingAtToken(t Token) []*Expr { return f.unit.starting[t] }

// StatementAtToken returns the innermost statement around a token; nil outside of
// functions.
func (f *File) StatementAtToken(t Token) *Stmt {
	i := int(t) - 1
	functions := f.unit.functions
	n := sort.Search(len(functions), func(n int) bool { return functions[n].Body.last >= i })
	var best *Stmt
	for ; n < len(functions) && functions[n].Body.first <= i; n++ {
		best = functions[n].Body
	}
	for best != nil {
		inner := slices.IndexFunc(best.Children, func(s *Stmt) bool { return s.first <= i && i <= s.last })
		if inner < 0 {
			return best
		}
		best = best.Children[inner]
	}
	return nil
}
