package features

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/mutant"
)

var naturalness = Family{
	Name: "naturalness",
	Doc: "How common the original and the mutated text are in the rest of the program, by a model of three tokens trained on the program's own statements " +
		"without this occurrence. Names and numbers count as classes. Missing where there is no C source.",
	Columns: []Column{
		{Name: "entropy_original", Unit: "bits per token", Source: "own", Layout: true, Doc: "cross-entropy of the original text"},
		{Name: "entropy_mutated", Unit: "bits per token", Source: "own", Layout: true, Doc: "cross-entropy of the mutated text"},
		{Name: "entropy_difference", Unit: "bits per token", Source: "own", Layout: true, Doc: "the second less the first: how much less natural the mutant is"},
		{Name: "tokens_original", Unit: "tokens", Source: "own", Doc: "tokens of the original text"},
		{Name: "tokens_mutated", Unit: "tokens", Source: "own", Doc: "tokens of the mutated text"},
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		for k := range row {
			row[k] = math.NaN()
		}
		if s.p.in.source == nil {
			return
		}
		if s.p.language == nil {
			s.p.language = languageOf(s.p.in.source)
		}
		original, mutated := tokensOf(m.Original), tokensOf(m.Replacement)
		row[0] = s.p.language.entropy(original, original)
		row[1] = s.p.language.entropy(mutated, original)
		row[2] = row[1] - row[0]
		row[3], row[4] = float64(len(original)), float64(len(mutated))
	},
}

// token is a class of words: an operator by its bytes, or one of these.
type token uint32

const (
	outside token = iota
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

// tokensOf cuts C text into tokens.
func tokensOf(text string) []token {
	var out []token
	for at := 0; at < len(text); {
		from := at
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
			continue
		case isLetter(c):
			for at < len(text) && (isLetter(text[at]) || isDigit(text[at])) {
				at++
			}
			if k, ok := slices.BinarySearch(keywords, text[from:at]); ok {
				out = append(out, keywordToken+token(k))
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
			t := token(1 << 31)
			for _, b := range []byte(text[from:at]) {
				t = t<<8 | token(b)
			}
			out = append(out, t|1<<30)
		}
	}
	return out
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

// language counts runs of up to three tokens.
type language struct {
	one   map[token]float64
	two   map[[2]token]float64
	three map[[3]token]float64
	total float64
}

// languageOf counts the expressions and statements of a file.
func languageOf(f *csource.File) *language {
	l := &language{one: map[token]float64{}, two: map[[2]token]float64{}, three: map[[3]token]float64{}}
	for _, function := range f.Functions() {
		function.Body.Walk(func(st *csource.Stmt) bool {
			for _, e := range st.Exprs {
				l.add(tokensOf(e.Text()), 1)
			}
			return true
		})
	}
	return l
}

func (l *language) add(tokens []token, n float64) {
	a, b := outside, outside
	for _, c := range tokens {
		l.one[c] += n
		l.two[[2]token{b, c}] += n
		l.three[[3]token{a, b, c}] += n
		l.total += n
		a, b = b, c
	}
}

// alphabet is how many tokens the model gives a chance to, whether seen or not.
const alphabet = 80

// entropy is the mean surprise of a text's tokens within it, without one
// occurrence of another text. The estimate of three tokens leans on that of two,
// and that on one, by Dirichlet smoothing. The first two tokens have no context:
// the text is part of a larger one.
func (l *language) entropy(tokens, without []token) float64 {
	if len(tokens) == 0 {
		return math.NaN()
	}
	l.add(without, -1)
	defer l.add(without, 1)
	const weight = 2
	bits := 0.0
	for k, c := range tokens {
		p := (max(0, l.one[c]) + 1) / (max(0, l.total) + alphabet)
		if k > 0 {
			b := tokens[k-1]
			p = (max(0, l.two[[2]token{b, c}]) + weight*p) / (max(0, l.one[b], l.two[[2]token{b, c}]) + weight)
			if k > 1 {
				a := tokens[k-2]
				p = (max(0, l.three[[3]token{a, b, c}]) + weight*p) / (max(0, l.two[[2]token{a, b}], l.three[[3]token{a, b, c}]) + weight)
			}
		}
		bits -= math.Log2(min(p, 1))
	}
	return bits / float64(len(tokens))
}
