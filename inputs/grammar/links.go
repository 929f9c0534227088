package grammar

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// what a feature measures.
const (
	countWords   = iota // of a line
	countLetters        // of the word in a column
	countItems          // of a block: class.pos is 0
)

// feature is a length that a number may count.
type feature struct {
	ref
	what int
}

// group is numbers and lengths that change together, by the same amount.
type group struct {
	sources  []ref
	features []feature
	// least and most bound the first source.
	least, most int64
	// local: all of it is in one item of a block, which changes alone.
	local bool
}

// link says that a feature's length is a number plus a difference.
type link struct {
	source     ref
	feature    feature
	difference int64
}

// sample is a feature's length in one line of one input.
type sample struct {
	input, item int
	length      int64
}

// samples measures a feature in all inputs.
func (g *Grammar) samples(f feature) []sample {
	var out []sample
	for k, t := range g.inputs {
		for _, s := range f.samples(t) {
			s.input = k
			out = append(out, s)
		}
	}
	return out
}

// samples measures a feature in one input.
func (f feature) samples(t *tree) []sample {
	if f.what == countItems {
		return []sample{{length: int64(len(t.sections[f.section]))}}
	}
	var out []sample
	for i, it := range t.sections[f.section] {
		if f.pos >= len(it) {
			continue
		}
		words := it[f.pos].words
		if f.what == countWords {
			out = append(out, sample{item: i, length: int64(len(words))})
		} else if f.column < len(words) {
			out = append(out, sample{item: i, length: int64(len(words[f.column]))})
		}
	}
	return out
}

// itemFor is the item of a source that belongs to an item of another section: the
// same one in the same block, else the only one. ok is false where there is none.
func itemFor(source, of class, in int) (item int, ok bool) {
	if source.section%2 == 0 {
		return 0, true
	}
	return in, source.section == of.section
}

// features lists what could be counted.
func (g *Grammar) features() []feature {
	var out []feature
	for _, c := range g.classes {
		if c.section%2 == 1 && c.pos == 0 {
			out = append(out, feature{ref{c, 0}, countItems})
		}
		r := g.lines[c]
		out = append(out, feature{ref{c, 0}, countWords})
		for column, s := range r.slots {
			if r.words >= 0 && s.kind == Word && s.few == nil || r.words >= 0 && s.kind == Integer && s.longest > 4 {
				out = append(out, feature{ref{c, column}, countLetters})
			}
		}
	}
	return out
}

// sources lists the integers with a column of their own.
func (g *Grammar) sources() []ref {
	var out []ref
	for _, c := range g.classes {
		r := g.lines[c]
		for column, s := range r.slots {
			if s.kind == Integer && (r.words >= 0 || column < r.lead) {
				out = append(out, ref{c, column})
			}
		}
	}
	return out
}

// findGroups finds which numbers count which lengths, and joins what changes
// together. A number that may count something that never changes is fixed.
func (g *Grammar) findGroups() {
	j := joiner{}
	for _, b := range g.layout.blocks {
		g.at(b.source).fixed = true
	}
	for _, f := range g.features() {
		samples := g.samples(f)
		varies := slices.ContainsFunc(samples, func(s sample) bool { return s.length != samples[0].length })
		linked := false
		for _, source := range g.sources() {
			difference, ok := g.counts(source, f, samples)
			if !ok {
				continue
			}
			if !varies {
				if difference == 0 {
					g.at(source).fixed = true
				}
				continue
			}
			linked = true
			g.at(source).fixed = true
			g.links = append(g.links, link{source, f, difference})
			j.join(feature{source, -1}, f)
		}
		if varies && !linked {
			g.unexplained(f)
		}
	}
	g.groups = j.groups(g)
}

// counts reports whether a feature's length is the source plus a small constant,
// in every line.
func (g *Grammar) counts(source ref, f feature, samples []sample) (difference int64, ok bool) {
	if f.what != countItems && source.section == f.section && source.pos > f.pos || source == f.ref && f.what == countLetters {
		return 0, false
	}
	for n, s := range samples {
		in, ok := itemFor(source.class, f.class, s.item)
		if f.what == countItems && source.section%2 == 1 {
			ok = false
		}
		if !ok {
			return 0, false
		}
		v, ok := g.inputs[s.input].number(source, in)
		d := s.length - v
		if !ok || n > 0 && d != difference || d < -1 || d > 1 {
			return 0, false
		}
		difference = d
	}
	return difference, len(samples) > 0
}

