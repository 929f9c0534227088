package grammar

import (
	"slices"
)

// Accepts reports whether an input has the grammar.
func (g *Grammar) Accepts(input []byte) bool {
	if len(input) > maxBytes {
		return false
	}
	lines, tail := splitLines(input)
	t, ok := g.layout.cut(lines, tail)
	return ok && g.acceptsLines(t) && g.acceptsLinks(t) && g.acceptsRelations(t)
}

func (g *Grammar) acceptsLines(t *tree) bool {
	ok := true
	t.each(func(c class, _ int, l *line) {
		r := g.lines[c]
		ok = ok && r != nil && r.accepts(l)
	})
	return ok
}

func (r *lineRule) accepts(l *line) bool {
	n := len(l.words)
	if n < r.least || n > r.most {
		return false
	}
	for k, w := range l.words {
		if !r.slot(k).accepts(w) {
			return false
		}
	}
	if !r.sorted && !r.falling && !r.distinct {
		return true
	}
	sorted, falling, distinct := orderOf(l.words[min(r.lead, n):])
	return (sorted || !r.sorted) && (falling || !r.falling) && (distinct || !r.distinct)
}

func (s *slot) accepts(word string) bool {
	switch {
	case s.few != nil:
		return slices.Contains(s.few, word)
	case s.kind == Word:
		return len(word) >= s.shortest && len(word) <= s.longest && s.spells(word)
	case KindOf(word) == Word || KindOf(word) > s.kind:
		return false
	}
	v := value(word)
	return v >= s.least && v <= s.most
}

func (s *slot) spells(word string) bool {
	for i := range len(word) {
		if _, ok := slices.BinarySearch(s.letters, word[i]); !ok {
			return false
		}
	}
	return true
}

func (g *Grammar) acceptsLinks(t *tree) bool {
	for _, l := range g.links {
		for _, s := range l.feature.samples(t) {
			in, _ := itemFor(l.source.class, l.feature.class, s.item)
			v, ok := t.number(l.source, in)
			if !ok || s.length-v != l.difference {
				return false
			}
		}
	}
	return true
}

func (g *Grammar) acceptsRelations(t *tree) bool {
	for _, r := range g.relations {
		if !r.check(g, t, func() {}) {
			return false
		}
	}
	return true
}
