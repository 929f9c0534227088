package schemata

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// prober rebuilds one function: it plans what to do before and after each
// instruction, site by site, and then writes the blocks anew.
type prober struct {
	*weaver
	probe     *probe
	coverOnly bool
	before    map[llir.Instruction][]step
	after     map[llir.Instruction][]step
	atEnd     map[llir.Terminator][]step
	// assigned are the variables that have a value where the plan is.
	assigned  slots
	flags     map[*llir.InstAlloca]*llir.InstAlloca
	flagOrder []*llir.InstAlloca
	names     int
}

// step is one thing to do at a place of the original's code; exactly one field
// is set.
type step struct {
	mark  *mark
	round *round
	// doubt: the variable is read; assign: it has a value from here.
	doubt, assign *llir.InstAlloca
	sight         *sight
}

// mark sets a site's byte in the table.
type mark struct {
	ordinal int
	inside  int  // 0 reached, 2 inside
	exact   bool // the optimiser may not move it
	counts  bool
}

// round compares the mutants of a panel with the original in one stretch.
type round struct {
	panel  *panel
	always uint64
	code   []llir.Instruction
	tests  []test
	// changes are what the mutants make of values, where that is noted.
	changes []changed
	// inline: values are used by a later round, so the code is not skipped.
	inline bool
	shared *comparison
}

// test is the condition under which a mutant is infected.
type test struct {
	bit       uint64
	condition value.Value
}

// comparison is what the rounds of a panel share.
type comparison struct {
	seen value.Value // mutants infected in earlier rounds of this execution; for Counts
}

func newProber(p *probe, w *weaver, coverOnly bool) *prober {
	return &prober{weaver: w, probe: p, coverOnly: coverOnly, before: map[llir.Instruction][]step{},
		after: map[llir.Instruction][]step{}, atEnd: map[llir.Terminator][]step{},
		flags: map[*llir.InstAlloca]*llir.InstAlloca{}}
}

func (p *prober) weave() {
	headers := loopHeaders(p.f.Blocks[0], p.successors)
	p.plan()
	for i, b := range p.f.Blocks {
		insts, term := b.Insts, b.Term
		b.Insts = nil
		p.begin(b)
		if i == 0 {
			for len(insts) > 0 && isAlloca(insts[0]) {
				p.cur.Insts = append(p.cur.Insts, insts[0])
				insts = insts[1:]
			}
			for _, flag := range p.flagOrder {
				p.cur.Insts = append(p.cur.Insts, flag)
			}
			for _, flag := range p.flagOrder {
				p.add(llir.NewStore(constant.False, flag))
			}
		}
		if (i == 0 || headers[b]) && !p.probe.opts.StandAlone {
			p.burnFuel(i)
		}
		for _, inst := range insts {
			p.do(p.before[inst])
			p.cur.Insts = append(p.cur.Insts, inst)
			p.do(p.after[inst])
		}
		p.do(p.atEnd[term])
		p.cur.Term = term
	}
	p.f.Blocks = p.blocks
}

// plan goes through the function in order.
func (p *prober) plan() {
	starts := assignments(p.f)
	for _, b := range p.f.Blocks {
		if !p.coverOnly {
			dropPromises(b.Insts)
		}
		start, reached := starts[b]
		if !reached {
			start = slots{}
		}
		p.assigned = start
		for _, inst := range b.Insts {
			for _, s := range p.atInst[inst] {
				p.planSite(s, s.insts, nil)
			}
			if load, ok := inst.(*llir.InstLoad); ok && !p.coverOnly {
				p.planDoubt(load)
			}
			for _, a := range assigns(inst) {
				start[a] = true
			}
		}
		if s := p.atTerm[b.Term]; s != nil {
			p.planSite(s, nil, b.Term)
		}
	}
	for _, b := range p.f.Blocks {
		for _, inst := range b.Insts {
			for _, a := range assigns(inst) {
				if p.flags[a] != nil {
					p.after[inst] = append([]step{{assign: a}}, p.after[inst]...)
				}
			}
		}
	}
}

// planDoubt looks out for an original that reads a variable without a value.
func (p *prober) planDoubt(load *llir.InstLoad) {
	if slot, ok := load.Src.(*llir.InstAlloca); ok && isReadable(slot, load.ElemType) && !p.assigned[slot] {
		p.flagOf(slot)
		p.before[load] = append(p.before[load], step{doubt: slot})
	}
}

