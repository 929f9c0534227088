package tce

import (
	"cmp"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/mutant"
)

// comparison is a function whose mutants are being compared.
type comparison struct {
	equiv.Batch
	passes PassList
	// number tells it apart from the others of the call, in names.
	number int
	// groups are the parts in which mutants are compared: all of the function, or
	// its windows. Items are the mutants, then the originals of the groups.
	groups []group
	// twin is, by item, the first item of the group with the same text before
	// optimisation.
	twin    []int
	digests []digest // by item
	known   []bool   // by item: digests holds its digest
	refused []string // by item: why LLVM's verifier refuses it; "" where it does not
	unseen  []string // by item: why it cannot be seen through; "" where it can
	// waiting counts the batches that hold clones of the function, queued says
	// that there will be no more of them; both are guarded by queue.mu.
	waiting int
	queued  bool
}

// group is the mutants of one function, or of a window of it.
type group struct {
	// window is the group's part of the function; nil for all of it.
	window []*llir.Block
	shape  *shape
	// original is the item of the unchanged function, members those of its
	// mutants.
	original int
	members  []int
}

func newComparison(f equiv.Batch, number int, opts Options) *comparison {
	c := &comparison{Batch: f, passes: opts.Passes, number: number}
	c.groups = c.part(opts)
	items := len(f.Mutants) + len(c.groups)
	for k := range c.groups {
		c.groups[k].original = len(f.Mutants) + k
	}
	c.twin = make([]int, items)
	for i := range c.twin {
		c.twin[i] = i
	}
	c.digests, c.known, c.refused, c.unseen = make([]digest, items), make([]bool, items), make([]string, items), make([]string, items)
	return c
}

// part parts the mutants of a large function by window.
func (c *comparison) part(opts Options) []group {
	all := group{members: make([]int, len(c.Mutants))}
	for i := range all.members {
		all.members[i] = i
	}
	size := 0
	for _, b := range c.Func.Blocks {
		size += len(b.Insts) + 1
	}
	if size <= opts.Large || !canBeCut(c.Func) {
		return []group{all}
	}
	shape := shapeOf(c.Func, c.Mutants, opts.Window)
	var out []group
	at := map[*llir.Block]int{}
	for k, blocks := range cut(shape.blocks, opts.Window) {
		out = append(out, group{window: blocks, shape: shape})
		for _, b := range blocks {
			at[b] = k
		}
	}
	for _, i := range all.members {
		w := &out[at[shape.holder[placeOf(&c.Mutants[i])]]]
		w.members = append(w.members, i)
	}
	return slices.DeleteFunc(out, func(w group) bool { return len(w.members) == 0 })
}

// template prints a group's original.
func (c *comparison) template(g group, p *printer) (*template, error) {
	if g.window == nil {
		return newTemplate(c.Func, p)
	}
	members := make([]*mutant.Mutant, len(g.members))
	for k, i := range g.members {
		members[k] = &c.Mutants[i]
	}
	return newWindowTemplate(g.shape, g.shape.newWindow(g.window, members), p)
}

// verdicts compares the digests, group by group.
func (c *comparison) verdicts() []equiv.Verdict {
	out := make([]equiv.Verdict, len(c.Mutants))
	for i := range out {
		out[i].Mutant, out[i].Reason = c.Mutants[i].Selector, c.unseen[i]
	}
	for _, g := range c.groups {
		if !c.known[g.original] {
			for _, i := range g.members {
				out[i].Reason = cmp.Or(c.unseen[i], c.refused[g.original], "opt fails on its code")
			}
			continue
		}
		evidence := c.passes.evidence()
		if g.window != nil {
			evidence += "/window"
		}
		first := map[digest]int{c.digests[g.original]: g.original}
		for _, i := range g.members {
			item := c.twin[i]
			if c.refused[item] != "" {
				out[i].Kind, out[i].Evidence, out[i].Reason = equiv.Invalid, evidence, c.refused[item]
			}
			if !c.known[item] || !c.passes.Compares() {
				continue
			}
			out[i].Evidence = evidence
			same, ok := first[c.digests[item]]
			switch {
			case !ok:
				first[c.digests[item]] = i
			case same == g.original:
				out[i].Kind = equiv.Equivalent
			default:
				out[i].Kind, out[i].Of = equiv.Duplicate, c.Mutants[same].Selector
			}
		}
	}
	return out
}
