package tce

import (
	"crypto/sha256"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir"
)

// queue gathers clones into batches, unit by unit. LLVM's mergefunc ties clones
// whose texts differ in what the machine does not see, such as what a pointer
// points to. It ties within a unit only, and a unit is in one batch, so that how
// units are put together does not matter.
type queue struct {
	opts  Options
	world *world
	// last are the clones that wait for their batch to be full, of the functions
	// in of.
	last  []clone
	of    []*comparison
	bytes int // in last
	units int // ended
	unit  int // bytes in the current unit
	// groups counts the groups so far, module is that of the current function.
	groups int
	module *ir.Module
	header *header
	guards map[string]string // declarations of the strict printer's globals

	mu sync.Mutex // guards comparison.waiting and comparison.queued
}

// unitBytes is how much text ends a unit. A group of mutants that is longer is in
// several units, between which only equal texts tie.
const unitBytes = 1 << 20

// batches prints the clones of all functions and hands them out, a batch at a
// time. It ends after a batch with an error.
func (q *queue) batches(functions iter.Seq[equiv.Batch]) iter.Seq[*batch] {
	return func(yield func(*batch) bool) {
		number := 0
		for f := range functions {
			if f.Module != q.module {
				if !q.flush(yield) {
					return
				}
				q.enter(f.Module)
			}
			c := newComparison(f, number, q.opts)
			number++
			if !q.add(c, yield) {
				return
			}
			q.mu.Lock()
			c.queued = true
			q.mu.Unlock()
			q.finish(c)
		}
		q.flush(yield)
	}
}

// enter begins the functions of a module.
func (q *queue) enter(m *ir.Module) {
	q.module, q.header = m, headerOf(m, q.world, q.opts.Passes.Trust < TrustEverything)
	q.guards = map[string]string{}
}

// add queues the clones of a function; it is false where nobody wants more.
func (q *queue) add(c *comparison, yield func(*batch) bool) bool {
	if why := q.world.opaque(c.Func, q.opts.Passes.Trust < TrustEverything); why != "" {
		for i := range c.Mutants {
			c.unseen[i] = why
		}
		return true
	}
	for _, g := range c.groups {
		t, err := c.template(g, &printer{trust: q.opts.Passes.Trust, function: q.groups, declares: q.guards, header: q.header})
		q.groups++
		if err != nil {
			for _, i := range g.members {
				c.unseen[i] = err.Error()
			}
			continue
		}
		seen := map[digest]int{}
		if !q.clone(c, t, g.original, t.body(nil), nil, seen, yield) {
			return false
		}
		for _, i := range g.members {
			body, needs, err := t.mutate(&c.Mutants[i])
			var blind *opaqueError
			switch {
			case errors.As(err, &blind):
				c.unseen[i] = err.Error()
				continue
			case err != nil:
				yield(&batch{err: err})
				return false
			}
			if !q.clone(c, t, i, body, needs, seen, yield) {
				return false
			}
		}
		if !q.endUnit(yield) {
			return false
		}
	}
	return true
}

// clone queues one clone unless its text is already there.
func (q *queue) clone(c *comparison, t *template, item int, body string, needs []string, seen map[digest]int, yield func(*batch) bool) bool {
	key := digest(sha256.Sum256([]byte(body)))
	if twin, ok := seen[key]; ok {
		c.twin[item] = twin
		return true
	}
	seen[key] = item
	if !slices.Contains(q.of, c) {
		q.of = append(q.of, c)
		q.mu.Lock()
		c.waiting++
		q.mu.Unlock()
	}
	q.last = append(q.last, clone{of: c, item: item, unit: strconv.Itoa(q.units), needs: slices.Concat(t.needs, needs), template: t, body: body})
	q.unit += len(body)
	if q.unit < unitBytes {
		return true
	}
	return q.endUnit(yield)
}

// endUnit ends the unit, and the batch if that is full.
func (q *queue) endUnit(yield func(*batch) bool) bool {
	q.bytes += q.unit
	q.units, q.unit = q.units+1, 0
	if q.bytes < q.opts.BatchBytes {
		return true
	}
	return q.flush(yield)
}

// flush hands out what is queued.
func (q *queue) flush(yield func(*batch) bool) bool {
	if len(q.last) == 0 {
		return true
	}
	b := &batch{name: q.module.Name, header: q.header, clones: q.last, of: q.of}
	b.declarations = q.declarations()
	q.last, q.of, q.bytes = nil, nil, 0
	return yield(b)
}

// declarations are those that the queued clones need.
func (q *queue) declarations() string {
	var names []string
	for _, c := range q.last {
		names = append(names, c.needs...)
	}
	slices.Sort(names)
	var text strings.Builder
	q.header.write(&text, slices.Compact(names), q.guards)
	return text.String()
}

// settle notes that the clones of a batch have been optimised.
func (q *queue) settle(b *batch) {
	for _, c := range b.of {
		q.mu.Lock()
		c.waiting--
		q.mu.Unlock()
		q.finish(c)
	}
}

// finish tells the verdicts on a function when all its clones are optimised.
func (q *queue) finish(c *comparison) {
	q.mu.Lock()
	over := c.queued && c.waiting == 0
	if over {
		c.queued = false // once
	}
	q.mu.Unlock()
	if over {
		c.Done(c.verdicts())
	}
}
