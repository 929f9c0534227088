package features

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/control"
	"github.com/winnow-mutants/winnow/analysis/expr"
)

// The dependences of the dissertation, on the expressions that analysis/expr
// finds. What a mutant touches is a set of them.
//
// A dependence through memory leads from where a value is written to where it
// is read. A plain read (a variable, an element) is an operand of the
// expression that really depends on it, and an assignment writes what its
// operand computed; so at either end the neighbour counts too, and the
// dependence crosses memory once.
//
// Three rules follow from the dissertation's worked example. An expression may
// depend on itself, around a loop. What an expression depends on includes its
// operands, but what depends on it does not include the expressions that it is
// an operand of. And a loop's condition does not count as controlling itself.

// stamps is a set of small numbers that is emptied in constant time.
type stamps struct {
	now  int
	when []int
}

func newStamps(n int) stamps { return stamps{now: 1, when: make([]int, n)} }

func (s *stamps) reset() { s.now++ }

// add reports whether k was not in the set.
func (s *stamps) add(k int) bool {
	if s.when[k] == s.now {
		return false
	}
	s.when[k] = s.now
	return true
}

func (s *stamps) addAll(list []int) {
	for _, k := range list {
		s.add(k)
	}
}

func (s *stamps) has(k int) bool { return s.when[k] == s.now }

// itemSet is a set of instructions that one family fills at a time.
var itemSet = &analysis[*function, *stamps]{
	name: "set of instructions",
	find: func(f *function) *stamps {
		s := newStamps(len(f.code.Items))
		return &s
	},
}

// dependences find what depends on what in a function, and the sites there.
type dependences struct {
	f          *function
	control    control.Dependence
	conditions [][]int
	// onItem are, by instruction, the sites that touch it; onNode, by expression, those
	// that touch one of its instructions; onBlock those of a block.
	onItem, onNode, onBlock [][]int

	outControl, inControl []tally // by block, on demand
	seenSite              stamps
	seenNode, seenSet     stamps // of expressions
}

var relations = &analysis[*function, *dependences]{
	name: "dependences", requires: []Requirement{dataFlow, controlDependence, conditions},
	find: func(f *function) *dependences {
		blocks := len(f.code.First) - 1
		r := &dependences{
			f: f, control: controlDependence.of(f), conditions: conditions.of(f),
			onItem: make([][]int, len(f.code.Items)), onNode: make([][]int, len(f.forest.Nodes)), onBlock: make([][]int, blocks),
			outControl: make([]tally, blocks), inControl: make([]tally, blocks),
			seenSite: newStamps(len(f.sites)), seenNode: newStamps(len(f.forest.Nodes)), seenSet: newStamps(len(f.forest.Nodes)),
		}
		for k, s := range f.sites {
			for _, i := range s.items {
				r.onItem[i] = append(r.onItem[i], k)
			}
			for _, n := range s.nodes {
				r.onNode[n] = append(r.onNode[n], k)
			}
			r.onBlock[s.block] = append(r.onBlock[s.block], k)
		}
		return r
	},
}

// isRead reports an expression that only reads memory.
func isRead(k expr.Kind) bool {
	switch k {
	case expr.Identifier, expr.Dereference, expr.Element, expr.Member:
		return true
	}
	return false
}

// sources returns the expressions that a set of expressions depends on through
// data.
func (r *dependences) sources(set []int) []int {
	r.seenNode.reset()
	var out []int
	take := func(n int) {
		if n != expr.None && r.seenNode.add(n) {
			out = append(out, n)
		}
	}
	r.seenSet.reset()
	r.seenSet.addAll(set)
	var items []int // that read memory for the set
	for _, n := range set {
		items = append(items, r.f.forest.Nodes[n].Items...)
		for _, operands := range [][]int{r.f.forest.Nodes[n].Children, r.f.forest.Nodes[n].Sources} {
			for _, c := range operands {
				if r.seenSet.has(c) {
					continue
				}
				take(c)
				if isRead(r.f.forest.Nodes[c].Kind) {
					items = append(items, r.f.forest.Nodes[c].Items...)
				}
			}
		}
	}
	for w := range dataFlow.of(r.f).Sources(r.withoutJoins(items)...).Each {
		n := r.f.forest.Of[w]
		if n == expr.None {
			continue
		}
		take(n)
		if r.f.forest.Nodes[n].Kind == expr.Assignment {
			for _, c := range r.f.forest.Nodes[n].Children {
				take(c)
			}
		}
	}
	return out
}

