package smt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/invariant"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// start is where a region begins: in any state of a cut, or in one of which the facts hold.
type start struct {
	block int
	facts bool
}

// function is a function with its mutants, made ready.
type function struct {
	code    *op.Function
	f       *execute.Function
	decider decide.Decider
	done    func()            // with the decider
	changes []*execute.Change // by mutant; nil where it is not understood
	// original has the outcomes from each start, and where each may go.
	original map[start][]execute.Outcome
	reach    map[int][]bool
	starts   []int
	// all are the changes that are understood; facts what holds at the loops, once it was
	// wanted (sought).
	all    []*execute.Change
	facts  invariant.Facts
	sought bool
	// replay runs calls of the function; nil where it depends on more than its arguments.
	replay *replay.Calls
	// assumed is what is taken for granted of the function.
	assumed []assume.Assumption
	// seen are the signatures of mutants, with their number from 1.
	seen map[string]int
}

func prepare(b equiv.Batch, opts Options) (*function, error) {
	p := &function{code: op.Lower(defuse.Of(b.Func)), original: map[start][]execute.Outcome{}, reach: map[int][]bool{}, seen: map[string]int{}}
	for i := range b.Mutants {
		c := ChangeOf(p.code, &b.Mutants[i])
		p.changes = append(p.changes, c)
		if c != nil {
			p.all = append(p.all, c)
		}
	}
	pool := term.NewPool()
	var err error
	if p.f, err = execute.Prepare(pool, p.code, p.all); err != nil {
		return nil, err
	}
	if p.assumed, err = p.f.Assume(opts.Assumed); err != nil {
		return nil, err
	}
	p.done = func() {}
	var embedded decide.Decider = decide.NewBits(pool, opts.Limits)
	if opts.Last != nil {
		embedded, p.done = opts.Last(embedded)
	}
	p.decider = decide.Chain(embedded)
	if !p.f.AssumesOnTheWay() {
		p.replay = replay.CallsOf(b.Func, p.code, p.f.Allows)
	}
	cuts := p.f.Cuts()
	if len(cuts) == 0 || cuts[0] != 0 {
		p.starts = []int{0}
	}
	p.starts = append(p.starts, cuts...)
	for _, s := range p.starts {
		p.reach[s] = p.f.Region(s)
	}
	return p, nil
}

func (p *function) stateAt(s start) execute.State {
	switch {
	case s.block == 0:
		return p.f.Entry()
	case s.facts:
		return p.f.At(s.block, p.facts.Natural(s.block)...)
	}
	return p.f.At(s.block)
}

// result is what was found of a mutant.
type result struct {
	equal     bool
	by        string
	reason    string
	signature string
	// told is a call that tells the mutant from the original, replayed.
	told replay.Telling
	// conditions are those that cannot hold, and facts what was known of those that needed it.
	conditions []*term.Term
	facts      []string
}

// Reasons of mutants that are open.
const (
	timeReason  = "the time was over before it was looked at to the end"
	limitReason = "the search for a difference came to its limit"
)

// compare asks whether a mutant can differ.
func (p *function) compare(ctx context.Context, i int) (result, error) {
	c := p.changes[i]
	block := p.code.Code.Items[c.At].Block
	m := &comparison{p: p, change: c, live: p.f.Live(c)}
	out := result{equal: true, by: "unreached", reason: "nothing leads to the changed code"}
	var signature []byte
	if p.replay != nil {
		out.told = p.replay.Tell(c, nil)
		out.equal = out.told.Call == ""
	}
	for _, at := range p.starts {
		if !p.reach[at][block] {
			continue
		}
		answer, outcomes, err := m.comeFrom(ctx, at, out.equal)
		if err != nil {
			return result{}, err
		}
		// Mutants are duplicates whatever holds at the loops: that is the original's.
		signature = binary.AppendVarint(signature, int64(at))
		signature = p.f.Signature(signature, outcomes)
		if !out.equal { // nothing more was asked
			continue
		}
		out.by = answer.By
		switch {
		case answer.Answer == decide.Unknown:
			out.equal, out.reason = false, limitReason
		case answer.Answer == decide.Yes:
			out.equal, out.reason = false, p.differsIn(m.from, m.asked, answer.Model)
		default:
			out.reason = sameReason(len(p.starts) > 1, m.used)
			if m.rests {
				out.reason += assume.Reason(p.assumed)
			}
			if !m.asked.IsFalse() {
				out.conditions = append(out.conditions, m.asked)
			}
		}
	}
	if !out.equal && out.told.Call == "" && m.model != nil && p.replay != nil {
		out.told = p.replay.Tell(c, p.argumentsOf(m.model))
	}
	out.signature, out.facts = string(signature), m.used
	return out, nil
}

// comparison is of one mutant with the original.
type comparison struct {
	p      *function
	change *execute.Change
	live   map[int][]bool
	// used are the facts that were needed, as text; model is a state at the entry in which the
	// two differ.
	used  []string
	model term.State
	// always is the condition under which the two differ without what is taken for granted; rests
	// says that some answer rests on that.
	always *term.Term
	rests  bool
	// asked is the condition that was asked about last, and from where it goes on.
	asked *term.Term
	from  start
}

