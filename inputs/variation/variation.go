// Package variation varies the tests of a program as fuzzers do: lines, words and
// characters of their inputs and arguments are changed, left out, doubled and exchanged,
// and what the program's source names is put in. Package inputs/grammar keeps to the form
// that all examples have; here that form is left, too, since what a program does with a
// wrong word is as much to be tested. It runs nothing: whether a variation is of use is the
// caller's to find out, who may have it varied in turn (Add), as evolutionary test
// generators do (Fraser and Zeller, "Mutation-Driven Generation of Unit Tests and
// Oracles", IEEE TSE 38(2), 2012).
//
// The same tests and the same seed give the same variations in the same order.
package variation

import (
	"bytes"
	"crypto/sha256"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/stream"
)

// Test is what a program is given.
type Test struct {
	Input []byte // nil where it has none
	Args  []string
	Files []inputs.File
	// From is the test that it was made of, by its place among those that were given.
	From int
}

// Generator makes variations.
type Generator struct {
	tests []Test
	draw  *rand.Rand
	seen  map[[sha256.Size]byte]bool
	words []string // of the tests, and those that the source names
}

const (
	// mostChanges are made to a test at a time; fruitless drafts in a row end the search.
	mostChanges, fruitless = 4, 200
	// mostBytes bounds an input, mostWords what is put in.
	mostBytes, mostWords = 1 << 14, 4096
)

// New makes a generator of a program's tests and of words that its source names (WordsOf).
func New(tests []Test, words []string, seed uint64, name string) *Generator {
	g := &Generator{draw: stream.New(seed, "inputs/variation "+name), seen: map[[sha256.Size]byte]bool{}, words: slices.Clone(words)}
	known := map[string]bool{}
	for i, t := range tests {
		t.From = i
		g.Add(t)
		g.seen[t.key()] = true
		for _, word := range append(append(bytes.Fields(t.Input), bytes.Fields([]byte(joined(t.Args)))...), fieldsOf(t.Files)...) {
			if w := string(word); !known[w] && len(g.words) < mostWords {
				known[w] = true
				g.words = append(g.words, w)
			}
		}
	}
	return g
}

func fieldsOf(files []inputs.File) (out [][]byte) {
	for _, f := range files {
		out = append(out, bytes.Fields([]byte(f.Text))...)
	}
	return out
}

func joined(args []string) string {
	var out []byte
	for _, a := range args {
		out = append(append(out, a...), '\n')
	}
	return string(out)
}

// Add has a test varied, too: one that was made, and was of use.
func (g *Generator) Add(t Test) {
	if len(t.Input) <= mostBytes && (t.Input != nil || len(t.Args)+len(t.Files) > 0) {
		g.tests = append(g.tests, t)
	}
}

// Next is the next variation; false where no other is found.
func (g *Generator) Next() (Test, bool) {
	if len(g.tests) == 0 {
		return Test{}, false
	}
	for range fruitless {
		t := g.tests[g.draw.IntN(len(g.tests))]
		t.Input, t.Args, t.Files = slices.Clone(t.Input), slices.Clone(t.Args), slices.Clone(t.Files)
		for range 1 + g.draw.IntN(mostChanges) {
			g.change(&t)
		}
		if key := t.key(); !g.seen[key] && len(t.Input) <= mostBytes {
			g.seen[key] = true
			return t, true
		}
	}
	return Test{}, false
}

func (t *Test) key() [sha256.Size]byte {
	key := append(append(slices.Clone(t.Input), 0), joined(t.Args)...)
	for _, f := range t.Files {
		key = append(append(append(append(key, 0), f.Name...), 0), f.Text...)
	}
	return sha256.Sum256(key)
}

// change varies the input, a file or an argument: what is read most often.
func (g *Generator) change(t *Test) {
	if len(t.Args) > 0 && (len(t.Input)+len(t.Files) == 0 || g.draw.IntN(4) == 0) {
		t.Args = g.changeArgs(t.Args)
		return
	}
	kind := changes[g.draw.IntN(len(changes))]
	if k := len(t.Files); k > 0 && (len(t.Input) == 0 || g.draw.IntN(2) == 0) {
		k = g.draw.IntN(k)
		t.Files[k].Text = string(g.changeText(kind, []byte(t.Files[k].Text), func(other Test) []byte {
			if len(other.Files) == 0 {
				return nil
			}
			return []byte(other.Files[min(k, len(other.Files)-1)].Text)
		}))
		return
	}
	t.Input = g.changeText(kind, t.Input, func(other Test) []byte { return other.Input })
}

// kind is what is changed of a text.
type kind int

const (
	someLines kind = iota
	aWord
	aCharacter
)

// changes has each kind as often as it is made.
var changes = [...]kind{someLines, someLines, aWord, aWord, aWord, aCharacter}