// unexplained deals with a length that varies and that no number counts. Words
// may have any length; of lines and blocks the length is kept, and since it may
// hang on any number of the head, these are kept too.
func (g *Grammar) unexplained(f feature) {
	if f.what == countLetters {
		g.at(f.ref).free = true
		return
	}
	for _, source := range g.sources() {
		if source.section == 0 {
			g.at(source).fixed = true
		}
	}
}

func (g *Grammar) at(r ref) *slot { return g.lines[r.class].slot(r.column) }

// joiner is a union-find over features; sources are features that measure nothing (-1).
type joiner struct {
	parent map[feature]feature
	order  []feature
}

func (j *joiner) find(f feature) feature {
	if j.parent == nil {
		j.parent = map[feature]feature{}
	}
	p, ok := j.parent[f]
	if !ok {
		j.parent[f] = f
		j.order = append(j.order, f)
		return f
	}
	if p == f {
		return f
	}
	root := j.find(p)
	j.parent[f] = root
	return root
}

func (j *joiner) join(a, b feature) {
	if ra, rb := j.find(a), j.find(b); ra != rb {
		j.parent[rb] = ra
	}
}

func (j *joiner) groups(g *Grammar) []*group {
	of := map[feature]*group{}
	var out []*group
	for _, f := range j.order {
		root := j.find(f)
		if of[root] == nil {
			of[root] = &group{}
			out = append(out, of[root])
		}
		if f.what < 0 {
			of[root].sources = append(of[root].sources, f.ref)
		} else {
			of[root].features = append(of[root].features, f)
		}
	}
	return slices.DeleteFunc(out, func(x *group) bool { return !x.settle(g) })
}

// settle finds a group's bounds and its reach; false where it cannot change.
func (x *group) settle(g *Grammar) bool {
	if len(x.sources) == 0 {
		return false
	}
	first := x.sources[0]
	s := g.at(first)
	x.least, x.most = int64(s.least), int64(s.most)
	x.local = first.section%2 == 1
	for _, r := range x.sources[1:] {
		if (r.section%2 == 1) != x.local || x.local && r.section != first.section {
			return false
		}
	}
	for _, f := range x.features {
		if x.local && f.section != first.section {
			return false
		}
	}
	return x.least < x.most
}

// value is a number's; KindOf has seen to it that it is one.
func value(word string) float64 {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// relation holds between two numbers of every input: x <= y, x < y, or x != y.
type relation struct {
	x, y ref
	kind relationKind
}

type relationKind uint8

const (
	differs relationKind = iota
	atMost
	below
)

func (k relationKind) holds(x, y float64) bool {
	switch k {
	case atMost:
		return x <= y
	case below:
		return x < y
	}
	return x != y
}

// findRelations finds what holds between any number and one with a column of its
// own, in the same item or in a section with one item. Where an order is strict
// that is the relation.
func (g *Grammar) findRelations() {
	numbers := g.sources()
	for _, c := range g.classes {
		if r := g.lines[c]; r.words < 0 && r.list().kind == Integer {
			numbers = append(numbers, ref{c, items})
		}
	}
	for _, x := range numbers {
		for _, y := range g.sources() {
			if x == y {
				continue
			}
			for _, kind := range []relationKind{below, atMost, differs} {
				if r := (relation{x, y, kind}); g.always(r) {
					g.relations = append(g.relations, r)
					break
				}
			}
		}
	}
	slices.SortFunc(g.relations, func(a, b relation) int { return cmp.Compare(a.kind, b.kind) })
}

// always reports whether all inputs have a relation, and at least one has both
// numbers.
func (g *Grammar) always(r relation) bool {
	if _, ok := itemFor(r.y.class, r.x.class, 0); !ok {
		return false
	}
	pairs := 0
	for _, t := range g.inputs {
		ok := r.check(g, t, func() { pairs++ })
		if !ok {
			return false
		}
	}
	return pairs > 0
}

// check reports whether an input has a relation; seen is told of every pair.
func (r relation) check(g *Grammar, t *tree, seen func()) bool {
	for i, it := range t.sections[r.x.section] {
		in, _ := itemFor(r.y.class, r.x.class, i)
		if r.x.pos >= len(it) {
			continue
		}
		y, ok := t.number(r.y, in)
		if !ok {
			continue
		}
		words := it[r.x.pos].words
		from, to := r.x.column, r.x.column+1
		if r.x.column == items {
			from, to = g.lines[r.x.class].lead, len(words)
		}
		for _, w := range words[min(from, len(words)):min(to, len(words))] {
			x, ok := integer(w)
			if !ok {
				continue
			}
			seen()
			if !r.kind.holds(float64(x), float64(y)) {
				return false
			}
		}
	}
	return true
}
