package features

import (
	"slices"

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
func (f *function) sources(set []int) []int {
	f.seenNode.reset()
	var out []int
	take := func(n int) {
		if n != expr.None && f.seenNode.add(n) {
			out = append(out, n)
		}
	}
	f.seenSet.reset()
	f.seenSet.addAll(set)
	var items []int // that read memory for the set
	for _, n := range set {
		items = append(items, f.forest.Nodes[n].Items...)
		for _, operands := range [][]int{f.forest.Nodes[n].Children, f.forest.Nodes[n].Sources} {
			for _, c := range operands {
				if f.seenSet.has(c) {
					continue
				}
				take(c)
				if isRead(f.forest.Nodes[c].Kind) {
					items = append(items, f.forest.Nodes[c].Items...)
				}
			}
		}
	}
	for w := range f.flow.Sources(f.withoutJoins(items)...).Each {
		n := f.forest.Of[w]
		if n == expr.None {
			continue
		}
		take(n)
		if f.forest.Nodes[n].Kind == expr.Assignment {
			for _, c := range f.forest.Nodes[n].Children {
				take(c)
			}
		}
	}
	return out
}

// sinks returns the expressions that depend through data on a set of
// expressions, without those that have one of the set as an operand.
func (f *function) sinks(set []int) []int {
	ancestors := f.ancestors(set)
	f.seenNode.reset()
	var items []int // that write memory for the set
	write := func(n int) { items = append(items, f.forest.Nodes[n].Items...) }
	for _, n := range set {
		write(n)
		for _, p := range f.forest.Nodes[n].Parents {
			if f.forest.Nodes[p].Kind == expr.Assignment {
				write(p)
			}
		}
	}
	f.seenNode.addAll(ancestors)
	var out []int
	take := func(n int) {
		if f.seenNode.add(n) {
			out = append(out, n)
		}
	}
	for _, n := range set {
		for _, c := range f.forest.Nodes[n].Consumers {
			take(c)
		}
	}
	for r := range f.flow.Sinks(f.withoutJoins(items)...).Each {
		n := f.forest.Of[r]
		if n == expr.None {
			continue
		}
		take(n)
		if isRead(f.forest.Nodes[n].Kind) {
			for _, p := range f.forest.Nodes[n].Parents {
				take(p)
			}
		}
	}
	return out
}

// withoutJoins leaves out the instructions that pass on the results of ?:, &&
// and ||, which the tree of expressions links already.
func (f *function) withoutJoins(items []int) []int {
	return slices.DeleteFunc(items, func(i int) bool { return f.forest.Joins[i] })
}

// parents returns the expressions that have one of the set as an operand.
func (f *function) parents(set []int) []int {
	f.seenSet.reset()
	f.seenSet.addAll(set)
	var out []int
	for _, n := range set {
		for _, p := range f.forest.Nodes[n].Parents {
			if f.seenSet.add(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// ancestors returns the parents, their parents and so on.
func (f *function) ancestors(set []int) []int {
	out := f.parents(set)
	for done := 0; done < len(out); done++ {
		for _, p := range f.forest.Nodes[out[done]].Parents {
			if f.seenSet.add(p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// distinct returns the sites that any of the lists names, each once.
func (f *function) distinct(lists [][]int, numbers []int) []int {
	f.seenSite.reset()
	var out []int
	for _, n := range numbers {
		for _, s := range lists[n] {
			if f.seenSite.add(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// sitesOn returns the sites on a set of expressions.
func (f *function) sitesOn(nodes []int) []int { return f.distinct(f.onNode, nodes) }

// controlledBy is the tally of the mutants on statements that depend on the
// branch of a block.
func (f *function) controlledBy(b int) tally {
	if f.outControl[b] == nil {
		t := newTally()
		for _, c := range f.control.Controlled[b] {
			if c != b {
				t.add(f, f.onBlock[c])
			}
		}
		f.outControl[b] = t
	}
	return f.outControl[b]
}

// controlling is the tally of the mutants on conditions that a block depends
// on.
func (f *function) controlling(b int) tally {
	if f.inControl[b] == nil {
		t := newTally()
		for _, a := range f.control.Controllers[b] {
			if a != b {
				t.add(f, f.sitesOn(f.condition[a]))
			}
		}
		f.inControl[b] = t
	}
	return f.inControl[b]
}
