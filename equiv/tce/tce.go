// Package tce finds equivalent and duplicate mutants by asking the optimiser:
// trivial compiler equivalence (Papadakis et al., ICSE 2015; Mart's in-memory
// check; the Optimizer of Riener 2011, section 3.2), in bulk.
//
// A mutant whose function is optimised to the text of the original's is
// equivalent; one whose text is that of an earlier mutant of the function is a
// duplicate. One opt process costs as much as optimising thirty functions, so
// mutants do not get one each: every mutant becomes a clone of its function in
// a module of clones, a few hundred at a time, and one process optimises them
// all. A function is printed once; a mutant replaces a few of its lines, so the
// work grows with the number of mutants times the size of their function, and
// memory is bounded by the batches that are optimised at the moment. Texts are
// compared by the hash of a canonical form (canonical.go). Mutants whose text
// is equal before any optimisation are not optimised twice.
//
// # What a verdict means
//
// Clones see the rest of the program as declarations only. Nothing is inlined
// or inferred across functions, clones cannot be merged with each other, and a
// recursive call is a call of the original by name: were its body known, a
// mutant that calls itself for ever could be told equal to what it calls. So
// equal texts compute the same whatever the other functions do, though perhaps
// not in the same time: a loop without effect may be gone. Clones keep no
// metadata and no function attribute that the original's body has earned
// (readnone, willreturn and the like), since a mutant may break it.
//
// Texts are only as good as the passes, and passes may assume that code never
// does what C leaves undefined. The default pass list is therefore strict: the
// code says first what happens then, in the original and the mutants alike.
// Flags that promise the absence of overflow (nsw, nuw, exact, inbounds) go, on
// untouched instructions too, because a mutant may overflow where the original
// never does; and so do attributes that promise something about a value, loop
// metadata and fast-math flags. Shift amounts are reduced as the machine does.
// Divisions that may trap show their operands to an unknown function, in
// order. Locals and malloc'ed memory start with contents that no pass knows,
// instead of any contents that suit. A null pointer is an address like others.
// What remains assumed: an access stays within the object that its pointer was
// made from, and the C library does what the standard says. The list nowrap
// keeps the flags of untouched instructions; the others trust all that the
// compiler promises, as the tools they stand for do.
package tce

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"strconv"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
)

// Options choose how mutants are compared.
type Options struct {
	// Passes optimises the mutants; the zero PassList is the first of All.
	Passes PassList
	// Workers is how many opt processes run at the same time; 0 means one a
	// CPU. Verdicts do not depend on it.
	Workers int
	// Large is how many instructions make a function large: its mutants are
	// compared within windows of Window instructions (window.go), and verdicts
	// say so. 0 means 300 and 100.
	Large, Window int
	// BatchBytes bounds the text of one opt run, give or take a unit (unitBytes);
	// 0 means 2 MiB. Verdicts do not depend on it.
	BatchBytes int
}

