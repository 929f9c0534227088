package features

import (
	"math"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/features/ngram"
)

var naturalness = Family{
	Name: "naturalness",
	Doc: "How common the original and the mutated text are in the rest of the program, by a model of three tokens trained on the program's own statements " +
		"without this occurrence. Names and numbers count as classes. Missing where there is no C source.",
	Columns: []Column{
		{Name: "entropy_original", Unit: "bits per token", Source: "own", Beyond: Others, Doc: "cross-entropy of the original text"},
		{Name: "entropy_mutated", Unit: "bits per token", Source: "own", Beyond: Others, Doc: "cross-entropy of the mutated text"},
		{Name: "entropy_difference", Unit: "bits per token", Source: "own", Beyond: Others, Doc: "the second less the first: how much less natural the mutant is"},
		{Name: "tokens_original", Unit: "tokens", Source: "own", Doc: "tokens of the original text"},
		{Name: "tokens_mutated", Unit: "tokens", Source: "own", Doc: "tokens of the mutated text"},
	},
	Requires: []Requirement{ownLanguage},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		known := ownLanguage.of(m.owner())
		if known == nil {
			return
		}
		original, mutated := ngram.Tokens(m.Identity.Original), ngram.Tokens(m.Identity.Replacement)
		here := newLanguage()
		here.add(original)
		row[0] = known.entropy(original, here)
		row[1] = known.entropy(mutated, here)
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

func newLanguage() *language {
	return &language{one: map[ngram.Token]float64{}, two: map[[2]ngram.Token]float64{}, three: map[[3]ngram.Token]float64{}}
}

// ownLanguage counts the expressions and statements of the program's source; nil
// without one.
var ownLanguage = &analysis[*program, *language]{
	name: "language of the program",
	find: func(p *program) *language {
		if p.inputs.source == nil {
			return nil
		}
		l := newLanguage()
		for _, function := range p.inputs.source.Functions() {
			function.Body.Walk(func(st *csource.Stmt) bool {
				for _, e := range st.Exprs {
					l.add(ngram.Tokens(e.Text()))
				}
				return true
			})
		}
		return l
	},
}

func (l *language) add(tokens []ngram.Token) {
	a, b := ngram.Outside, ngram.Outside
	for _, c := range tokens {
		l.one[c]++
		l.two[[2]ngram.Token{b, c}]++
		l.three[[3]ngram.Token{a, b, c}]++
		l.total++
		a, b = b, c
	}
}

// alphabet is how many tokens the model gives a chance to, whether seen or not.
const alphabet = 80

// entropy is the mean surprise of a text's tokens within it, without one
// occurrence of another text, whose runs are counted in without. The estimate of three
// tokens leans on that of two, and that on one, by Dirichlet smoothing. The first two
// tokens have no context: the text is part of a larger one.
func (l *language) entropy(tokens []ngram.Token, without *language) float64 {
	if len(tokens) == 0 {
		return math.NaN()
	}
	one := func(a ngram.Token) float64 { return max(0, l.one[a]-without.one[a]) }
	two := func(a, b ngram.Token) float64 {
		pair := [2]ngram.Token{a, b}
		return max(0, l.two[pair]-without.two[pair])
	}
	const weight = 2
	bits := 0.0
	for k, c := range tokens {
		p := (one(c) + 1) / (max(0, l.total-without.total) + alphabet)
		if k > 0 {
			b := tokens[k-1]
			p = (two(b, c) + weight*p) / (max(one(b), two(b, c)) + weight)
			if k > 1 {
				a := tokens[k-2]
				three := [3]ngram.Token{a, b, c}
				n := max(0, l.three[three]-without.three[three])
				p = (n + weight*p) / (max(two(a, b), n) + weight)
			}
		}
		bits -= math.Log2(min(p, 1))
	}
	return bits / float64(len(tokens))
}
