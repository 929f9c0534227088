package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"
)

// flow says where control may be sent: an edge that the program does not have
// must leave every value computed on all ways to its uses.
type flow struct {
	entry *llir.Block
	preds map[*llir.Block][]*llir.Block
	// order numbers the blocks that are reached, in reverse postorder.
	order map[*llir.Block]int
	idom  map[*llir.Block]*llir.Block // immediate dominators; the entry's is nil
	// exports are the blocks that compute a value which another one uses.
	exports map[*llir.Block]bool
}

func flowOf(f *llir.Func) *flow {
	g := &flow{entry: f.Blocks[0], preds: map[*llir.Block][]*llir.Block{}, order: map[*llir.Block]int{},
		idom: map[*llir.Block]*llir.Block{}, exports: map[*llir.Block]bool{}}
	home := map[value.Value]*llir.Block{}
	for _, b := range f.Blocks {
		for _, s := range b.Term.Succs() {
			g.preds[s] = append(g.preds[s], b)
		}
		for _, inst := range b.Insts {
			if v, ok := inst.(value.Value); ok {
				home[v] = b
			}
		}
	}
	for v, users := range usersOf(f) {
		b := home[v]
		for _, user := range users {
			if b != nil && !isIn(b, user) {
				g.exports[b] = true
			}
		}
	}
	g.dominators()
	return g
}

func isIn(b *llir.Block, user any) bool {
	if user == any(b.Term) {
		return true
	}
	for _, inst := range b.Insts {
		if user == any(inst) {
			return true
		}
	}
	return false
}

// dominators follows Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm" (2001).
func (g *flow) dominators() {
	blocks := g.reversePostorder()
	for i, b := range blocks {
		g.order[b] = i
	}
	for changed := true; changed; {
		changed = false
		for _, b := range blocks[1:] {
			var dom *llir.Block
			for _, p := range g.preds[b] {
				_, reached := g.order[p]
				switch {
				case !reached || p != g.entry && g.idom[p] == nil:
				case dom == nil:
					dom = p
				default:
					dom = g.common(dom, p)
				}
			}
			if g.idom[b] != dom {
				g.idom[b], changed = dom, true
			}
		}
	}
}

// common is the nearest block that dominates both.
func (g *flow) common(a, b *llir.Block) *llir.Block {
	for a != b {
		if g.order[a] > g.order[b] {
			a = g.idom[a]
		} else {
			b = g.idom[b]
		}
	}
	return a
}

func (g *flow) reversePostorder() []*llir.Block {
	type visit struct {
		block *llir.Block
		succs []*llir.Block
	}
	var out []*llir.Block
	seen := map[*llir.Block]bool{g.entry: true}
	stack := []visit{{g.entry, g.entry.Term.Succs()}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.succs) == 0 {
			out = append(out, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.succs[len(top.succs)-1]
		top.succs = top.succs[:len(top.succs)-1]
		if !seen[next] {
			seen[next] = true
			stack = append(stack, visit{next, next.Term.Succs()})
		}
	}
	for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
		out[i], out[k] = out[k], out[i]
	}
	return out
}

// mayAdd reports whether an edge leaves the function well formed. The blocks
// that lose their dominance over the target, and what it dominates, are those
// between it and the nearest block that dominates both ends; none of them may
// compute a value for another block.
func (g *flow) mayAdd(from, to *llir.Block) bool {
	_, fromReached := g.order[from]
	_, toReached := g.order[to]
	if !fromReached || !toReached || to == g.entry {
		return false
	}
	stop := g.common(from, to)
	for b := to; b != stop; {
		b = g.idom[b]
		if b != stop && g.exports[b] {
			return false
		}
	}
	return true
}

// phiStores returns the slots of phis that one block fills for another, with
// the values, so that a third can go there in its stead. It is false where a
// value is the block's own.
func phiStores(via, to *llir.Block) ([]*llir.InstStore, bool) {
	var out []*llir.InstStore
	for _, inst := range via.Insts {
		store, ok := inst.(*llir.InstStore)
		if !ok {
			continue
		}
		slot, ok := store.Dst.(*llir.InstAlloca)
		if !ok || !isPhiSlot(slot) || !loads(to, slot) {
			continue
		}
		if _, isConst := store.Src.(constant.Constant); !isConst && definedIn(via, store.Src) {
			return nil, false
		}
		out = append(out, store)
	}
	return out, true
}

func definedIn(b *llir.Block, v value.Value) bool {
	for _, inst := range b.Insts {
		if any(inst) == any(v) {
			return true
		}
	}
	return false
}
