package concrete

import "slices"

// Outlives compares the memory that two paths of one seed leave behind: what is not a
// local variable, and what is.
func (p *Path) Outlives(other *Path) (outer, local bool) {
	outer, local = !slices.Equal(p.fills, other.fills), p.frames[0].differing(other.frames[0]) > 0
	for _, pair := range [][2]*Path{{p, other}, {other, p}} {
		plain := len(pair[0].fills)+len(pair[1].fills) == 0
		for i := range pair[0].log {
			a := pair[0].log[i]
			if !plain {
				a, _ = pair[0].written(a.at)
			}
			b, ok := write{}, false
			if plain && i < len(pair[1].log) && pair[1].log[i].at == a.at { // most write in the same order
				b, ok = pair[1].log[i], true
			} else {
				b, ok = pair[1].written(a.at)
			}
			if ok && a.value == b.value && a.reseeded == b.reseeded && (a.filled == b.filled || a.value == 0) {
				continue
			}
			if isLocal(a.at) {
				local = true
			} else {
				outer = true
			}
		}
	}
	return outer, local
}
