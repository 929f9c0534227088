package decide

import (
	"context"
	"io"

	"github.com/winnow-mutants/winnow/symbolic/sat"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Certificate is a proof that a condition never holds, which others can check (DRAT): clauses that
// say what the condition is in bits, and what was learnt of them until nothing was left.
type Certificate struct {
	log       *sat.Log
	variables int
	assumed   []sat.Lit
}

// WriteClauses writes the clauses in the format of DIMACS.
func (c *Certificate) WriteClauses(w io.Writer, comments ...string) error {
	return c.log.WriteClauses(w, c.variables, c.assumed, comments...)
}

// WriteProof writes the proof.
func (c *Certificate) WriteProof(w io.Writer) error { return c.log.WriteProof(w) }

// Certify decides a condition again, so that the proof is one of the clauses and of nothing else:
// nothing that was found out of other questions is used, and nodes that are equal stay two. That
// takes more than deciding it did, and may come to the limits: then there is no certificate, as
// where the condition can hold. That equal arguments give equal results is among the clauses, as
// far as it was needed.
func Certify(ctx context.Context, p *term.Pool, condition *term.Term, limits Limits) (*Certificate, error) {
	d := NewBits(p, limits)
	log := &sat.Log{}
	d.b.g = newLoggedGraph(log)
	g := d.b.g
	g.solver.Stop = func() bool { return ctx.Err() != nil }
	assumed := []sat.Lit{g.encode(d.b.of(condition)[0])}
	for range mostRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch g.solver.Solve(d.limits.Conflicts, assumed...) {
		case sat.Unsat:
			return &Certificate{log, g.solver.Variables(), assumed}, nil
		case sat.Unknown:
			return nil, ctx.Err()
		}
		pair, ok := d.inconsistent(condition, d.model(condition))
		if !ok {
			return nil, nil
		}
		assumed = append(assumed, g.encode(d.b.of(d.consistency(pair))[0]))
	}
	return nil, nil
}

// newLoggedGraph is a graph in which no nodes are merged that have to be proved to be equal first.
func newLoggedGraph(log *sat.Log) *graph {
	g := &graph{same: map[[2]lit]lit{}, bySim: map[uint64][]int{}, solver: sat.Solver{Log: log}}
	g.begin()
	return g
}
