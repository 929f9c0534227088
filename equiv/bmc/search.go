package bmc

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// search is a function whose mutants are looked at.
type search struct {
	batch   equiv.Batch
	opts    Options
	f       *execute.Function
	decider decide.Decider
	changes []*execute.Change // by mutant; nil where it is not understood
	out     []equiv.Verdict
	open    []bool // by mutant
	assumed []assume.Assumption
	// original is the function itself; within is that it stays within the bound.
	original execute.Unrolled
	// calls or program run tests; both are nil where tests cannot be run.
	calls   *replay.Calls
	program *replay.Program
}

func newSearch(b equiv.Batch, opts Options, out []equiv.Verdict) (*search, error) {
	code := op.Lower(defuse.Of(b.Func))
	s := &search{batch: b, opts: opts, out: out, open: make([]bool, len(b.Mutants)), changes: make([]*execute.Change, len(b.Mutants))}
	var understood []*execute.Change
	for i := range b.Mutants {
		c := smt.ChangeOf(code, &b.Mutants[i])
		if s.changes[i], s.open[i] = c, c != nil; c == nil {
			out[i].Reason = "the change is not understood"
			continue
		}
		understood = append(understood, c)
	}
	pool := term.NewPool()
	var err error
	if s.f, err = execute.Prepare(pool, code, understood); err != nil {
		return nil, err
	}
	s.f.FollowCalls()
	s.decider = decide.Chain(decide.NewBits(pool, opts.Limits))
	if s.assumed, err = s.f.Assume(opts.Assumed); err != nil {
		return nil, err
	}
	if s.program = replay.ProgramOf(b.Func, code); s.program == nil {
		s.calls = replay.CallsOf(b.Func, code, s.f.Allows)
	}
	if s.f.AssumesOnTheWay() { // a run cannot be held to them
		s.program, s.calls = nil, nil
	}
	if s.original, err = s.f.Unroll(opts.Rounds, nil); err != nil {
		return nil, fmt.Errorf("the function is not understood: %w", err)
	}
	if len(s.original.Ends) == 0 {
		return nil, fmt.Errorf("the function does not end within %d rounds of its loops", opts.Rounds)
	}
	return s, nil
}

// all looks at the mutants in turn, until the time is over.
func (s *search) all(ctx context.Context) error {
	for i := range s.batch.Mutants {
		if !s.open[i] {
			continue
		}
		s.open[i] = false
		err := s.one(ctx, i)
		var unsupported execute.Unsupported
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &unsupported), errors.Is(err, execute.ErrTooLarge):
			s.out[i].Reason = err.Error()
		case err != nil:
			return err
		}
	}
	return nil
}

// one asks for a difference of a mutant within the bound.
func (s *search) one(ctx context.Context, i int) error {
	p, v := s.f.Pool, &s.out[i]
	changed, err := s.f.Unroll(s.opts.Rounds, s.changes[i])
	if err != nil {
		return err
	}
	v.Evidence = Open
	if len(changed.Ends) == 0 {
		v.Reason = fmt.Sprintf("it does not end within %d rounds of its loops", s.opts.Rounds)
		return nil
	}
	beyond := p.Or(s.original.Beyond, changed.Beyond)
	given := s.f.Assumed(s.original.Ends)
	differ := p.And(p.And(given, p.Not(beyond)), s.f.Differ(s.original.Ends, changed.Ends, nil))
	answer, err := s.decider.Decide(ctx, differ)
	if err != nil {
		return err
	}
	switch answer.Answer {
	case decide.Unknown:
		v.Reason = "the search for a difference came to its limit"
	case decide.Yes:
		return s.tell(ctx, i, differ, answer.Model, &changed)
	default:
		complete, err := s.decider.Decide(ctx, p.And(s.f.Entry().Assumed, beyond))
		if err != nil {
			return err
		}
		if complete.Answer == decide.No {
			v.Kind, v.Evidence = equiv.Equivalent, Complete
			v.Reason = fmt.Sprintf("both versions do and leave the same, and neither goes through more than %d rounds of its loops", s.opts.Rounds) + assume.Reason(s.assumed)
			return nil
		}
		v.Evidence = Bounded
		v.Reason = fmt.Sprintf("no difference within %d rounds of its function's loops; beyond them nothing is known", s.opts.Rounds)
	}
	return nil
}

