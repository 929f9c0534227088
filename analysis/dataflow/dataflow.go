// Package dataflow finds dependence through memory: which stores and calls may
// have written what a load or call reads. Dependence through registers is
// package defuse's.
//
// # Memory
//
// Memory is divided into objects: every stack slot, every global variable that
// can change, and one for everything else (the heap, other functions' slots).
// An address belongs to the object that it is computed from by casts and
// getelementptr; elements and members of one object are not told apart. An
// address that was itself loaded, passed in or chosen by select is unknown.
//
// An object is exposed when its address may be known elsewhere: globals are,
// and slots whose address is stored, returned, cast to a number or given to a
// call that may keep it. Then
//
//   - a store or load through an unknown address may touch every exposed object;
//   - a call touches every exposed object and what its arguments point to, for
//     reading and writing, unless it is one of the library functions listed
//     in library.go, which touch only what their arguments point to and keep no
//     address;
//   - calls to functions marked readnone touch nothing, readonly write nothing;
//   - a store of the whole object, by its own address, ends what earlier writes
//     of it reach; any other write leaves them.
//
// Types are not used to tell objects apart.
//
// # Method
//
// For each object in turn, bit sets of its writers flow forward through the
// blocks that they reach, until nothing changes. The result is one set of
// writers for each reader, equal sets being one.
package dataflow

import (
	"slices"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/defuse"
)

// Flow is the dependence through memory within one function.
type Flow struct {
	// Writers and Readers are the items that write and read memory, ascending.
	Writers, Readers []int

	writerOf, readerOf map[int]int // place in Writers and Readers, by item
	sources            []bitset    // by reader: writers
	sinks              []bitset    // by writer: readers
	sourceSets         pool
	sinkSets           pool
	memory             *memory
}

// Of computes the dependence through memory of a function.
func Of(code *defuse.Code, g *cfg.Graph) *Flow {
	m := newMemory(code)
	f := &Flow{writerOf: map[int]int{}, readerOf: map[int]int{}, memory: m}
	for i := range code.Items {
		reads, writes := m.touches(i)
		if writes {
			f.writerOf[i] = len(f.Writers)
			f.Writers = append(f.Writers, i)
		}
		if reads {
			f.readerOf[i] = len(f.Readers)
			f.Readers = append(f.Readers, i)
		}
	}
	f.sources = newSets(len(f.Readers), len(f.Writers))
	s := newSolver(code, g, f)
	for object := range m.objects {
		s.solve(m.eventsOf(object))
	}
	f.sinks = transpose(f.sources, len(f.Writers))
	return f
}

// Set is a set of items. Sets with the same members that the same method of a
// Flow returned are the same pointer, so that callers can keep what they
// compute from a set.
type Set struct {
	members bitset
	items   []int       // by place
	place   map[int]int // by item
}

// Each calls yield for the items of the set, ascending, until it returns false.
func (s *Set) Each(yield func(item int) bool) {
	for p := range s.members.each {
		if !yield(s.items[p]) {
			return
		}
	}
}

// Items lists the items of the set, ascending.
func (s *Set) Items() []int { return slices.Collect(s.Each) }

// Has reports whether an item is in the set.
func (s *Set) Has(item int) bool {
	p, ok := s.place[item]
	return ok && s.members.has(p)
}

// Sources returns the writers whose values one of the items may read. Items
// that read nothing add nothing.
func (f *Flow) Sources(items ...int) *Set {
	return f.sourceSets.union(f.sources, f.readerOf, items, f.Writers, f.writerOf)
}

// Sinks returns the readers that may read what one of the items writes. It is
// the reverse of Sources.
func (f *Flow) Sinks(items ...int) *Set {
	return f.sinkSets.union(f.sinks, f.writerOf, items, f.Readers, f.readerOf)
}

// Writes yields the slots and global variables that an item may write, with
// whether it replaces their whole content. Where it may write what any exposed
// one holds, all is true and those are not yielded.
func (f *Flow) Writes(item int, yield func(object value.Value, whole bool)) (all bool) {
	for _, a := range f.memory.accesses[item] {
		switch {
		case !a.writes:
		case a.object == anywhere:
			all = true
		case a.object != elsewhere:
			yield(f.memory.objects[a.object], a.whole)
		}
	}
	return all
}

// Exposed reports whether the address of a slot or global variable may be known
// elsewhere. One that the function does not touch is not.
func (f *Flow) Exposed(object value.Value) bool {
	n, ok := f.memory.number[object]
	return ok && f.memory.exposed[n]
}