// sitePlan is the plan of one site.
type sitePlan struct {
	*prober
	o     *original
	term  llir.Terminator
	first *[]step
	// rounds by stretch.
	rounds [][]*round
	watch  bool // the original may trap where a mutant does not
}

func (p *prober) planSite(s *site, insts []llir.Instruction, term llir.Terminator) {
	plan := &sitePlan{prober: p, o: originalOf(insts), term: term}
	plan.rounds = make([][]*round, len(plan.o.effects)+1)
	for _, of := range p.probe.panels[s.ordinal] {
		plan.panel(of)
	}
	plan.place(s.ordinal)
}

// panel evaluates the mutants of a panel and makes their rounds.
func (s *sitePlan) panel(of *panel) {
	n := len(s.rounds)
	rounds := make([]*round, n)
	shared := &comparison{}
	for k := range rounds {
		rounds[k] = &round{panel: of, shared: shared, inline: s.probe.opts.Counts}
	}
	var always uint64
	for _, m := range of.mutants {
		if s.coverOnly {
			always |= of.bit(m)
			continue
		}
		e := s.evaluate(m, s.o, s.term)
		if e.always {
			always |= of.bit(m)
			continue
		}
		for k, r := range rounds {
			r.code = append(r.code, e.code[k]...)
			r.inline = r.inline || e.crosses
			if condition := e.differs[k]; condition != nil {
				r.tests = append(r.tests, test{of.bit(m), condition})
				r.changes = append(r.changes, e.changes[k]...)
			}
		}
		for _, inst := range s.o.traps {
			s.watch = s.watch || !e.repeats[inst]
		}
	}
	if s.coverOnly && !s.probe.opts.StandAlone {
		return
	}
	for k, r := range rounds {
		if k == 0 && s.startsInTime() {
			r.always, always = always, 0
		}
		if r.always != 0 || len(r.tests) > 0 || r.inline && len(r.code) > 0 {
			s.rounds[k] = append(s.rounds[k], r)
		}
	}
	if always != 0 {
		*s.start() = append(*s.start(), step{round: &round{panel: of, always: always, shared: shared, inline: s.probe.opts.Counts}})
	}
}

// startsInTime reports that nothing of the original can end the program before
// the first stretch's round.
func (s *sitePlan) startsInTime() bool {
	return len(s.o.traps) == 0 || len(s.o.effects) > 0 && s.o.effects[0] == s.o.insts[0]
}

// start collects the rounds at the beginning of the site.
func (s *sitePlan) start() *[]step {
	if s.first == nil {
		s.first = new([]step)
	}
	return s.first
}

// place puts marks and rounds where they belong.
func (s *sitePlan) place(ordinal int) {
	begin := []step{{mark: &mark{ordinal: ordinal, counts: s.probe.opts.Counts}}}
	inside, outside := step{mark: &mark{ordinal: ordinal, inside: 2, exact: true}}, step{mark: &mark{ordinal: ordinal, exact: true}}
	begin = append(begin, *s.start()...)
	sights := s.sights(ordinal)
	if s.term != nil {
		s.atEnd[s.term] = append(append(append(s.atEnd[s.term], begin...), sights...), steps(s.rounds[0])...)
		return
	}
	if s.watch {
		begin = append(begin, inside)
	}
	first, last := s.o.insts[0], s.o.insts[len(s.o.insts)-1]
	s.before[first] = append(s.before[first], begin...)
	for k, effect := range s.o.effects {
		s.before[effect] = append(s.before[effect], steps(s.rounds[k])...)
		if _, isCall := effect.(*llir.InstCall); isCall && s.watch {
			s.before[effect] = append(s.before[effect], outside)
			s.after[effect] = append(s.after[effect], inside)
		}
	}
	s.after[last] = append(append(s.after[last], sights...), steps(s.rounds[len(s.o.effects)])...)
	if s.watch {
		s.after[last] = append(s.after[last], outside)
	}
}

func steps(rounds []*round) []step {
	out := make([]step, len(rounds))
	for i, r := range rounds {
		out[i].round = r
	}
	return out
}

// add appends to the block that is being filled.
func (p *prober) add(inst llir.Instruction) value.Value {
	p.cur.Insts = append(p.cur.Insts, inst)
	v, ok := inst.(value.Value)
	if named, isNamed := inst.(value.Named); ok && isNamed && !v.Type().Equal(types.Void) {
		p.names++
		named.SetName(fmt.Sprintf("winnow.p.%d", p.names))
	}
	return v
}

