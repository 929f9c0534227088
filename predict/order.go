package predict

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// byID returns the positions of scores in the order of their ids.
func byID(scores []Score) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sortByID(scores, order, 0)
	return order
}

// sortByID sorts positions whose ids have their first bytes in common, so many. Eight
// bytes more are compared as one number; the ids that share these are a part that is
// sorted by the bytes after them.
func sortByID(scores []Score, order []int, common int) {
	const few = 16
	if len(order) <= few {
		slices.SortFunc(order, func(a, b int) int { return compareID(scores, a, b) })
		return
	}
	piece := func(i int) uint64 {
		var bytes [8]byte
		copy(bytes[:], scores[i].ID[min(common, len(scores[i].ID)):])
		return binary.BigEndian.Uint64(bytes[:])
	}
	sortByKey(order, piece)
	for len(order) > 0 {
		first, end, longer := piece(order[0]), 0, true
		for end < len(order) && piece(order[end]) == first {
			// An id that ends here may be as long as the others but for zero bytes.
			longer = longer && len(scores[order[end]].ID) > common+8
			end++
		}
		if run := order[:end]; longer {
			sortByID(scores, run, common+8)
		} else {
			slices.SortFunc(run, func(a, b int) int { return compareID(scores, a, b) })
		}
		order = order[end:]
	}
}

// compareID orders two positions by id. Ids are unique; where they are not,
// the selector and at last the position decide.
func compareID(scores []Score, a, b int) int {
	if c := strings.Compare(scores[a].ID, scores[b].ID); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(scores[a].Selector, scores[b].Selector), cmp.Compare(a, b))
}

// descending returns the positions of scores by key, largest first, NaN last,
// ties by id.
func descending(scores []Score, key func(*Score) float64) []int {
	order := byID(scores)
	sortByKey(order, func(i int) uint64 {
		x := key(&scores[i])
		if x != x {
			return math.MaxUint64
		}
		bits := math.Float64bits(x + 0) // -0 becomes 0
		return ^(bits ^ (uint64(int64(bits)>>63) | 1<<63))
	})
	return order
}

// sortByKey sorts by keys, the lowest first, and leaves those of one key in their
// order. Byte by byte, the last one first, it is quicker for many than comparing
// (Knuth, TAOCP 3, algorithm 5.2.5 R).
func sortByKey(order []int, key func(i int) uint64) {
	type keyed struct {
		key uint64
		i   int
	}
	from := make([]keyed, len(order))
	differ := uint64(0)
	for at, i := range order {
		from[at] = keyed{key(i), i}
		differ |= from[at].key ^ from[0].key
	}
	const few = 256
	if len(from) < few {
		slices.SortStableFunc(from, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		differ = 0
	}
	to := make([]keyed, len(order))
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue // all keys have the same byte here
		}
		var next [257]int // where the byte's next key goes
		for at := range from {
			next[from[at].key>>shift&0xff+1]++
		}
		for b := range 256 {
			next[b+1] += next[b]
		}
		for _, k := range from {
			b := k.key >> shift & 0xff
			to[next[b]] = k
			next[b]++
		}
		from, to = to, from
	}
	for at := range from {
		order[at] = from[at].i
	}
}
