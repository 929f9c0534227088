// Package ngram is a language model of C: how surprising a token is after the two
// before it. Lines that developers write repeat themselves, and faulty ones do so
// less (Hindle et al., ICSE 2012; Ray et al., ICSE 2016).
//
// Tokens are classes: names, numbers other than 0 and 1, and strings each count
// as one, keywords and operators as themselves, so that no name of a user is
// learnt. Counts of runs of three tokens within a line are smoothed by
// interpolated Kneser-Ney (Kneser and Ney, ICASSP 1995; Chen and Goodman,
// Computer Speech and Language 13, 1999, equation 30): shorter contexts count in
// how many different contexts a token was seen, not how often.
//
// Corpus is a model that ships: of zlib, Lua and SQLite, trained by make
// model-language. It is statistics, no text. A model's file is
//
//	"winnow ngram 1\n"
//	the number of tokens, and of each its length and spelling
//	the number of runs, and of each the difference of its key to the one before,
//	and its count
//
// with all numbers as unsigned varints, and runs in the order of their keys: the
// run of tokens a, b, c, by their places among n tokens, has the key (a*n+b)*n+c.
// One corpus gives the same bytes always.
package ngram

import (
	"math"
	"slices"
	"strings"
)

// Model tells how likely a token is after two others.
type Model struct {
	symbols []Token // by their places, sorted
	runs    map[uint32]uint32
	// two and one are of contexts of so many tokens, by their places. follows
	// counts, by a context of one token and what follows, the different tokens
	// before; firsts sums that up by what follows.
	two, one  []context
	follows   []uint32
	firsts    []uint32
	all       context
	discounts [3]float64 // by the length of the context
}

// context is what was seen after a context.
type context struct {
	total    uint32 // tokens, or different contexts of them
	distinct uint32 // different tokens
}

// Trainer counts the lines of a corpus.
type Trainer struct{ runs map[[3]Token]uint32 }

// Add counts the lines of a C file. Preprocessor directives and comments are not
// counted.
func (t *Trainer) Add(source string) {
	if t.runs == nil {
		t.runs = map[[3]Token]uint32{}
	}
	source = strings.ReplaceAll(source, "\\\n", " ")
	for line := range strings.Lines(withoutBlockComments(source)) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		a, b := outside, outside
		for _, c := range Tokens(line) {
			t.runs[[3]Token{a, b, c}]++
			a, b = b, c
		}
	}
}

// withoutBlockComments puts a space into the place of each comment in /* */, which
// may go over lines.
func withoutBlockComments(source string) string {
	var b strings.Builder
	for at := 0; at < len(source); {
		switch c := source[at]; {
		case c == '"' || c == '\'':
			end := at + 1
			for end < len(source) && source[end] != c && source[end] != '\n' {
				if source[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(source))
			b.WriteString(source[at:end])
			at = end
		case strings.HasPrefix(source[at:], "//"):
			at += lineLength(source[at:])
		case strings.HasPrefix(source[at:], "/*"):
			n := strings.Index(source[at+2:], "*/")
			if n < 0 {
				return b.String()
			}
			b.WriteByte(' ')
			at += n + 4
		default:
			b.WriteByte(c)
			at++
		}
	}
	return b.String()
}

// Model is the model of what was counted.
func (t *Trainer) Model() *Model {
	seen := map[Token]bool{outside: true}
	for run := range t.runs {
		seen[run[2]] = true
	}
	m := &Model{runs: map[uint32]uint32{}}
	for s := range seen {
		m.symbols = append(m.symbols, s)
	}
	slices.Sort(m.symbols)
	for run, n := range t.runs {
		m.runs[m.key(m.place(run[0]), m.place(run[1]), m.place(run[2]))] = n
	}
	m.prepare()
	return m
}

// place is a token's place; one that was never seen has the last.
func (m *Model) place(t Token) uint32 {
	if k, ok := slices.BinarySearch(m.symbols, t); ok {
		return uint32(k)
	}
	return uint32(len(m.symbols))
}

func (m *Model) key(a, b, c uint32) uint32 {
	n := uint32(len(m.symbols))
	return (a*n+b)*n + c
}

// prepare sums the runs up.
func (m *Model) prepare() {
	n := uint32(len(m.symbols))
	m.two, m.one = make([]context, n*n), make([]context, n)
	m.follows, m.firsts = make([]uint32, n*n), make([]uint32, n)
	for key, count := range m.runs {
		m.two[key/n].total += count
		m.two[key/n].distinct++
		m.follows[key%(n*n)]++
	}
	for pair, before := range m.follows {
		if before > 0 {
			m.one[uint32(pair)/n].total += before
			m.one[uint32(pair)/n].distinct++
			m.firsts[uint32(pair)%n]++
		}
	}
	for _, before := range m.firsts {
		if before > 0 {
			m.all.total += before
			m.all.distinct++
		}
	}
	counts := make([]uint32, 0, len(m.runs))
	for _, count := range m.runs {
		counts = append(counts, count)
	}
	m.discounts = [3]float64{discount(m.firsts), discount(m.follows), discount(counts)}
}

// discount is what is taken from each count and given to shorter contexts (Ney,
// Essen and Kneser, 1994): n1 / (n1 + 2 n2), where nk runs were counted k times.
func discount(counts []uint32) float64 {
	var n [3]float64
	for _, c := range counts {
		if c < 3 {
			n[c]++
		}
	}
	if n[1] == 0 {
		return 0.5
	}
	return n[1] / (n[1] + 2*n[2])
}

// share is a token's part of a context, and of what the discount leaves over.
func (c context) share(count uint32, discount, shorter float64) float64 {
	if c.total == 0 {
		return shorter
	}
	return (max(float64(count)-discount, 0) + discount*float64(c.distinct)*shorter) / float64(c.total)
}

// probability is that of the token in place c after those in places a and b.
func (m *Model) probability(a, b, c uint32) float64 {
	n := uint32(len(m.symbols))
	p := 1 / float64(n+1)
	count := func(counts []uint32, at uint32) uint32 {
		if c == n {
			return 0 // never seen
		}
		return counts[at]
	}
	p = m.all.share(count(m.firsts, c), m.discounts[0], p)
	if b == n {
		return p
	}
	p = m.one[b].share(count(m.follows, b*n+c), m.discounts[1], p)
	if a == n {
		return p
	}
	seen := uint32(0)
	if c < n {
		seen = m.runs[m.key(a, b, c)]
	}
	return m.two[a*n+b].share(seen, m.discounts[2], p)
}

// Surprise appends the surprise of each token of a line to bits, in bits: less the
// logarithm of its probability after those before it.
func (m *Model) Surprise(bits []float64, line []Token) []float64 {
	a, b := m.place(outside), m.place(outside)
	for _, t := range line {
		c := m.place(t)
		bits = append(bits, -math.Log2(m.probability(a, b, c)))
		a, b = b, c
	}
	return bits
}
