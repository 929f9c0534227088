package tree

import (
	"fmt"
	"math"
	"slices"
)

// Compiled is an ensemble arranged for scoring many rows fast. It gives the very
// bits of Ensemble.Raw.
//
// A block of rows is copied into slots first, and all branching on how a node
// reads its feature happens there, once a slot instead of once a visit: a slot
// holds a feature as it is, negated, with missing values replaced, or the answer
// to a question about its category. What remains of a node is one comparison,
// slot > threshold, that is false for NaN. The children of a node lie side by
// side, so the comparison's outcome is added to the number of the left one, and a
// leaf leads to itself: a tree is walked in as many steps as it is deep, without a
// branch to mispredict, four rows abreast.
//
// Compiled is safe for use by several goroutines.
type Compiled struct {
	objective Objective
	features  int
	slots     []slot
	trees     []compiledTree
	nodes     []compiledNode
	values    []float64 // by node; meaningful at leaves
}

// compiledNode leads from left, when its slot is not above the threshold, or
// from the node after left.
type compiledNode struct {
	threshold float64
	slot      uint32
	left      uint32
}

type compiledTree struct {
	root, depth int
}

// slot is a value that is made of one feature of a row.
type slot struct {
	feature int32
	kind    slotKind
	// categories are those that go left, of a slot that asks for them.
	categories []uint32
}

type slotKind uint8

const (
	plain     slotKind = iota // the value
	negated                   // its negative
	orZero                    // 0 for NaN
	zeroIsNaN                 // NaN for what counts as 0
	negatedZeroIsNaN
	notIn // 1 when the category does not go left, else 0
)

// slotKey tells slots apart; categories are spelt out.
type slotKey struct {
	feature    int32
	kind       slotKind
	categories string
}

// Compile arranges e. It fails when e is not valid.
func Compile(e *Ensemble) (*Compiled, error) {
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("compiling: %w", err)
	}
	c := &Compiled{objective: e.Objective, features: len(e.Features)}
	known := map[slotKey]uint32{}
	for i := range e.Trees {
		c.addTree(&e.Trees[i], known)
	}
	return c, nil
}

// addTree appends the nodes of t, children side by side.
func (c *Compiled) addTree(t *Tree, known map[slotKey]uint32) {
	root := len(c.nodes)
	c.nodes, c.values = append(c.nodes, compiledNode{}), append(c.values, 0)
	type place struct {
		child Child
		at    int
		depth int
	}
	start := Child(0)
	if len(t.Nodes) == 0 {
		start = LeafChild(0)
	}
	depth := 0
	for todo := []place{{start, root, 0}}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		depth = max(depth, p.depth)
		if p.child.IsLeaf() {
			// Nothing is above +Inf: the walk stays.
			c.nodes[p.at] = compiledNode{threshold: math.Inf(1), left: uint32(p.at)}
			c.values[p.at] = t.Leaves[p.child.Index()].Value
			continue
		}
		n := &t.Nodes[p.child]
		left := len(c.nodes)
		c.nodes, c.values = append(c.nodes, compiledNode{}, compiledNode{}), append(c.values, 0, 0)
		node, swap := c.node(n, known)
		node.left = uint32(left)
		c.nodes[p.at] = node
		first, second := n.Left, n.Right
		if swap {
			first, second = second, first
		}
		todo = append(todo, place{first, left, p.depth + 1}, place{second, left + 1, p.depth + 1})
	}
	c.trees = append(c.trees, compiledTree{root, depth})
}

// node turns the rule of n into slot > threshold. With swap the children change
// places.
func (c *Compiled) node(n *Node, known map[slotKey]uint32) (out compiledNode, swap bool) {
	s := slot{feature: n.Feature}
	missingLeft := n.DefaultLeft
	switch {
	case n.Decision == Categorical:
		s.kind, s.categories = notIn, n.Categories
		out.threshold = 0.5
		out.slot = c.slot(s, known)
		return out, false
	case n.Missing == MissingNone:
		s.kind, missingLeft = orZero, true // there is nothing missing
	case n.Missing == MissingZero && missingLeft:
		s.kind = zeroIsNaN
	case n.Missing == MissingZero:
		s.kind = negatedZeroIsNaN
	case !missingLeft:
		s.kind = negated
	}
	if missingLeft {
		out.threshold = n.Threshold // right: x > threshold
	} else {
		// Left: x <= threshold, the negative being at least the threshold's,
		// hence above the number before it.
		out.threshold, swap = math.Nextafter(-n.Threshold, math.Inf(-1)), true
	}
	out.slot = c.slot(s, known)
	return out, swap
}

func (c *Compiled) slot(s slot, known map[slotKey]uint32) uint32 {
	key := slotKey{s.feature, s.kind, fmt.Sprint(s.categories)}
	at, seen := known[key]
	if !seen {
		at = uint32(len(c.slots))
		known[key] = at
		c.slots = append(c.slots, s)
	}
	return at
}

// value is what the slot holds for a row with this value of its feature.
func (s *slot) value(x float64) float64 {
	switch s.kind {
	case negated:
		return -x
	case orZero:
		if x != x {
			return 0
		}
	case zeroIsNaN, negatedZeroIsNaN:
		if x > -zeroWidth && x <= zeroWidth {
			return math.NaN()
		}
		if s.kind == negatedZeroIsNaN {
			return -x
		}
	case notIn:
		if n := (Node{Decision: Categorical, Categories: s.categories}); n.GoesLeft(x) {
			return 0
		}
		return 1
	}
	return x
}

