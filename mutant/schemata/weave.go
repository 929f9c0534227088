package schemata

import (
	"fmt"
	"slices"
	"sort"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// site is one place with its mutants, in selector order.
type site struct {
	ordinal int
	insts   []llir.Instruction // nil for a terminator
	result  llir.Instruction   // of insts, the one that is used outside of a longer run
	mutants []*mutant.Mutant
}

// weaver rebuilds one function.
type weaver struct {
	*builder
	f *llir.Func
	// sites by the first instruction replaced (several: a whole statement and
	// its first instruction) and by terminator.
	atInst map[llir.Instruction][]*site
	atTerm map[llir.Terminator]*site
	// detours are the blocks that a mutant goes to from a block.
	detours map[*llir.Block][]*llir.Block
	// joined maps the result of a site's instruction to the phi that takes its
	// place for every later use.
	joined map[value.Value]value.Value
	// own are the values that a block of a longer run's original copy uses as
	// they are, although they are joined behind the run.
	own map[*llir.Block][]value.Value
	// blocks is the function's new list of blocks, cur the one being filled.
	blocks []*llir.Block
	cur    *llir.Block
}

func newWeaver(b *builder, f *llir.Func, mutants []*mutant.Mutant) *weaver {
	w := &weaver{builder: b, f: f, atInst: map[llir.Instruction][]*site{}, atTerm: map[llir.Terminator]*site{},
		detours: map[*llir.Block][]*llir.Block{}, joined: map[value.Value]value.Value{}, own: map[*llir.Block][]value.Value{}}
	bySite := map[int]*site{}
	for _, m := range mutants {
		s := bySite[m.Site.Ordinal]
		if s == nil {
			s = &site{ordinal: m.Site.Ordinal}
			bySite[m.Site.Ordinal] = s
			switch edit := m.Edit.(type) {
			case mutant.Rewrite:
				s.insts = edit.Insts
				w.atInst[edit.Insts[0]] = append(w.atInst[edit.Insts[0]], s)
			case mutant.Redirect:
				w.atTerm[edit.Term] = s
			}
		}
		if edit, ok := m.Edit.(mutant.Rewrite); ok && edit.Result != nil {
			s.result = edit.Result
		}
		s.mutants = append(s.mutants, m)
		if edit, ok := m.Edit.(mutant.Redirect); ok {
			from := m.Site.Block
			w.detours[from] = append(w.detours[from], edit.Emit(&mutant.Code{}).Succs()...)
		}
	}
	for _, sites := range w.atInst {
		// The longest first: a statement encloses its instructions.
		sort.SliceStable(sites, func(i, k int) bool { return len(sites[i].insts) > len(sites[k].insts) })
	}
	return w
}

func (w *weaver) weave() {
	headers := loopHeaders(w.f.Blocks[0], w.successors)
	original := w.f.Blocks
	for i, b := range original {
		insts, term := b.Insts, b.Term
		b.Insts = nil
		w.begin(b)
		if i == 0 {
			for len(insts) > 0 && isAlloca(insts[0]) {
				w.cur.Insts = append(w.cur.Insts, insts[0])
				insts = insts[1:]
			}
		}
		if i == 0 || headers[b] {
			w.burnFuel(i)
		}
		w.instructions(insts, nil)
		w.terminator(term)
	}
	w.f.Blocks = w.blocks
	for _, b := range w.f.Blocks {
		substituteIn(b, w.joined, w.own[b])
	}
}

func isAlloca(inst llir.Instruction) bool { _, ok := inst.(*llir.InstAlloca); return ok }

func (w *weaver) begin(b *llir.Block) {
	b.Parent = w.f
	w.blocks = append(w.blocks, b)
	w.cur = b
}

func (w *weaver) newBlock(format string, args ...any) *llir.Block {
	b := llir.NewBlock("winnow." + fmt.Sprintf(format, args...))
	b.Parent = w.f
	return b
}

// instructions emits a run of instructions; within is the site whose original
// copy the run is, so that it is not opened again.
func (w *weaver) instructions(insts []llir.Instruction, within *site) {
	for i := 0; i < len(insts); {
		s := w.siteAt(insts[i], within)
		if s == nil {
			w.cur.Insts = append(w.cur.Insts, insts[i])
			i++
			continue
		}
		w.openSite(s)
		i += len(s.insts)
		within = nil
	}
}

// siteAt returns the outermost site that starts at an instruction and lies
// inside the given one.
func (w *weaver) siteAt(inst llir.Instruction, within *site) *site {
	for _, s := range w.atInst[inst] {
		if within == nil || s != within && len(s.insts) < len(within.insts) {
			return s
		}
	}
	return nil
}

// openSite emits the switch, the original code, the mutated copies and the
// block where they meet.
func (w *weaver) openSite(s *site) {
	w.markReached(s.ordinal)
	original, join := w.newBlock("original.%d", s.ordinal), w.newBlock("join.%d", s.ordinal)
	head, from := w.cur, len(w.blocks)
	w.begin(original)
	if len(s.insts) == 1 {
		w.cur.Insts = append(w.cur.Insts, s.insts[0])
	} else {
		w.instructions(s.insts, s)
	}
	w.cur.Term = llir.NewBr(join)
	result := w.newJoin(s, w.blocks[from:])
	var cases []*llir.Case
	for _, m := range s.mutants {
		edit := m.Edit.(mutant.Rewrite)
		b := w.newBlock("mutant.%d", m.Selector)
		code := &mutant.Code{Prefix: fmt.Sprintf("winnow.m%d", m.Selector)}
		var v value.Value
		if edit.Emit != nil {
			v = edit.Emit(code)
		}
		w.begin(b)
		b.Insts = keepDefined(s.insts, code.Insts, code.Prefix)
		b.Insts, v = withNull(w.module, b.Insts, v, code.Prefix)
		b.Term = llir.NewBr(join)
		result.add(v, b)
		cases = append(cases, llir.NewCase(constant.NewInt(types.I32, int64(m.Selector)), b))
	}
	head.Term = w.selectFrom(head, original, cases)
	w.begin(join)
	result.finish(w, join)
}

// join collects what a site's copies compute.
type join struct {
	of   value.Value // the original's result, nil when there is none to join
	name string
	phi  *llir.InstPhi
}

// newJoin joins the result of a single instruction, or the one value of a
// longer run that is used outside of it (mutant.Rewrite). Blocks are those of
// the original copy, the last of which leads to the join.
func (w *weaver) newJoin(s *site, blocks []*llir.Block) *join {
	inst := s.result
	if len(s.insts) == 1 {
		inst = s.insts[0]
	}
	v, ok := inst.(value.Value)
	if !ok || v.Type().Equal(types.Void) {
		return &join{}
	}
	original := v
	if len(s.insts) > 1 {
		if inner, ok := w.joined[v]; ok { // a site inside of the run
			original = inner
			for _, b := range blocks {
				substituteIn(b, map[value.Value]value.Value{v: inner}, w.own[b])
			}
		}
		for _, b := range blocks {
			w.own[b] = append(w.own[b], v)
		}
	}
	name := "winnow.join." + v.(value.Named).Name()
	if len(s.insts) > 1 {
		name = fmt.Sprintf("%s.%d", name, s.ordinal)
	}
	return &join{of: v, name: name, phi: llir.NewPhi(llir.NewIncoming(original, blocks[len(blocks)-1]))}
}

func (j *join) add(v value.Value, from *llir.Block) {
	if j.phi == nil {
		return
	}
	if v == nil { // a deletion: nothing outside uses the result
		v = constant.NewUndef(j.of.Type())
	}
	j.phi.Incs = append(j.phi.Incs, llir.NewIncoming(v, from))
}

func (j *join) finish(w *weaver, b *llir.Block) {
	if j.phi == nil {
		return
	}
	j.phi.SetName(j.name)
	b.Insts = append(b.Insts, j.phi)
	w.joined[j.of] = j.phi
}

func (w *weaver) selectFrom(head *llir.Block, original *llir.Block, cases []*llir.Case) llir.Terminator {
	load := llir.NewLoad(types.I32, w.selector)
	load.SetName("winnow.selected." + head.Name())
	head.Insts = append(head.Insts, load)
	return llir.NewSwitch(load, original, cases...)
}

func (w *weaver) terminator(term llir.Terminator) {
	s := w.atTerm[term]
	if s == nil {
		w.cur.Term = term
		return
	}
	w.markReached(s.ordinal)
	head := w.cur
	original := w.newBlock("original.%d", s.ordinal)
	w.begin(original)
	original.Term = term
	var cases []*llir.Case
	for _, m := range s.mutants {
		b := w.newBlock("mutant.%d", m.Selector)
		code := &mutant.Code{Prefix: fmt.Sprintf("winnow.m%d", m.Selector)}
		t := m.Edit.(mutant.Redirect).Emit(code)
		w.begin(b)
		b.Insts, b.Term = code.Insts, t
		cases = append(cases, llir.NewCase(constant.NewInt(types.I32, int64(m.Selector)), b))
	}
	head.Term = w.selectFrom(head, original, cases)
}

func (w *weaver) markReached(ordinal int) {
	array := w.reached.ContentType.(*types.ArrayType)
	at := constant.NewGetElementPtr(array, w.reached, constant.NewInt(types.I64, 0), constant.NewInt(types.I64, int64(ordinal)))
	w.cur.Insts = append(w.cur.Insts, llir.NewStore(constant.NewInt(types.I8, 1), at))
}

// burnFuel counts one unit of work and calls the runtime when none is left. The call
// returns where the runtime only wanted to stop there, and the selector may then be
// another: that is why it is not said to end the program.
func (w *weaver) burnFuel(n int) {
	named := func(v value.Named, what string) value.Value {
		v.SetName(fmt.Sprintf("winnow.%s.%d", what, n))
		return v
	}
	load := llir.NewLoad(types.I64, w.fuel)
	named(load, "fuel")
	left := llir.NewSub(load, constant.NewInt(types.I64, 1))
	named(left, "left")
	empty := llir.NewICmp(enum.IPredSLT, left, constant.NewInt(types.I64, 0))
	named(empty, "empty")
	w.cur.Insts = append(w.cur.Insts, load, left, llir.NewStore(left, w.fuel), empty)
	out, on := w.newBlock("out.%d", n), w.newBlock("on.%d", n)
	w.cur.Term = llir.NewCondBr(empty, out, on)
	w.begin(out)
	out.Insts = append(out.Insts, llir.NewCall(w.outOfFuel))
	out.Term = llir.NewBr(on)
	w.begin(on)
}

// successors are the blocks that the original or any mutant goes to.
func (w *weaver) successors(b *llir.Block) []*llir.Block {
	return slices.Concat(b.Term.Succs(), w.detours[b])
}

// loopHeaders returns the blocks that a depth-first walk from the entry meets
// again while it is inside them: every cycle passes through one of them.
func loopHeaders(entry *llir.Block, successors func(*llir.Block) []*llir.Block) map[*llir.Block]bool {
	type visit struct {
		block *llir.Block
		succs []*llir.Block
	}
	headers, inside, seen := map[*llir.Block]bool{}, map[*llir.Block]bool{}, map[*llir.Block]bool{}
	var stack []visit
	enter := func(b *llir.Block) {
		seen[b], inside[b] = true, true
		stack = append(stack, visit{b, successors(b)})
	}
	enter(entry)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.succs) == 0 {
			inside[top.block] = false
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.succs[0]
		top.succs = top.succs[1:]
		switch {
		case inside[next]:
			headers[next] = true
		case !seen[next]:
			enter(next)
		}
	}
	return headers
}
