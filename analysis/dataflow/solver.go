package dataflow

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/defuse"
)

// event is what an item does to an object. An item that does both reads first.
type event struct {
	item          int
	reads, writes bool
	// whole: the write replaces the object's content.
	whole bool
}

// solver computes which writers of one object reach its readers.
type solver struct {
	code  *defuse.Code
	flow  *Flow
	succs [][]int

	// first is the place of a block's first event, plus one; 0 for none.
	first []int
	// at is the place of a block's set in arena, plus one; 0 while nothing
	// reaches the block.
	at      []int
	arena   []uint64
	touched []int // blocks with a set
	queue   []int
	queued  []bool
	out     bitset // what leaves a block
}

func newSolver(code *defuse.Code, g *cfg.Graph, f *Flow) *solver {
	n := g.Len()
	return &solver{code: code, flow: f, succs: g.Succs,
		first: make([]int, n), at: make([]int, n), queued: make([]bool, n)}
}

// object is the problem of one object.
type object struct {
	events []event // ascending by item
	ids    []int   // by event: the number of the writer
	// writers are the places in Flow.Writers by number; nil where that is the
	// number itself.
	writers []int
	words   int
}

// number gives the object's writers numbers: their own, which keeps the sets
// small, or those of the whole function where that would not be much smaller.
func (s *solver) number(o *object) (reads bool) {
	for i, e := range o.events {
		reads = reads || e.reads
		if e.writes {
			o.ids[i] = len(o.writers)
			o.writers = append(o.writers, s.flow.writerOf[e.item])
		}
	}
	o.words = words(len(o.writers))
	if all := words(len(s.flow.Writers)); 8*o.words > all {
		for i, e := range o.events {
			if e.writes {
				o.ids[i] = s.flow.writerOf[e.item]
			}
		}
		o.writers, o.words = nil, all
	}
	return reads
}

// solve adds to the flow's sources what reaches the readers of one object. Its
// events are in ascending order.
func (s *solver) solve(events []event) {
	o := object{events: events, ids: make([]int, len(events))}
	if reads := s.number(&o); !reads || o.words == 0 {
		return
	}
	s.out = slices.Grow(s.out[:0], o.words)[:o.words]
	s.begin(o)
	for len(s.queue) > 0 {
		b := s.queue[0]
		s.queue = s.queue[1:]
		s.queued[b] = false
		s.push(o, b)
	}
	s.record(o)
	s.end(o)
}

// begin gives every block with a writer to the queue.
func (s *solver) begin(o object) {
	for i, e := range o.events {
		b := s.code.Items[e.item].Block
		if s.first[b] == 0 {
			s.first[b] = i + 1
		}
		if e.writes && !s.queued[b] {
			s.queued[b] = true
			s.queue = append(s.queue, b)
		}
	}
}

// push sends what leaves a block to its successors.
func (s *solver) push(o object, b int) {
	out := s.leaving(o, b)
	for _, to := range s.succs[b] {
		if s.entering(o, to).merge(out) && !s.queued[to] {
			s.queued[to] = true
			s.queue = append(s.queue, to)
		}
	}
}

// entering is the set of writers that reach the start of a block.
func (s *solver) entering(o object, b int) bitset {
	if s.at[b] == 0 {
		s.at[b] = len(s.arena) + 1
		s.arena = append(s.arena, make([]uint64, o.words)...)
		s.touched = append(s.touched, b)
	}
	from := s.at[b] - 1
	return s.arena[from : from+o.words]
}

// leaving is the set of writers that reach the end of a block; the next call
// overwrites it.
func (s *solver) leaving(o object, b int) bitset {
	out := s.out
	clear(out)
	if s.at[b] != 0 {
		copy(out, s.entering(o, b))
	}
	s.walk(o, b, func(i int) {
		e := o.events[i]
		if e.whole {
			clear(out)
		}
		if e.writes {
			out.add(o.ids[i])
		}
	})
	return out
}

// walk visits the events of a block in order.
func (s *solver) walk(o object, b int, visit func(event int)) {
	if s.first[b] == 0 {
		return
	}
	for i := s.first[b] - 1; i < len(o.events) && s.code.Items[o.events[i].item].Block == b; i++ {
		visit(i)
	}
}

// record adds what reaches each reader to the flow.
func (s *solver) record(o object) {
	state := make(bitset, o.words)
	block := -1
	for i, e := range o.events {
		if b := s.code.Items[e.item].Block; b != block {
			block = b
			clear(state)
			if s.at[b] != 0 {
				copy(state, s.entering(o, b))
			}
		}
		if e.reads {
			sources := s.flow.sources[s.flow.readerOf[e.item]]
			if o.writers == nil {
				sources.merge(state)
			} else {
				for w := range state.each {
					sources.add(o.writers[w])
				}
			}
		}
		if e.whole {
			clear(state)
		}
		if e.writes {
			state.add(o.ids[i])
		}
	}
}

// end leaves the solver as it was before the object.
func (s *solver) end(o object) {
	for _, e := range o.events {
		s.first[s.code.Items[e.item].Block] = 0
	}
	for _, b := range s.touched {
		s.at[b] = 0
	}
	s.touched, s.arena = s.touched[:0], s.arena[:0]
}
