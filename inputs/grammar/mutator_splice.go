package grammar

// splice takes a line, or an item of a block, from another input, but for the
// numbers that count. The two must have as many words.
var splice = Mutator{
	Name: "splice",
	Doc:  "a line or an item of a block as another input has it",
	apply: func(e *editor) bool {
		var lines []place
		e.t.each(func(c class, item int, _ *line) { lines = append(lines, place{class: c, item: item}) })
		p, ok := pickOne(e.draw, lines)
		if !ok {
			return false
		}
		other := e.g.inputs[e.draw.IntN(len(e.g.inputs))]
		from, ok := pickOne(e.draw, other.sections[p.section])
		if !ok {
			return false
		}
		to, changed := e.t.sections[p.section][p.item], false
		for pos := range to {
			if p.section%2 == 1 || pos == p.pos {
				changed = e.g.lines[class{p.section, pos}].take(&to[pos], from[pos]) || changed
			}
		}
		return changed
	},
}

// take puts the words of another line of the class in the place of a line's.
func (r *lineRule) take(to *line, from line) (changed bool) {
	if len(to.words) != len(from.words) {
		return false
	}
	for k, w := range from.words {
		if !r.slot(k).fixed && to.words[k] != w {
			to.words[k], changed = w, true
		}
	}
	return changed
}
