package features

import (
	"math"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/features/ngram"
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
		original, mutated := ngram.Tokens(m.Original), ngram.Tokens(m.Replacement)
		row[0] = s.p.language.entropy(original, original)
		row[1] = s.p.language.entropy(mutated, original)
		row[2] = row[1] - row[0]
		row[3], row[4] = float64(len(original)), float64(len(mutated))
	},
}

// language counts runs of up to three tokens.
type language struct {
	one   map[ngram.Token]float64
	two   map[[2]ngram.Token]float64
	three map[[3]ngram.Token]float64
	total float64
}

// languageOf counts the expressions and statements of a file.
func languageOf(f *csource.File) *language {
	l := &language{one: map[ngram.Token]float64{}, two: map[[2]ngram.Token]float64{}, three: map[[3]ngram.Token]float64{}}
	for _, function := range f.Functions() {
		function.Body.Walk(func(st *csource.Stmt) bool {
			for _, e := range st.Exprs {
				l.add(ngram.Tokens(e.Text()), 1)
			}
			return true
		})
	}
	return l
}

func (l *language) add(tokens []ngram.Token, n float64) {
	a, b := ngram.Outside, ngram.Outside
	for _, c := range tokens {
		l.one[c] += n
		l.two[[2]ngram.Token{b, c}] += n
		l.three[[3]ngram.Token{a, b, c}] += n
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
func (l *language) entropy(tokens, without []ngram.Token) float64 {
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
			p = (max(0, l.two[[2]ngram.Token{b, c}]) + weight*p) / (max(0, l.one[b], l.two[[2]ngram.Token{b, c}]) + weight)
			if k > 1 {
				a := tokens[k-2]
				p = (max(0, l.three[[3]ngram.Token{a, b, c}]) + weight*p) / (max(0, l.two[[2]ngram.Token{a, b}], l.three[[3]ngram.Token{a, b, c}]) + weight)
			}
		}
		bits -= math.Log2(min(p, 1))
	}
	return bits / float64(len(tokens))
}