// tell looks for a test that tells a mutant, of which there is a model: for an input as people
// write them first, for the state that the model is last.
func (s *search) tell(ctx context.Context, i int, differ *term.Term, model term.State, changed *execute.Unrolled) error {
	with := smt.CalledWith(s.f, s.batch.Func, differ, model)
	if with != "" {
		with = " with " + with
	}
	s.out[i].Reason = "it differs in a call" + with + ", if memory holds or what is called returns what that takes; it could not be run to see"
	switch {
	case s.calls != nil:
		s.tryCall(i, evaluated(model, differ))
	case s.program != nil:
		p := s.f.Pool
		ending, small := s.f.InputEnds(s.original.Ends, changed.Ends)
		seen := p.And(p.And(differ, ending), s.f.Differ(s.f.Seen(s.original.Ends), s.f.Seen(changed.Ends), nil))
		for _, asked := range []*term.Term{p.And(seen, small), seen, p.And(differ, ending), differ} {
			answer, err := s.decider.Decide(ctx, asked)
			if err != nil {
				return err
			}
			if answer.Answer != decide.Yes {
				continue
			}
			if s.tryInput(i, evaluated(answer.Model, asked), changed); s.out[i].Kind != equiv.Unknown {
				return nil
			}
		}
	}
	return nil
}

// evaluated has computed a condition in a state, which says there what functions give.
func evaluated(model term.State, condition *term.Term) *term.Evaluation {
	e := term.Evaluate(model)
	e.Of(condition)
	return e
}

// tryCall runs a call of the function.
func (s *search) tryCall(i int, e *term.Evaluation) {
	args := make([]int64, len(s.batch.Func.Params))
	for k := range args {
		t := s.f.Param(k)
		args[k] = op.Wrap(int64(e.Of(t)), uint(t.Width))
	}
	told := Test{Function: s.batch.Func.Name(), Args: args}
	for k := range s.changes {
		if k != i && !s.open[k] {
			continue
		}
		one := s.calls.Tell(s.changes[k], args)
		if one.Call == "" {
			continue
		}
		s.told(k, one.Call, one.Near, &told)
	}
	s.found(told)
}

func (s *search) told(k int, how string, near bool, by *Test) {
	v := &s.out[k]
	s.open[k] = false
	v.Kind, v.Evidence, v.Reason = equiv.Different, Told, how
	if near {
		v.Evidence = Limits
	}
	by.Tells = append(by.Tells, &s.batch.Mutants[k])
}

func (s *search) found(t Test) {
	if s.opts.Found != nil && len(t.Tells) > 0 {
		s.opts.Found(t)
	}
}

// tryInput runs the program on an input.
func (s *search) tryInput(i int, e *term.Evaluation, changed *execute.Unrolled) {
	input := s.f.Input(e, traceOf(e, s.original.Ends))
	if longer := s.f.Input(e, traceOf(e, changed.Ends)); len(longer) > len(input) {
		input = longer // which the mutant reads
	}
	var some []int
	var changes []*execute.Change
	for k, c := range s.changes {
		if k == i || s.open[k] {
			some, changes = append(some, k), append(changes, c)
		}
	}
	told := Test{Function: s.batch.Func.Name(), Input: input}
	for n, tells := range s.program.Tells(input, changes) {
		if tells {
			s.told(some[n], fmt.Sprintf("on the input %q it prints something else, or ends in another way", shorten(input)), false, &told)
		}
	}
	s.found(told)
}

// mostShown is how much of an input a reason shows.
const mostShown = 60

func shorten(input []byte) string {
	if len(input) > mostShown {
		return string(input[:mostShown]) + "…"
	}
	return string(input)
}

// traceOf is what a version has shown when it ends, in a state.
func traceOf(e *term.Evaluation, ends []execute.Outcome) *term.Term {
	for k := range ends {
		if e.Of(ends[k].When) == 1 {
			return ends[k].State.Trace
		}
	}
	return ends[0].State.Trace
}