func (p *prober) do(all []step) {
	for _, s := range all {
		switch {
		case s.mark != nil:
			p.mark(s.mark)
		case s.round != nil:
			p.compareAll(s.round)
		case s.sight != nil:
			p.look(s.sight)
		case s.assign != nil:
			p.add(llir.NewStore(constant.True, p.flags[s.assign]))
		case s.doubt != nil:
			p.lookOut(p.flags[s.doubt])
		}
	}
}

func (p *prober) mark(m *mark) {
	store := llir.NewStore(constant.NewInt(types.I8, int64(1+m.inside)), p.probe.entry(m.ordinal))
	store.Volatile = m.exact
	p.add(store)
	if !m.counts {
		return
	}
	at := p.probe.counter(p.probe.layout.ReachCounts + 4*m.ordinal)
	n := p.add(llir.NewLoad(types.I32, at))
	full := p.add(llir.NewICmp(enum.IPredEQ, n, constant.NewInt(types.I32, -1)))
	more := p.add(llir.NewAdd(n, constant.NewInt(types.I32, 1)))
	p.add(llir.NewStore(p.add(llir.NewSelect(full, n, more)), at))
}

// lookOut notes that a variable is read whose flag is not set.
func (p *prober) lookOut(flag value.Value) {
	p.names++
	doubt, on := p.newBlock("doubt.%d", p.names), p.newBlock("sure.%d", p.names)
	p.cur.Term = llir.NewCondBr(p.add(llir.NewLoad(types.I1, flag)), on, doubt)
	p.begin(doubt)
	p.add(llir.NewStore(constant.NewInt(types.I8, 1), p.probe.entry(p.probe.layout.Infected)))
	doubt.Term = llir.NewBr(on)
	p.begin(on)
}

// compareAll writes a round: the mutants that are infected become bits of a
// word, and what is new among them is told to the runtime.
func (p *prober) compareAll(r *round) {
	p.names++
	cold, on := p.newBlock("infected.%d", p.names), p.newBlock("after.%d", p.names)
	word := func(n uint64) constant.Constant { return constant.NewInt(types.I64, int64(n)) }
	var todo value.Value
	if !r.inline {
		todo = p.add(llir.NewLoad(types.I64, r.panel.word))
		mine := p.add(llir.NewAnd(todo, word(r.bits())))
		look := p.newBlock("look.%d", p.names)
		p.cur.Term = llir.NewCondBr(p.add(llir.NewICmp(enum.IPredNE, mine, word(0))), look, on)
		p.begin(look)
	}
	p.cur.Insts = append(p.cur.Insts, r.code...)
	var found value.Value = word(r.always)
	for _, t := range r.tests {
		found = p.add(llir.NewOr(found, p.add(llir.NewSelect(t.condition, word(t.bit), word(0)))))
	}
	found = p.add(llir.NewInstFreeze(found))
	if r.inline && !p.probe.opts.Counts {
		todo = p.add(llir.NewLoad(types.I64, r.panel.word))
	}
	fresh := found
	switch {
	case todo != nil:
		fresh = p.add(llir.NewAnd(found, todo))
	case r.shared.seen != nil:
		earlier := r.shared.seen
		fresh = p.add(llir.NewAnd(found, p.add(llir.NewXor(earlier, word(^uint64(0))))))
		r.shared.seen = p.add(llir.NewOr(earlier, found))
	default:
		r.shared.seen = found
	}
	p.cur.Term = llir.NewCondBr(p.add(llir.NewICmp(enum.IPredNE, fresh, word(0))), cold, on)
	p.begin(cold)
	p.add(llir.NewCall(p.probe.infect, constant.NewInt(types.I32, int64(r.panel.first)), fresh))
	for _, c := range r.changes {
		p.noteChange(c)
	}
	if todo != nil {
		p.add(llir.NewStore(p.add(llir.NewXor(todo, fresh)), r.panel.word))
	}
	cold.Term = llir.NewBr(on)
	p.begin(on)
}

// bits are the mutants that a round can find infected.
func (r *round) bits() uint64 {
	bits := r.always
	for _, t := range r.tests {
		bits |= t.bit
	}
	return bits
}