// comeFrom compares what the two come to from a start: from any state of it, or, where what the
// original comes to is known, from any such state. The outcomes are the mutant's from any
// state. Nothing is asked unless it is wanted.
func (m *comparison) comeFrom(ctx context.Context, block int, wanted bool) (decide.Result, []execute.Outcome, error) {
	any := start{block: block}
	differ, changed, err := m.differ(any)
	if err != nil || !wanted {
		return decide.Result{}, changed, err
	}
	m.asked, m.from = differ, any
	if err := m.p.seek(ctx); err != nil {
		return decide.Result{}, nil, err
	}
	if len(m.p.facts[block]) == 0 {
		answer, err := m.p.decider.Decide(ctx, differ)
		if block == 0 && answer.Answer == decide.Yes {
			m.model = answer.Model
		}
		if err == nil && answer.Answer == decide.No && m.always != differ {
			anyway, err := m.p.decider.Decide(ctx, m.always)
			m.rests = m.rests || anyway.Answer != decide.No
			return answer, changed, err
		}
		return answer, changed, err
	}
	if differ.IsFalse() {
		return decide.Result{Answer: decide.No, By: "rewriting"}, changed, nil
	}
	known, always := start{block: block, facts: true}, m.always
	there, _, err := m.differ(known)
	m.always = always
	if err != nil {
		return decide.Result{}, nil, err
	}
	state := m.p.stateAt(known)
	m.asked, m.from = there, known
	given := m.p.f.Pool.And(m.p.facts.Hold(m.p.f.Pool, block, &state), there)
	answer, err := m.p.decider.Decide(ctx, given)
	if err != nil || answer.Answer != decide.No {
		return answer, changed, err
	}
	m.asked = always
	// It may be so in any state: then the facts are no part of the reason.
	if always, err := m.p.decider.Decide(ctx, m.always); err != nil || always.Answer == decide.No {
		return always, changed, err
	}
	m.rests = len(m.p.assumed) > 0
	m.use(block, differ)
	m.asked = given
	return answer, changed, nil
}

// differ is the condition under which the two come to something different from a start, with
// what the mutant comes to.
func (m *comparison) differ(s start) (*term.Term, []execute.Outcome, error) {
	original, err := m.p.outcomes(s)
	if err != nil {
		return nil, nil, err
	}
	changed, err := m.p.f.Run(s.block, m.p.stateAt(s), m.change)
	if err != nil {
		return nil, nil, err
	}
	m.always = m.p.f.Differ(original, changed, m.live)
	return m.p.f.Pool.And(m.always, m.p.f.Assumed(original)), changed, nil
}

// mostFacts is how many facts a reason has.
const mostFacts = 4

// use notes the facts of a loop of which a condition speaks.
func (m *comparison) use(block int, condition *term.Term) {
	spoken := map[*term.Term]bool{}
	term.Each(func(t *term.Term) {
		if t.Op == term.Var {
			spoken[t] = true
		}
	}, condition)
	state := m.p.f.At(block)
	for _, one := range m.p.facts[block] {
		text := one.Text(m.p.f.NameOf)
		if len(m.used) < mostFacts && spoken[state.Locals[one.A]] && !slices.Contains(m.used, text) {
			m.used = append(m.used, text)
		}
	}
}

// seek finds what holds at the loops, once.
func (p *function) seek(ctx context.Context) (err error) {
	if !p.sought {
		p.sought = true
		p.facts, err = invariant.Find(ctx, p.code, p.all, p.assumed)
	}
	return err
}

// argumentsOf are those of a model; nil where there is none.
func (p *function) argumentsOf(model term.State) []int64 {
	if model == nil {
		return nil
	}
	e := term.Evaluate(model)
	out := make([]int64, len(p.code.Code.Func.Params))
	for k := range out {
		t := p.f.Param(k)
		out[k] = op.Wrap(int64(e.Of(t)), uint(t.Width))
	}
	return out
}

func sameReason(loops bool, facts []string) string {
	switch {
	case len(facts) > 0:
		return "both versions do and leave the same, as whenever a round of a loop begins " + strings.Join(facts, ", ")
	case loops:
		return "from every state at the start of the function and of its loops, both versions do and leave the same"
	}
	return "whatever the function is called with, both versions do and leave the same"
}

// outcomes are the original's from a start.
func (p *function) outcomes(s start) ([]execute.Outcome, error) {
	if known, ok := p.original[s]; ok {
		return known, nil
	}
	out, err := p.f.Run(s.block, p.stateAt(s), nil)
	var unsupported execute.Unsupported
	if errors.As(err, &unsupported) {
		return nil, fmt.Errorf("the function is not understood: %w", err)
	}
	if err == nil {
		p.original[s] = out
	}
	return out, err
}
