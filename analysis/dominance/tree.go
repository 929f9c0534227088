package dominance

import "github.com/winnow-mutants/winnow/analysis/cfg"

// Has reports whether a (post-)dominates b; every reachable block does so
// itself. It is false when either is unreachable. It takes constant time.
func (t *Tree) Has(a, b int) bool {
	if t.leave[a] == 0 || t.leave[b] == 0 {
		return false
	}
	return t.enter[a] <= t.enter[b] && t.leave[b] <= t.leave[a]
}

// number fills the preorder intervals from the root.
func (t *Tree) number(root int) {
	n := len(t.Immediate)
	children := make([][]int, n)
	for b, d := range t.Immediate {
		if d != None {
			children[d] = append(children[d], b)
		}
	}
	t.enter, t.leave = make([]int, n), make([]int, n)
	clock := 1
	t.enter[root] = clock
	stack, next := []int{root}, make([]int, n)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if next[b] < len(children[b]) {
			child := children[b][next[b]]
			next[b]++
			clock++
			t.enter[child] = clock
			stack = append(stack, child)
			continue
		}
		clock++
		t.leave[b] = clock
		stack = stack[:len(stack)-1]
	}
}

// partition is the strongly connected components of a graph.
type partition struct {
	of    []int  // component of each reachable block, -1 for others
	final []bool // by component: no edge leaves it
}

// components finds the strongly connected components by Tarjan's algorithm,
// with a stack of its own, since functions may have long chains of blocks.
func components(g *cfg.Graph) partition {
	n := g.Len()
	p := partition{of: make([]int, n)}
	index, low, next := make([]int, n), make([]int, n), make([]int, n)
	for b := range p.of {
		p.of[b] = -1
	}
	clock := 1
	index[0], low[0] = clock, clock
	path, open := []int{0}, []int{0}
	for len(path) > 0 {
		b := path[len(path)-1]
		if next[b] < len(g.Succs[b]) {
			s := g.Succs[b][next[b]]
			next[b]++
			switch {
			case index[s] == 0:
				clock++
				index[s], low[s] = clock, clock
				path, open = append(path, s), append(open, s)
			case p.of[s] < 0:
				low[b] = min(low[b], index[s])
			}
			continue
		}
		path = path[:len(path)-1]
		if len(path) > 0 {
			parent := path[len(path)-1]
			low[parent] = min(low[parent], low[b])
		}
		if low[b] == index[b] {
			open = p.close(g, open, b)
		}
	}
	return p
}

// close takes the component with root b off the stack of open blocks.
func (p *partition) close(g *cfg.Graph, open []int, b int) []int {
	id := len(p.final)
	from := len(open) - 1
	for open[from] != b {
		from--
	}
	for _, member := range open[from:] {
		p.of[member] = id
	}
	final := true
	for _, member := range open[from:] {
		for _, s := range g.Succs[member] {
			final = final && p.of[s] == id
		}
	}
	p.final = append(p.final, final)
	return open[:from]
}
