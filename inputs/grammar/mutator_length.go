package grammar

import (
	"slices"
	"strconv"
)

// length changes a number that counts, by one or to anywhere in the range seen,
// and all that it counts with it.
var length = Mutator{
	Name: "length",
	Doc:  "another number of words, letters or lines, with the number that counts them",
	apply: func(e *editor) bool {
		x, ok := pickOne(e.draw, e.g.groups)
		if !ok {
			return false
		}
		only := 0
		if x.local {
			n := len(e.t.sections[x.sources[0].section])
			if n == 0 {
				return false
			}
			only = e.draw.IntN(n)
		}
		before, ok := e.t.number(x.sources[0], only)
		if !ok {
			return false
		}
		after := before + int64(1-2*e.draw.IntN(2))
		switch e.draw.IntN(4) {
		case 0:
			after = x.least
		case 1:
			after = x.least + e.draw.Int64N(x.most-x.least+1)
		}
		after = min(max(after, x.least), x.most)
		e.change(x, only, int(after-before))
		e.mend()
		return after != before
	},
}

// change adds to all numbers and lengths of a group; of a local one in one item.
func (e *editor) change(x *group, only, by int) {
	// Blocks come last: the items that are added are then right already.
	features := slices.Clone(x.features)
	slices.SortStableFunc(features, func(a, b feature) int { return a.what - b.what })
	for _, r := range x.sources {
		e.eachItem(r.class, x.local, only, func(l *line) {
			if r.column < len(l.words) {
				if v, ok := integer(l.words[r.column]); ok {
					l.words[r.column] = strconv.FormatInt(v+int64(by), 10)
				}
			}
		})
	}
	for _, f := range features {
		switch f.what {
		case countItems:
			e.resizeBlock(f.section, by)
		case countWords:
			r := e.g.lines[f.class]
			e.eachItem(f.class, x.local, only, func(l *line) { e.resizeLine(r, l, by) })
		case countLetters:
			s := e.g.at(f.ref)
			e.eachItem(f.class, x.local, only, func(l *line) {
				if f.column < len(l.words) {
					l.words[f.column] = e.resizeWord(s, l.words[f.column], by)
				}
			})
		}
	}
}

func (e *editor) eachItem(c class, local bool, only int, visit func(*line)) {
	for i, it := range e.t.sections[c.section] {
		if (!local || i == only) && c.pos < len(it) {
			visit(&it[c.pos])
		}
	}
}

// resizeBlock adds copies of items, or takes items away.
func (e *editor) resizeBlock(section, by int) {
	list := e.t.sections[section]
	for ; by < 0 && len(list) > 0; by++ {
		at := e.draw.IntN(len(list))
		list = slices.Delete(list, at, at+1)
	}
	for ; by > 0; by-- {
		it, ok := pickOne(e.draw, list)
		if !ok {
			if it, ok = e.itemElsewhere(section); !ok {
				break
			}
		}
		list = slices.Insert(list, e.draw.IntN(len(list)+1), it.clone())
	}
	e.t.sections[section] = list
}

// itemElsewhere is an item of that section of another input.
func (e *editor) itemElsewhere(section int) (item, bool) {
	for range 8 {
		t := e.g.inputs[e.draw.IntN(len(e.g.inputs))]
		if it, ok := pickOne(e.draw, t.sections[section]); ok {
			return it, true
		}
	}
	return nil, false
}

// resizeLine adds words that are seen at such places, or takes words away. Where
// no list has a word twice, it takes the greatest or adds one that is missing.
func (e *editor) resizeLine(r *lineRule, l *line, by int) {
	s := r.list()
	if s == nil {
		return
	}
	for ; by < 0 && len(l.words) > r.lead; by++ {
		at := r.lead + e.draw.IntN(len(l.words)-r.lead)
		if r.distinct && s.kind == Integer {
			at = greatest(l.words, r.lead)
		}
		l.remove(at)
	}
	for ; by > 0; by-- {
		at := r.lead + e.draw.IntN(len(l.words)-r.lead+1)
		if r.sorted || r.falling {
			at = len(l.words)
		}
		word := s.values[e.draw.IntN(len(s.values))]
		if r.distinct && s.kind == Integer {
			word = missing(l.words[r.lead:], int64(s.least))
		}
		l.insert(at, word)
	}
	if r.sorted || r.falling {
		sortNumbers(l.words[r.lead:], r.falling && !r.sorted)
	}
}

func greatest(words []string, lead int) int {
	at := lead
	for k := lead + 1; k < len(words); k++ {
		if value(words[k]) > value(words[at]) {
			at = k
		}
	}
	return at
}

// missing is the least number from one on that is not among the words.
func missing(words []string, from int64) string {
	for {
		word := strconv.FormatInt(from, 10)
		if !slices.Contains(words, word) {
			return word
		}
		from++
	}
}

func (e *editor) resizeWord(s *slot, word string, by int) string {
	letters := []byte(word)
	for ; by < 0 && len(letters) > 1; by++ {
		at := e.draw.IntN(len(letters))
		letters = slices.Delete(letters, at, at+1)
	}
	for ; by > 0 && len(s.letters) > 0; by-- {
		letters = slices.Insert(letters, e.draw.IntN(len(letters)+1), s.letters[e.draw.IntN(len(s.letters))])
	}
	return string(letters)
}

// mend brings numbers that a changed count has left beyond their bound back below it.
func (e *editor) mend() {
	for _, r := range e.g.relations {
		if r.kind == differs {
			continue
		}
		s := e.g.lines[r.x.class].slot(max(r.x.column, 0))
		if r.x.column == items {
			s = e.g.lines[r.x.class].list()
		}
		if s.fixed {
			continue
		}
		for i, it := range e.t.sections[r.x.section] {
			in, ok := itemFor(r.y.class, r.x.class, i)
			if !ok || r.x.pos >= len(it) {
				continue
			}
			if y, ok := e.t.number(r.y, in); ok {
				e.lower(r, s, it[r.x.pos].words, y)
			}
		}
	}
}

func (e *editor) lower(r relation, s *slot, words []string, y int64) {
	if r.kind == below {
		y--
	}
	from, to := r.x.column, r.x.column+1
	if r.x.column == items {
		from, to = e.g.lines[r.x.class].lead, len(words)
	}
	for k := min(from, len(words)); k < min(to, len(words)); k++ {
		if v, ok := integer(words[k]); ok && v > y && int64(s.least) <= y {
			words[k] = strconv.FormatInt(int64(s.least)+e.draw.Int64N(y-int64(s.least)+1), 10)
		}
	}
}
