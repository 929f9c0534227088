package grammar

import (
	"crypto/sha256"
	"iter"
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Input is an input that was made.
type Input struct {
	Data []byte
	// From is the input it was made of, by its place among Infer's.
	From int
	// Mutators are the names of those that made it, in order.
	Mutators []string
}

// mostMutators change one input; fruitless drafts in a row end the search.
const (
	mostMutators = 3
	fruitless    = 200
	// streamName is what streams of random numbers are called here, whatever the
	// package is: with another name, recorded histories could not be made again.
	streamName = "dataset/augment "
)

// editor changes one input.
type editor struct {
	g    *Grammar
	t    *tree
	draw *rand.Rand
}

// Inputs makes inputs that have the grammar, each once, and none that there was.
// It ends when it finds no more. The name is the program's: programs draw from
// streams of their own.
func (g *Grammar) Inputs(seed uint64, name string) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		if g == nil {
			return
		}
		draw := stream.New(seed, streamName+name)
		seen := map[[sha256.Size]byte]bool{}
		for _, t := range g.inputs {
			seen[sha256.Sum256(t.bytes())] = true
		}
		for misses := 0; misses < fruitless; misses++ {
			in := g.draft(draw)
			if len(in.Mutators) == 0 || !g.Accepts(in.Data) {
				continue
			}
			key := sha256.Sum256(in.Data)
			if seen[key] {
				continue
			}
			seen[key] = true
			misses = 0
			if !yield(in) {
				return
			}
		}
	}
}

// draft changes one of the inputs; what comes out may break the grammar.
func (g *Grammar) draft(draw *rand.Rand) Input {
	k := draw.IntN(len(g.inputs))
	e := &editor{g: g, t: g.inputs[k].clone(), draw: draw}
	in := Input{From: g.from[k]}
	all := Mutators()
	for range 1 + draw.IntN(mostMutators) {
		if m := all[draw.IntN(len(all))]; m.apply(e) {
			in.Mutators = append(in.Mutators, m.Name)
		}
	}
	in.Data = e.t.bytes()
	return in
}

// place is a word of an input.
type place struct {
	class
	item, column int
}

func (e *editor) word(p place) *string {
	return &e.t.sections[p.section][p.item][p.pos].words[p.column]
}

// places lists the words whose slots are wanted.
func (e *editor) places(wanted func(r *lineRule, s *slot) bool) []place {
	var out []place
	e.t.each(func(c class, item int, l *line) {
		r := e.g.lines[c]
		for column := range l.words {
			if s := r.slot(column); !s.fixed && wanted(r, s) {
				out = append(out, place{c, item, column})
			}
		}
	})
	return out
}

func pickOne[T any](draw *rand.Rand, list []T) (one T, ok bool) {
	if len(list) == 0 {
		return one, false
	}
	return list[draw.IntN(len(list))], true
}