func (o Options) withDefaults() Options {
	if len(o.Passes.Stages) == 0 {
		o.Passes = All()[0]
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Large <= 0 {
		o.Large = 300
	}
	if o.Window <= 0 {
		o.Window = 100
	}
	if o.BatchBytes <= 0 {
		o.BatchBytes = 2 << 20
	}
	return o
}

// Decide says of each mutant whether it is equivalent to the original, a
// duplicate of an earlier mutant of its function, or neither, in the order of
// the mutants.
//
// The module is one that operator.Generate has prepared and made the mutants
// from, before schemata.Build; Decide does not change it. A mutant that LLVM's
// verifier refuses is Invalid, and its evidence is what the verifier says. The
// mutants of a function that takes addresses of labels are not examined: their
// verdict has no Evidence.
func Decide(ctx context.Context, tools *clang.Toolchain, m *ir.Module, mutants []mutant.Mutant, opts Options) ([]equiv.Verdict, error) {
	opts = opts.withDefaults()
	d := newDecision(m, mutants, opts)
	d.tools = tools
	if err := d.optimiseAll(ctx, opts); err != nil {
		return nil, err
	}
	return d.verdicts(), nil
}

// decision is one call of Decide.
type decision struct {
	optimiser
	mutants []mutant.Mutant
	// groups are the mutants by function, in the order of the first ones.
	groups []group
	// twin is, by item, the first item of the function with the same text
	// before optimisation. Items are the mutants, then the originals.
	twin []int
}

// group is the mutants of one function, or of a window of it.
type group struct {
	f *llir.Func
	// window is the group's part of the function; nil for all of it.
	window []*llir.Block
	shape  *shape
	// original is the item of the unchanged function, members those of its
	// mutants.
	original int
	members  []int
}

func newDecision(m *ir.Module, mutants []mutant.Mutant, opts Options) *decision {
	d := &decision{mutants: mutants, groups: groupsOf(mutants, opts)}
	items := len(mutants) + len(d.groups)
	d.optimiser = optimiser{
		name: m.Name, passes: opts.Passes, header: headerOf(m, opts.Passes.Trust < TrustEverything), guards: map[string]string{},
		digests: make([]digest, items), known: make([]bool, items), refused: make([]string, items),
	}
	d.twin = make([]int, items)
	for i := range d.twin {
		d.twin[i] = i
	}
	return d
}

func groupsOf(mutants []mutant.Mutant, opts Options) []group {
	var groups []group
	at := map[*llir.Func]int{}
	for i := range mutants {
		f := mutants[i].Site.Func
		k, ok := at[f]
		if !ok {
			k = len(groups)
			at[f] = k
			groups = append(groups, group{f: f})
		}
		groups[k].members = append(groups[k].members, i)
	}
	var out []group
	for _, g := range groups {
		out = append(out, g.windows(mutants, opts)...)
	}
	for k := range out {
		out[k].original = len(mutants) + k
	}
	return out
}

// windows parts the mutants of a large function.
func (g group) windows(mutants []mutant.Mutant, opts Options) []group {
	size := 0
	for _, b := range g.f.Blocks {
		size += len(b.Insts) + 1
	}
	if size <= opts.Large || !canBeCut(g.f) {
		return []group{g}
	}
	shape := shapeOf(g.f)
	var out []group
	at := map[*llir.Block]int{}
	for k, blocks := range cut(g.f, opts.Window) {
		out = append(out, group{f: g.f, window: blocks, shape: shape})
		for _, b := range blocks {
			at[b] = k
		}
	}
	for _, i := range g.members {
		w := &out[at[shape.holder[placeOf(&mutants[i])]]]
		w.members = append(w.members, i)
	}
	return slices.DeleteFunc(out, func(w group) bool { return len(w.members) == 0 })
}

// template prints the group's original.
func (d *decision) template(g group, p *printer) (*template, error) {
	if g.window == nil {
		return newTemplate(g.f, p)
	}
	members := make([]*mutant.Mutant, len(g.members))
	for k, i := range g.members {
		members[k] = &d.mutants[i]
	}
	return newWindowTemplate(g.shape, g.shape.newWindow(g.window, members), p)
}

// optimiseAll makes the clones, batch after batch, and optimises as many
// batches at a time as there are workers.
func (d *decision) optimiseAll(ctx context.Context, opts Options) error {
	queue := &queue{decision: d, ctx: ctx, opts: opts}
	for k, g := range d.groups {
		t, err := d.template(g, &printer{trust: opts.Passes.Trust, function: k, declares: d.guards})
		if err != nil {
			continue // not examined
		}
		seen := map[digest]int{}
		if err := queue.add(t, g.original, t.body(nil), nil, seen); err != nil {
			return err
		}
		for _, i := range g.members {
			body, needs, err := t.mutate(&d.mutants[i])
			if err != nil {
				return err
			}
			if err := queue.add(t, i, body, needs, seen); err != nil {
				return err
			}
		}
		if err := queue.endUnit(); err != nil {
			return err
		}
	}
	return queue.flush()
}

// queue gathers clones into batches, unit by unit. LLVM's mergefunc ties clones
// whose texts differ in what the machine does not see, such as what a pointer
// points to. It ties within a unit only, and a unit is in one batch, so that how
// units are put together does not matter.
type queue struct {
	*decision
	ctx     context.Context
	opts    Options
	batches [][]clone
	last    []clone
	bytes   int // in last
	units   int // ended
	unit    int // bytes in the current unit
}

// unitBytes is how much text ends a unit. A group of mutants that is longer is in
// several units, between which only equal texts tie.
const unitBytes = 1 << 20

// add queues one clone unless its text is already there.
func (q *queue) add(t *template, item int, body string, needs []string, seen map[digest]int) error {
	key := digest(sha256.Sum256([]byte(body)))
	if twin, ok := seen[key]; ok {
		q.twin[item] = twin
		return nil
	}
	seen[key] = item
	q.last = append(q.last, clone{item: item, unit: strconv.Itoa(q.units), needs: slices.Concat(t.needs, needs),
		kind: t.kind,
		text: func(name, unit string) string { return t.define(name, unit, body) }})
	q.unit += len(body)
	if q.unit < unitBytes {
		return nil
	}
	return q.endUnit()
}

// endUnit ends the unit, and the batch if that is full.
func (q *queue) endUnit() error {
	q.bytes += q.unit
	q.units, q.unit = q.units+1, 0
	if q.bytes < q.opts.BatchBytes {
		return nil
	}
	q.batches = append(q.batches, q.last)
	q.last, q.bytes = nil, 0
	if len(q.batches) < q.opts.Workers {
		return nil
	}
	return q.flush()
}

// flush optimises what is queued.
func (q *queue) flush() error {
	batches := q.batches
	if len(q.last) > 0 {
		batches = append(batches, q.last)
	}
	q.batches, q.last, q.bytes = nil, nil, 0
	return q.run(q.ctx, q.opts.Workers, batches)
}

// verdicts compares the digests, function by function.
func (d *decision) verdicts() []equiv.Verdict {
	out := make([]equiv.Verdict, len(d.mutants))
	for i := range out {
		out[i].Mutant = d.mutants[i].Selector
	}
	for _, g := range d.groups {
		if !d.known[g.original] {
			continue
		}
		first := map[digest]int{d.digests[g.original]: g.original}
		for _, i := range g.members {
			item := d.twin[i]
			if d.refused[item] != "" {
				out[i].Kind, out[i].Evidence = equiv.Invalid, d.refused[item]
			}
			if !d.known[item] || !d.passes.Compares() {
				continue
			}
			out[i].Evidence = d.passes.evidence()
			if g.window != nil {
				out[i].Evidence += "/window"
			}
			same, ok := first[d.digests[item]]
			switch {
			case !ok:
				first[d.digests[item]] = i
			case same == g.original:
				out[i].Kind = equiv.Equivalent
			default:
				out[i].Kind, out[i].Of = equiv.Duplicate, d.mutants[same].Selector
			}
		}
	}
	return out
}
