package grammar

import (
	"slices"
)

// letters changes a word to other letters that are seen at its place; a word of
// any length may also grow and shrink. Names are exchanged for other names.
var letters = Mutator{
	Name: "letters",
	Doc:  "other letters of those seen at that place, all the same, or more or fewer where any number is seen",
	apply: func(e *editor) bool {
		p, ok := pickOne(e.draw, e.places(func(_ *lineRule, s *slot) bool { return s.kind == Word }))
		if !ok {
			return false
		}
		s, word := e.g.lines[p.class].slot(p.column), e.word(p)
		before := *word
		switch {
		case s.few != nil:
			*word = s.few[e.draw.IntN(len(s.few))]
		case s.free && e.draw.IntN(2) == 0:
			to := s.shortest + e.draw.IntN(s.longest-s.shortest+1)
			if e.draw.IntN(2) == 0 {
				to = min(max(len(before)+1-2*e.draw.IntN(2), s.shortest), s.longest)
			}
			*word = e.resizeWord(s, before, to-len(before))
		case e.draw.IntN(4) == 0:
			*word = string(slices.Repeat([]byte{e.letter(s)}, len(before)))
		default:
			text := []byte(before)
			for range 1 + e.draw.IntN(3) {
				text[e.draw.IntN(len(text))] = e.letter(s)
			}
			*word = string(text)
		}
		return *word != before
	},
}

func (e *editor) letter(s *slot) byte { return s.letters[e.draw.IntN(len(s.letters))] }
