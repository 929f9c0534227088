package grammar

import (
	"math"
	"slices"
)

// maxBytes is the size of the inputs that are read and made: a larger one is a
// test of speed, and slow to run.
const maxBytes = 64 << 10

// items is the column of a slot that stands for all words of a line from its lead on.
const items = -1

// Grammar is what the inputs of a program have in common.
type Grammar struct {
	layout layout
	// inputs are those that have the layout, from says which of Infer's they are.
	inputs []*tree
	from   []int

	lines  map[class]*lineRule
	links  []link
	groups []*group
	// relations hold in every input.
	relations []relation
	classes   []class // the keys of lines, in order
}

// lineRule is what the lines of a class have in common.
type lineRule struct {
	// words is their number of words; -1 where it varies.
	words int
	// least and most are the numbers of words seen.
	least, most int
	// lead is the number of words before the list, in lines with a varying number.
	lead  int
	slots []*slot // by column; the last is the list's where words is -1
	// sorted, falling and distinct hold of the list of every line.
	sorted, falling, distinct bool
}

// list returns the slot of a line's list, nil when it has none.
func (r *lineRule) list() *slot {
	if r.words < 0 {
		return r.slots[len(r.slots)-1]
	}
	return nil
}

// slot returns the slot of a column.
func (r *lineRule) slot(column int) *slot { return r.slots[min(column, len(r.slots)-1)] }

// slot is what the words of a place have in common.
type slot struct {
	kind Kind
	// least and most bound integers and decimals; shortest and longest the letters.
	least, most       float64
	shortest, longest int
	letters           []byte // of words, sorted
	// few are the only words there are; nil where there are many.
	few []string
	// values are the different words seen, sorted.
	values []string
	// fixed words count something, or may: only a group changes them.
	fixed bool
	// free words may have any length between shortest and longest.
	free bool
}

// Infer finds the grammar of inputs. Where they have no layout in common it is
// that of the most frequent number of lines. It is nil when no input is of use.
func Infer(inputs [][]byte) *Grammar {
	g := &Grammar{lines: map[class]*lineRule{}}
	var texts [][]line
	var tails []string
	for k, in := range inputs {
		if lines, tail := splitLines(in); len(in) <= maxBytes && len(lines) > 0 {
			texts, tails, g.from = append(texts, lines), append(tails, tail), append(g.from, k)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	found, ok := findLayout(texts)
	if !ok {
		found = layout{head: mostFrequentLength(texts)}
	}
	g.layout = found
	var from []int
	for k, lines := range texts {
		if t, ok := g.layout.cut(lines, tails[k]); ok {
			g.inputs, from = append(g.inputs, t), append(from, g.from[k])
		}
	}
	g.from = from
	g.findLines()
	g.findGroups()
	g.findRelations()
	return g
}

func mostFrequentLength(texts [][]line) int {
	count := map[int]int{}
	best := 0
	for _, lines := range texts {
		n := len(lines)
		count[n]++
		if count[n] > count[best] || count[n] == count[best] && n < best {
			best = n
		}
	}
	return best
}

// each visits the lines of an input.
func (t *tree) each(visit func(c class, item int, l *line)) {
	for s := range t.sections {
		for i, it := range t.sections[s] {
			for pos := range it {
				visit(class{s, pos}, i, &it[pos])
			}
		}
	}
}

// findLines describes every class of lines.
func (g *Grammar) findLines() {
	of := map[class][]*line{}
	for _, t := range g.inputs {
		t.each(func(c class, _ int, l *line) { of[c] = append(of[c], l) })
	}
	for c := range of {
		g.classes = append(g.classes, c)
	}
	slices.SortFunc(g.classes, func(a, b class) int {
		if a.section != b.section {
			return a.section - b.section
		}
		return a.pos - b.pos
	})
	for _, c := range g.classes {
		g.lines[c] = newLineRule(of[c])
	}
}

func newLineRule(lines []*line) *lineRule {
	r := &lineRule{least: math.MaxInt, lead: 1}
	for _, l := range lines {
		n := len(l.words)
		r.least, r.most = min(r.least, n), max(r.most, n)
		// A line that begins with the number of its other words.
		if v, ok := int64(0), n > 0; ok {
			if v, ok = integer(l.words[0]); !ok || v != int64(n-1) {
				r.lead = 0
			}
		} else {
			r.lead = 0
		}
	}
	r.words = r.least
	columns := r.most
	if r.least != r.most {
		r.words, columns = -1, r.lead+1
	} else {
		r.lead = 0
	}
	words := make([][]string, columns)
	for _, l := range lines {
		for k, w := range l.words {
			at := min(k, columns-1)
			words[at] = append(words[at], w)
		}
	}
	for k := range words {
		r.slots = append(r.slots, newSlot(words[k]))
	}
	r.findOrder(lines)
	return r
}

// fewWords bounds an enumeration, such as names of commands: as many different
// words at most, each seen fewTimes on average.
const (
	fewWords = 12
	fewTimes = 4
)

func newSlot(words []string) *slot {
	s := &slot{least: math.Inf(1), most: math.Inf(-1), shortest: math.MaxInt}
	var letters [256]bool
	seen := map[string]bool{}
	for _, w := range words {
		s.kind = max(s.kind, KindOf(w))
		seen[w] = true
	}
	for w := range seen {
		s.values = append(s.values, w)
		s.shortest, s.longest = min(s.shortest, len(w)), max(s.longest, len(w))
		for i := range len(w) {
			letters[w[i]] = true
		}
		if s.kind != Word {
			s.least, s.most = min(s.least, value(w)), max(s.most, value(w))
		}
	}
	slices.Sort(s.values)
	for b, has := range letters {
		if has {
			s.letters = append(s.letters, byte(b))
		}
	}
	if s.kind == Word && s.longest > 1 && len(s.values) <= fewWords && len(words) >= fewTimes*len(s.values) {
		s.few = s.values
	}
	return s
}

// findOrder sees whether all lists of numbers are sorted, or have no number twice.
// Lines of a fixed number of words count from three on.
func (r *lineRule) findOrder(lines []*line) {
	if r.words >= 0 && r.words < 3 {
		return
	}
	r.sorted, r.falling, r.distinct = true, true, true
	long := false
	for _, l := range lines {
		sorted, falling, distinct := orderOf(l.words[min(r.lead, len(l.words)):])
		r.sorted, r.falling, r.distinct = r.sorted && sorted, r.falling && falling, r.distinct && distinct
		long = long || len(l.words) > r.lead+1
	}
	if !long {
		r.sorted, r.falling, r.distinct = false, false, false
	}
}

func orderOf(words []string) (sorted, falling, distinct bool) {
	sorted, falling, distinct = true, true, true
	seen := map[string]bool{}
	for k, w := range words {
		if KindOf(w) == Word {
			sorted, falling = false, false
		} else if k > 0 && KindOf(words[k-1]) != Word {
			sorted, falling = sorted && value(words[k-1]) <= value(w), falling && value(words[k-1]) >= value(w)
		}
		distinct = distinct && !seen[w]
		seen[w] = true
	}
	return sorted, falling, distinct
}
