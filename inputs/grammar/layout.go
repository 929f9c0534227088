package grammar

import "slices"

// class is a place of lines in the layout: a section, and a line in its items.
// Sections with even numbers have one item, odd ones are blocks.
type class struct{ section, pos int }

// ref is a word of the lines of a class.
type ref struct {
	class
	column int
}

// block is lines that are repeated.
type block struct {
	// source is the number that says how often, period how many lines an item has;
	// there are offset (0 or -1) items more than source says.
	source ref
	period int
	offset int
	// after is the number of lines that follow.
	after int
}

// layout is how inputs are cut into sections: head lines, then each block and
// what follows it.
type layout struct {
	head   int
	blocks []block
}

// tree is an input cut into sections, items and lines.
type tree struct {
	sections [][]item
	tail     string
}

type item []line

func (t *tree) clone() *tree {
	out := &tree{tail: t.tail, sections: make([][]item, len(t.sections))}
	for s, items := range t.sections {
		for _, it := range items {
			out.sections[s] = append(out.sections[s], it.clone())
		}
	}
	return out
}

func (it item) clone() item {
	out := make(item, len(it))
	for k := range it {
		out[k] = it[k].clone()
	}
	return out
}

func (t *tree) bytes() []byte {
	var lines []line
	for _, items := range t.sections {
		for _, it := range items {
			lines = append(lines, it...)
		}
	}
	var out []byte
	for k, l := range lines {
		if k < len(lines)-1 && !hasNewline(l.end) {
			l.end += "\n" // the last line of the input it came from had none
		}
		out = l.appendTo(out)
	}
	return append(out, t.tail...)
}

func hasNewline(end string) bool { return len(end) > 0 && end[len(end)-1] == '\n' }

// cut parses lines; ok is false where they do not have the layout.
func (l *layout) cut(lines []line, tail string) (t *tree, ok bool) {
	if len(lines) < l.head {
		return nil, false
	}
	t = &tree{tail: tail, sections: [][]item{{lines[:l.head:l.head]}}}
	rest := lines[l.head:]
	for _, b := range l.blocks {
		v, ok := t.number(b.source, 0)
		items := v + int64(b.offset)
		if !ok || items < 0 || items > int64(len(rest)) || int(items)*b.period+b.after > len(rest) {
			return nil, false
		}
		n := int(items) * b.period
		t.sections = append(t.sections, slices.Collect(func(yield func(item) bool) {
			for part := range slices.Chunk(rest[:n:n], b.period) {
				if !yield(item(part)) {
					return
				}
			}
		}))
		rest = rest[n:]
		t.sections = append(t.sections, []item{item(rest[:b.after:b.after])})
		rest = rest[b.after:]
	}
	return t, len(rest) == 0
}

// number is the integer at a place, in an item of its section.
func (t *tree) number(r ref, in int) (int64, bool) {
	if r.section >= len(t.sections) || in >= len(t.sections[r.section]) {
		return 0, false
	}
	it := t.sections[r.section][in]
	if r.pos >= len(it) || r.column >= len(it[r.pos].words) {
		return 0, false
	}
	return integer(it[r.pos].words[r.column])
}

// How far the search for a layout looks.
const (
	headLines   = 3 // lines among which a count is looked for
	headColumns = 4
	moreLines   = 3 // lines before or after a block
	periods     = 3
)

// findLayout finds a layout of all inputs: no block where all have as many lines,
// else one block or two that explain the number of lines.
func findLayout(inputs [][]line) (layout, bool) {
	same := true
	for _, in := range inputs {
		same = same && len(in) == len(inputs[0])
	}
	if same {
		return layout{head: len(inputs[0])}, true
	}
	for _, search := range []func([][]line) []layout{oneBlock, twoBlocks} {
		best, least := layout{}, -1
		for _, l := range search(inputs) {
			if cost, ok := l.cost(inputs); ok && (least < 0 || cost < least) {
				best, least = l, cost
			}
		}
		if least >= 0 {
			return best, true
		}
	}
	return layout{}, false
}

// oneBlock lists the layouts with one block that the first input has.
func oneBlock(inputs [][]line) []layout {
	var out []layout
	for _, source := range headNumbers(inputs[0]) {
		for head := source.pos + 1; head <= source.pos+1+moreLines; head++ {
			for period := 1; period <= periods; period++ {
				for offset := 0; offset >= -1; offset-- {
					l := layout{head, []block{{source: source, period: period, offset: offset}}}
					if l.closes(inputs[0]) {
						out = append(out, l)
					}
				}
			}
		}
	}
	return out
}

// twoBlocks lists the layouts with two blocks of single lines; the second count
// stands in the head, or in the line between the blocks.
func twoBlocks(inputs [][]line) []layout {
	var out []layout
	for _, first := range headNumbers(inputs[0]) {
		sources := headNumbers(inputs[0])
		for column := range headColumns {
			sources = append(sources, ref{class{2, 0}, column})
		}
		for head := first.pos + 1; head <= first.pos+2; head++ {
			for between := range 2 {
				for _, second := range sources {
					if second == first || second.section == 0 && second.pos >= head || second.section == 2 && between == 0 {
						continue
					}
					l := layout{head, []block{{source: first, period: 1, after: between}, {source: second, period: 1}}}
					if l.closes(inputs[0]) {
						out = append(out, l)
					}
				}
			}
		}
	}
	return out
}

func headNumbers(in []line) []ref {
	var out []ref
	for pos := range min(headLines, len(in)) {
		for column := range min(headColumns, len(in[pos].words)) {
			if _, ok := integer(in[pos].words[column]); ok {
				out = append(out, ref{class{0, pos}, column})
			}
		}
	}
	return out
}

// closes puts what an input has left into the last block's after, and reports
// whether that is few lines enough.
func (l *layout) closes(in []line) bool {
	last := &l.blocks[len(l.blocks)-1]
	for last.after = 0; last.after <= moreLines; last.after++ {
		if _, ok := l.cut(in, ""); ok {
			return true
		}
	}
	return false
}

// cost is low for layouts that are likely meant: few lines around blocks, whose
// items are alike. ok is false where an input does not have the layout.
func (l *layout) cost(inputs [][]line) (cost int, ok bool) {
	for _, b := range l.blocks {
		cost += 2*b.after - 3*b.offset + b.period
	}
	cost += l.head
	first := map[class]line{}
	for _, in := range inputs {
		t, ok := l.cut(in, "")
		if !ok {
			return 0, false
		}
		for s := 1; s < len(t.sections); s += 2 {
			var before item
			for _, it := range t.sections[s] {
				cost += unlike(before, it, s, first)
				before = it
			}
		}
	}
	return cost, true
}

// unlike is how much an item differs from the one before it in the same input,
// and from the first of all inputs.
func unlike(before, it item, section int, first map[class]line) (cost int) {
	for pos, l := range it {
		if before != nil && len(before[pos].words) != len(l.words) {
			cost += 4
		}
		c := class{section, pos}
		model, seen := first[c]
		if !seen {
			first[c] = l
			continue
		}
		if (len(model.words) == 0) != (len(l.words) == 0) ||
			len(l.words) > 0 && len(model.words) > 0 && (KindOf(model.words[0]) == Word) != (KindOf(l.words[0]) == Word) {
			cost += 4
		}
	}
	return cost
}
