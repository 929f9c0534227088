package ngram

import (
	"slices"
	"strings"
)

// Token is a class of words: an operator by its bytes, or one of these.
type Token uint32

const (
	outside Token = iota
	nameToken
	zeroToken
	oneToken
	numberToken
	textToken
	keywordToken // and those after it, one for each keyword
)

var keywords = []string{
	"break", "case", "char", "const", "continue", "default", "do", "double", "else", "float", "for", "goto", "if", "int", "long", "return",
	"short", "signed", "sizeof", "static", "struct", "switch", "union", "unsigned", "void", "while",
}

// operatorBit marks an operator; its bytes are in the lower 24 bits.
const operatorBit = 1 << 31

var classNames = [...]string{outside: "(outside)", nameToken: "(name)", zeroToken: "0", oneToken: "1", numberToken: "(number)", textToken: "(text)"}

// String is the token's spelling: an operator's or keyword's own, or its class.
func (t Token) String() string {
	switch {
	case t&operatorBit != 0:
		var out []byte
		for shift := 16; shift >= 0; shift -= 8 {
			if b := byte(t >> shift); b != 0 {
				out = append(out, b)
			}
		}
		return string(out)
	case t < keywordToken:
		return classNames[t]
	case int(t-keywordToken) < len(keywords):
		return keywords[t-keywordToken]
	}
	return "(unknown)"
}

// tokenOf is the inverse of String.
func tokenOf(spelling string) (Token, bool) {
	for t, name := range classNames {
		if name == spelling {
			return Token(t), true
		}
	}
	out := Tokens(spelling)
	return append(out, 0)[0], len(out) == 1 && out[0].String() == spelling
}

// Outside stands before the first token of a text.
const Outside = outside

// Tokens cuts C text into tokens; comments are none.
func Tokens(text string) []Token {
	tokens, _ := Scan(text)
	return tokens
}

// Scan is Tokens with the byte at which each token starts.
func Scan(text string) (out []Token, starts []int) {
	for at := 0; at < len(text); {
		from := at
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
			continue
		case strings.HasPrefix(text[at:], "//"):
			at += lineLength(text[at:])
			continue
		case strings.HasPrefix(text[at:], "/*"):
			if n := strings.Index(text[at+2:], "*/"); n >= 0 {
				at += n + 4
			} else {
				at = len(text)
			}
			continue
		case isLetter(c):
			for at < len(text) && (isLetter(text[at]) || isDigit(text[at])) {
				at++
			}
			if k, ok := slices.BinarySearch(keywords, text[from:at]); ok {
				out = append(out, keywordToken+Token(k))
			} else {
				out = append(out, nameToken)
			}
		case isDigit(c):
			for at < len(text) && (isLetter(text[at]) || isDigit(text[at]) || text[at] == '.') {
				at++
			}
			switch text[from:at] {
			case "0":
				out = append(out, zeroToken)
			case "1":
				out = append(out, oneToken)
			default:
				out = append(out, numberToken)
			}
		case c == '"' || c == '\'':
			for at++; at < len(text) && text[at] != c; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			at = min(at+1, len(text))
			out = append(out, textToken)
		default:
			for at++; at < len(text) && at-from < 3 && isOperator(text[from:at+1]); {
				at++
			}
			t := Token(0)
			for _, b := range []byte(text[from:at]) {
				t = t<<8 | Token(b)
			}
			out = append(out, t|operatorBit)
		}
		starts = append(starts, from)
	}
	return out, starts
}

func lineLength(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isOperator(text string) bool {
	switch text {
	case "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "<<=", ">>=":
		return true
	}
	return false
}