// compiledBlock is the number of rows whose slots are filled at a time: they and
// a tree should fit into the first-level cache.
const compiledBlock = 16

// Raw returns the raw scores of rows, as Ensemble.Raw does. It fails when a row
// has another width than the model.
func (c *Compiled) Raw(rows [][]float64) ([]float64, error) {
	for i, row := range rows {
		if len(row) != c.features {
			return nil, fmt.Errorf("scoring: row %d has %d values, the model reads %d features", i, len(row), c.features)
		}
	}
	return c.blocks(len(rows), func(values []float64, width, from, n int) {
		for r, row := range rows[from : from+n] {
			line := values[r*width:][:len(c.slots)]
			for i := range line {
				s := &c.slots[i]
				x := row[s.feature]
				if s.kind != plain {
					x = s.value(x)
				}
				line[i] = x
			}
		}
	}), nil
}

// RawColumns is Raw for a column-major table: columns[f][r] is feature f of row r.
// Columns that Reads does not list may be nil.
func (c *Compiled) RawColumns(columns [][]float64, rows int) ([]float64, error) {
	if len(columns) != c.features {
		return nil, fmt.Errorf("scoring: the table has %d columns, the model %d features", len(columns), c.features)
	}
	for _, s := range c.slots {
		if n := len(columns[s.feature]); n != rows {
			return nil, fmt.Errorf("scoring: column %d has %d values for %d rows", s.feature, n, rows)
		}
	}
	return c.blocks(rows, func(values []float64, width, from, n int) {
		for i := range c.slots {
			s := &c.slots[i]
			for r, x := range columns[s.feature][from : from+n] {
				if s.kind != plain {
					x = s.value(x)
				}
				values[r*width+i] = x
			}
		}
	}), nil
}

// blocks scores rows block by block; fill writes the slots of rows from on, n of
// them, width values apart.
func (c *Compiled) blocks(rows int, fill func(values []float64, width, from, n int)) []float64 {
	out := make([]float64, rows)
	width := max(len(c.slots), 1)
	values := make([]float64, compiledBlock*width)
	for from := 0; from < rows; from += compiledBlock {
		n := min(compiledBlock, rows-from)
		fill(values, width, from, n)
		c.score(values, width, out[from:from+n])
	}
	return out
}

// Reads lists the features that some tree reads, ascending.
func (c *Compiled) Reads() []int {
	var out []int
	for _, s := range c.slots {
		out = append(out, int(s.feature))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Predict returns the predictions for rows, as Ensemble.Predict does.
func (c *Compiled) Predict(rows [][]float64) ([]float64, error) { return c.link(c.Raw(rows)) }

// PredictColumns is Predict for a table as RawColumns takes it.
func (c *Compiled) PredictColumns(columns [][]float64, rows int) ([]float64, error) {
	return c.link(c.RawColumns(columns, rows))
}

func (c *Compiled) link(out []float64, err error) ([]float64, error) {
	for i, raw := range out {
		out[i] = c.objective.Link(raw)
	}
	return out, err
}

// score adds the trees, one after the other, to the sums of up to a block of
// rows.
func (c *Compiled) score(values []float64, width int, sums []float64) {
	nodes := c.nodes
	for _, t := range c.trees {
		r := 0
		for ; r+4 <= len(sums); r += 4 {
			line := values[r*width:][: 4*width : 4*width]
			a, b, d, e := c.walkFour(nodes, line, width, t)
			sums[r] += c.values[a]
			sums[r+1] += c.values[b]
			sums[r+2] += c.values[d]
			sums[r+3] += c.values[e]
		}
		for ; r < len(sums); r++ {
			line := values[r*width:]
			at := uint32(t.root)
			for range t.depth {
				n := &nodes[at]
				at = n.left + above(line[n.slot], n.threshold)
			}
			sums[r] += c.values[at]
		}
	}
}

// walkFour walks four rows at a time: their loads do not wait for each other.
func (c *Compiled) walkFour(nodes []compiledNode, line []float64, width int, t compiledTree) (a, b, d, e uint32) {
	first, second, third, fourth := line[:width], line[width:2*width], line[2*width:3*width], line[3*width:4*width]
	a = uint32(t.root)
	b, d, e = a, a, a
	for range t.depth {
		na, nb, nd, ne := &nodes[a], &nodes[b], &nodes[d], &nodes[e]
		a = na.left + above(first[na.slot], na.threshold)
		b = nb.left + above(second[nb.slot], nb.threshold)
		d = nd.left + above(third[nd.slot], nd.threshold)
		e = ne.left + above(fourth[ne.slot], ne.threshold)
	}
	return a, b, d, e
}

// above is 1 when x > threshold, else 0. The compiler makes no branch of it.
func above(x, threshold float64) uint32 {
	var one uint32
	if x > threshold {
		one = 1
	}
	return one
}

// Slots is the number of values that a row is turned into.
func (c *Compiled) Slots() int { return len(c.slots) }