// sinks returns the expressions that depend through data on a set of
// expressions, without those that have one of the set as an operand.
func (r *dependences) sinks(set []int) []int {
	ancestors := r.ancestors(set)
	r.seenNode.reset()
	var items []int // that write memory for the set
	write := func(n int) { items = append(items, r.f.forest.Nodes[n].Items...) }
	for _, n := range set {
		write(n)
		for _, p := range r.f.forest.Nodes[n].Parents {
			if r.f.forest.Nodes[p].Kind == expr.Assignment {
				write(p)
			}
		}
	}
	r.seenNode.addAll(ancestors)
	var out []int
	take := func(n int) {
		if r.seenNode.add(n) {
			out = append(out, n)
		}
	}
	for _, n := range set {
		for _, c := range r.f.forest.Nodes[n].Consumers {
			take(c)
		}
	}
	for read := range dataFlow.of(r.f).Sinks(r.withoutJoins(items)...).Each {
		n := r.f.forest.Of[read]
		if n == expr.None {
			continue
		}
		take(n)
		if isRead(r.f.forest.Nodes[n].Kind) {
			for _, p := range r.f.forest.Nodes[n].Parents {
				take(p)
			}
		}
	}
	return out
}

// withoutJoins leaves out the instructions that pass on the results of ?:, &&
// and ||, which the tree of expressions links already.
func (r *dependences) withoutJoins(items []int) []int {
	return slices.DeleteFunc(items, func(i int) bool { return r.f.forest.Joins[i] })
}

// parents returns the expressions that have one of the set as an operand.
func (r *dependences) parents(set []int) []int {
	r.seenSet.reset()
	r.seenSet.addAll(set)
	var out []int
	for _, n := range set {
		for _, p := range r.f.forest.Nodes[n].Parents {
			if r.seenSet.add(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// ancestors returns the parents, their parents and so on.
func (r *dependences) ancestors(set []int) []int {
	out := r.parents(set)
	for done := 0; done < len(out); done++ {
		for _, p := range r.f.forest.Nodes[out[done]].Parents {
			if r.seenSet.add(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// distinct returns the sites that any of the lists names, each once.
func (r *dependences) distinct(lists [][]int, numbers []int) []int {
	r.seenSite.reset()
	var out []int
	for _, n := range numbers {
		for _, s := range lists[n] {
			if r.seenSite.add(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// sitesOn returns the sites on a set of expressions.
func (r *dependences) sitesOn(nodes []int) []int { return r.distinct(r.onNode, nodes) }

// controlledBy is the tally of the mutants on statements that depend on the
// branch of a block.
func (r *dependences) controlledBy(b int) tally {
	if r.outControl[b] == nil {
		t := newTally()
		for _, c := range r.control.Controlled[b] {
			if c != b {
				t.add(r.f, r.onBlock[c])
			}
		}
		r.outControl[b] = t
	}
	return r.outControl[b]
}

// controlling is the tally of the mutants on conditions that a block depends
// on.
func (r *dependences) controlling(b int) tally {
	if r.inControl[b] == nil {
		t := newTally()
		for _, a := range r.control.Controllers[b] {
			if a != b {
				t.add(r.f, r.sitesOn(r.conditions[a]))
			}
		}
		r.inControl[b] = t
	}
	return r.inControl[b]
}

// isCondition reports whether a set of expressions holds part of the condition
// of its block.
func (r *dependences) isCondition(set []int) bool {
	for _, n := range set {
		if slices.Contains(r.conditions[r.f.forest.Nodes[n].Block], n) {
			return true
		}
	}
	return false
}
