package tree

import "math/bits"

// walkTree is a tree to be walked by 64 rows at a time. Its nodes and leaves have
// places, breadth first: the root has place 0, and the children of the k-th node, in
// the order of places, have 2k+1 and 2k+2.
//
// Every leaf has a code, of planes bits. A row's is put together bit by bit, for all
// rows at a time: bit b is set for the rows that reach one of the places that are
// listed for plane b. Is the tree not much deeper than it must be, bit b says which way
// a row went at depth b, and the places are those of right children; else leaves are
// numbered.
type walkTree struct {
	nodes   []walkNode
	planes  [][]uint32
	values  int // where its leaf values start, by code
	codeBit int // bits of a code
}

// walkNode is a node: its place, and its question.
type walkNode struct{ place, question uint32 }

// codeValues is the number of codes that fit into a byte.
const codeValues = 256

// addTree appends t, whose questions q knows.
func (c *Compiled) addTree(t *Tree, q *questions) walkTree {
	type visit struct {
		child Child
		path  uint32 // bit d: right at depth d
		depth int
	}
	var out walkTree
	order := []visit{{child: 0}}
	if len(t.Nodes) == 0 {
		order[0].child = LeafChild(0)
	}
	for place := 0; place < len(order); place++ {
		v := order[place]
		if v.child.IsLeaf() {
			continue
		}
		n := &t.Nodes[v.child]
		out.nodes = append(out.nodes, walkNode{uint32(place), q.numbers[questionOf(n)]})
		order = append(order, visit{n.Left, v.path, v.depth + 1}, visit{n.Right, v.path | 1<<min(v.depth, 31), v.depth + 1})
	}
	c.widest = max(c.widest, len(order))
	depth := order[len(order)-1].depth
	numbered := depth > bits.Len(uint(len(t.Leaves)-1))+1
	out.codeBit = depth
	if numbered {
		out.codeBit = bits.Len(uint(len(t.Leaves) - 1))
	}
	out.planes = make([][]uint32, out.codeBit)
	values, leaf := make([]float64, 1<<out.codeBit), uint32(0)
	for place, v := range order {
		code := v.path
		if numbered {
			code = leaf
		} else if place > 0 && place%2 == 0 { // a right child
			out.planes[v.depth-1] = append(out.planes[v.depth-1], uint32(place))
		}
		if !v.child.IsLeaf() {
			continue
		}
		if numbered {
			for b := range out.planes {
				if code>>b&1 == 1 {
					out.planes[b] = append(out.planes[b], uint32(place))
				}
			}
		}
		leaf++
		values[code] = t.Leaves[v.child.Index()].Value
	}
	out.values = len(c.values)
	c.values = append(c.values, values...)
	return out
}

// walk adds the values of t to the sums of 64 rows. reach has room for the places.
func (c *Compiled) walk(t *walkTree, answers, reach []uint64, sums *[blockRows]float64) {
	reach[0] = ^uint64(0)
	children := reach[1:]
	for _, n := range t.nodes {
		rows, right := reach[n.place], answers[n.question]
		children[0], children[1] = rows&^right, rows&right
		children = children[2:]
	}
	var planes [32]uint64
	for b, places := range t.planes {
		rows := uint64(0)
		for _, place := range places {
			rows |= reach[place]
		}
		planes[b] = rows
	}
	if t.codeBit > 8 {
		c.addWide(t, planes[:t.codeBit], sums)
		return
	}
	values := (*[codeValues]float64)(c.values[t.values:])
	low := planes[:t.codeBit&15]
	for group := 0; group < blockRows; group += 8 {
		codes := uint64(0) // of eight rows, a byte each
		for b, rows := range low {
			codes |= spread[uint8(rows>>group)] << b
		}
		eight := (*[8]float64)(sums[group:])
		eight[0] += values[uint8(codes)]
		eight[1] += values[uint8(codes>>8)]
		eight[2] += values[uint8(codes>>16)]
		eight[3] += values[uint8(codes>>24)]
		eight[4] += values[uint8(codes>>32)]
		eight[5] += values[uint8(codes>>40)]
		eight[6] += values[uint8(codes>>48)]
		eight[7] += values[uint8(codes>>56)]
	}
}

// addWide is the rest of walk for codes that are longer than a byte.
func (c *Compiled) addWide(t *walkTree, planes []uint64, sums *[blockRows]float64) {
	for r := range sums {
		code := uint64(0)
		for b, rows := range planes {
			code |= rows >> r & 1 << b
		}
		sums[r] += c.values[t.values+int(code)]
	}
}

// spread has the bits of a byte in the lowest bits of eight bytes.
var spread = func() (out [256]uint64) {
	for b := range out {
		for i := range 8 {
			out[b] |= uint64(b>>i&1) << (8 * i)
		}
	}
	return out
}()