// changeText changes a text; of tells what there is in its place in another test.
func (g *Generator) changeText(k kind, text []byte, of func(Test) []byte) []byte {
	switch k {
	case someLines:
		return g.lines(text, of)
	case aWord:
		return g.word(text)
	}
	return g.character(text)
}

func (g *Generator) changeArgs(args []string) []string {
	at := g.draw.IntN(len(args))
	switch g.draw.IntN(6) {
	case 0:
		return slices.Delete(args, at, at+1)
	case 1:
		return slices.Insert(args, at, args[g.draw.IntN(len(args))])
	case 2:
		return slices.Insert(args, at, string(withoutZero([]byte(g.anyWord()))))
	case 3:
		args[at] = string(withoutZero(g.character([]byte(args[at]))))
	default:
		args[at] = string(withoutZero(g.instead([]byte(args[at]))))
	}
	return args
}

func withoutZero(text []byte) []byte { return bytes.ReplaceAll(text, []byte{0}, nil) }

// lines leaves a line out, doubles it, exchanges it with another, moves it, takes one of
// another test, of which it is told what there is in the text's place, or ends the text there.
func (g *Generator) lines(text []byte, of func(Test) []byte) []byte {
	list := bytes.SplitAfter(text, []byte("\n"))
	if len(list[len(list)-1]) == 0 {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return append([]byte(g.anyWord()), '\n')
	}
	at, other := g.draw.IntN(len(list)), g.draw.IntN(len(list))
	switch g.draw.IntN(6) {
	case 0:
		list = slices.Delete(list, at, at+1)
	case 1:
		list = slices.Insert(list, other, list[at])
	case 2:
		list[at], list[other] = list[other], list[at]
	case 3:
		list = list[:at]
	case 4: // some of them
		list = slices.Delete(list, min(at, other), max(at, other))
	default:
		from := bytes.SplitAfter(of(g.tests[g.draw.IntN(len(g.tests))]), []byte("\n"))
		if line := from[g.draw.IntN(len(from))]; len(line) > 0 {
			list = slices.Insert(list, at, line)
		}
	}
	return bytes.Join(list, nil)
}

// word leaves a word out, doubles it, or puts another in its place.
func (g *Generator) word(text []byte) []byte {
	words := 0
	for range wordsIn(text) {
		words++
	}
	if words == 0 {
		return append(text, g.anyWord()+"\n"...)
	}
	start, end := 0, 0
	left := g.draw.IntN(words)
	for start, end = range wordsIn(text) {
		if left == 0 {
			break
		}
		left--
	}
	word := text[start:end]
	var by []byte
	switch g.draw.IntN(8) {
	case 0:
	case 1:
		by = slices.Concat(word, []byte(" "), word)
	default:
		by = g.instead(word)
	}
	return slices.Concat(text[:start], by, text[end:])
}

// wordsIn goes through the words of a text: where each begins and ends.
func wordsIn(text []byte) iter.Seq2[int, int] {
	space := func(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' && b != '\v' }
	return func(yield func(int, int) bool) {
		for i := 0; i < len(text); i++ {
			start := i
			for i < len(text) && !space(text[i]) {
				i++
			}
			if start < i && !yield(start, i) {
				return
			}
		}
	}
}

// instead is what may stand in the place of a word: for a number most often another one.
func (g *Generator) instead(word []byte) []byte {
	x, err := strconv.ParseInt(string(word), 10, 64)
	if err != nil || g.draw.IntN(4) == 0 {
		return []byte(g.anyWord())
	}
	switch g.draw.IntN(6) {
	case 0:
		x++
	case 1:
		x--
	case 2:
		x = 0
	case 3:
		x = -x
	case 4:
		most := min(max(x, -x, 10), math.MaxInt64/2-1)
		x = g.draw.Int64N(2*most+1) - most
	default:
		return []byte(g.anyWord())
	}
	return strconv.AppendInt(nil, x, 10)
}

// anyWord is a word of the tests or of the source, or one as there is none.
func (g *Generator) anyWord() string {
	if len(g.words) == 0 || g.draw.IntN(8) == 0 {
		return string([]byte{byte('!' + g.draw.IntN('~'-'!'+1))})
	}
	return g.words[g.draw.IntN(len(g.words))]
}

// character changes, leaves out or adds one character. Some are of two bytes, which are
// negative where char has a sign.
func (g *Generator) character(text []byte) []byte {
	one := []byte{byte(' ' + g.draw.IntN('~'-' '+1))}
	switch g.draw.IntN(16) {
	case 0, 1:
		one[0] = "\n\t \x00"[g.draw.IntN(4)]
	case 2:
		one = []byte("é")
	}
	at := g.draw.IntN(len(text) + 1)
	switch {
	case at == len(text) || g.draw.IntN(3) == 0:
		return slices.Insert(text, at, one...)
	case g.draw.IntN(2) == 0:
		return slices.Delete(text, at, at+1)
	}
	return slices.Replace(text, at, at+1, one...)
}
