package smt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// function is a function with its mutants, made ready.
type function struct {
	code    *op.Function
	f       *execute.Function
	decider decide.Decider
	changes []*execute.Change // by mutant; nil where it is not understood
	// original has the outcomes from each start, and where each may go.
	original map[int][]execute.Outcome
	reach    map[int][]bool
	starts   []int
	// replay runs calls of the function; nil where it depends on more than its arguments.
	replay *replay
	// seen are the signatures of mutants, with their number from 1.
	seen map[string]int
}

func prepare(b equiv.Batch, opts Options) (*function, error) {
	p := &function{code: op.Lower(defuse.Of(b.Func)), original: map[int][]execute.Outcome{}, reach: map[int][]bool{}, seen: map[string]int{}}
	var changes []*execute.Change
	for i := range b.Mutants {
		c := ChangeOf(p.code, &b.Mutants[i])
		p.changes = append(p.changes, c)
		if c != nil {
			changes = append(changes, c)
		}
	}
	pool := term.NewPool()
	var err error
	if p.f, err = execute.Prepare(pool, p.code, changes); err != nil {
		return nil, err
	}
	p.decider = decide.Chain(pool, opts.Limits)
	p.replay = newReplay(b.Func, p.code)
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

func (p *function) stateAt(start int) execute.State {
	if start == 0 {
		return p.f.Entry()
	}
	return p.f.At(start)
}

// result is what was found of a mutant.
type result struct {
	equal     bool
	by        string
	reason    string
	signature string
	// told is a call that tells the mutant from the original, replayed.
	told string
}

// compare asks whether a mutant can differ.
func (p *function) compare(ctx context.Context, i int) (result, error) {
	c := p.changes[i]
	block := p.code.Code.Items[c.At].Block
	live := p.f.Live(c)
	out := result{equal: true, by: "unreached", reason: "nothing leads to the changed code"}
	var signature []byte
	var model term.State
	if p.replay != nil {
		out.told = p.replay.tell(c, nil)
	}
	for _, start := range p.starts {
		if !p.reach[start][block] {
			continue
		}
		original, err := p.outcomes(start)
		if err != nil {
			return result{}, err
		}
		changed, err := p.f.Run(start, p.stateAt(start), c)
		if err != nil {
			return result{}, err
		}
		signature = binary.AppendVarint(signature, int64(start))
		signature = p.f.Signature(signature, changed)
		if out.told != "" { // the rest is asked for the signature
			out.equal = false
			continue
		}
		answer, err := p.decider.Decide(ctx, p.f.Differ(original, changed, live))
		if err != nil {
			return result{}, err
		}
		out.by = answer.By
		switch answer.Answer {
		case decide.Unknown:
			out.equal, out.reason = false, "the search for a difference came to its limit"
		case decide.Yes:
			out.equal, out.reason = false, "from some state of the function they go on differently, which its program may never come to"
			if start == 0 {
				model = answer.Model
			}
		default:
			if out.equal {
				out.reason = sameReason(len(p.starts) > 1)
			}
		}
	}
	if !out.equal && out.told == "" && model != nil && p.replay != nil {
		out.told = p.replay.tell(c, p.argumentsOf(model))
	}
	out.signature = string(signature)
	return out, nil
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

func sameReason(loops bool) string {
	if loops {
		return "from every state at the start of the function and of its loops, both versions do and leave the same"
	}
	return "whatever the function is called with, both versions do and leave the same"
}

// outcomes are the original's from a start.
func (p *function) outcomes(start int) ([]execute.Outcome, error) {
	if known, ok := p.original[start]; ok {
		return known, nil
	}
	out, err := p.f.Run(start, p.stateAt(start), nil)
	var unsupported execute.Unsupported
	if errors.As(err, &unsupported) {
		return nil, fmt.Errorf("the function is not understood: %w", err)
	}
	if err == nil {
		p.original[start] = out
	}
	return out, err
}
