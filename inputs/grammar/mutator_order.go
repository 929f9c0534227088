package grammar

import (
	"slices"
)

// order changes the order of the words of a list, of the items of a block, or of
// the letters of a word: two change places, or all are sorted or reversed.
var order = Mutator{
	Name: "order",
	Doc:  "another order of the words of a list, the items of a block or the letters of a word",
	apply: func(e *editor) bool {
		switch e.draw.IntN(3) {
		case 0:
			return e.orderItems()
		case 1:
			return e.orderLetters()
		}
		return e.orderWords()
	},
}

// shuffleTwo exchanges two elements, or reverses or shuffles all.
func shuffleTwo[T any](e *editor, list []T) {
	switch e.draw.IntN(4) {
	case 0:
		slices.Reverse(list)
	case 1:
		e.draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	default:
		i, j := e.draw.IntN(len(list)), e.draw.IntN(len(list))
		list[i], list[j] = list[j], list[i]
	}
}

func (e *editor) orderItems() bool {
	var blocks [][]item
	for s := 1; s < len(e.t.sections); s += 2 {
		if len(e.t.sections[s]) > 1 {
			blocks = append(blocks, e.t.sections[s])
		}
	}
	list, ok := pickOne(e.draw, blocks)
	if ok {
		shuffleTwo(e, list)
	}
	return ok
}

// orderWords changes a list: the words of a line whose slots hold one kind.
func (e *editor) orderWords() bool {
	var lists [][]string
	e.t.each(func(c class, _ int, l *line) {
		r := e.g.lines[c]
		words := l.words[min(r.lead, len(l.words)):]
		if len(words) > 1 && (r.words < 0 || r.exchangeable()) {
			lists = append(lists, words)
		}
	})
	words, ok := pickOne(e.draw, lists)
	if !ok {
		return false
	}
	if numbers(words) && e.draw.IntN(3) == 0 {
		sortNumbers(words, e.draw.IntN(2) == 0)
	} else {
		shuffleTwo(e, words)
	}
	return true
}

// exchangeable says that the words of a line of three or more may be those of a
// list: all are of one kind, and none counts anything.
func (r *lineRule) exchangeable() bool {
	for _, s := range r.slots {
		if s.fixed || s.few != nil || s.kind != r.slots[0].kind {
			return false
		}
	}
	return len(r.slots) > 2
}

func numbers(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return KindOf(w) == Word })
}

func sortNumbers(words []string, falling bool) {
	slices.SortStableFunc(words, func(a, b string) int {
		x, y := value(a), value(b)
		if falling {
			x, y = y, x
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

func (e *editor) orderLetters() bool {
	p, ok := pickOne(e.draw, e.places(spelled))
	if !ok {
		return false
	}
	letters := []byte(*e.word(p))
	shuffleTwo(e, letters)
	*e.word(p) = string(letters)
	return true
}

// spelled slots hold words that are made of letters, and no names.
func spelled(_ *lineRule, s *slot) bool { return s.kind == Word && s.few == nil && s.longest > 0 }
