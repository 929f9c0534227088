package decide

import (
	"context"
	"slices"

	"github.com/winnow-mutants/winnow/symbolic/sat"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Bits decides conditions by their bits. It is the last of the deciders that need nothing
// installed.
type Bits struct {
	pool   *term.Pool
	limits Limits
	b      *blaster
	// consistent are the pairs of functions of which the solver was told in this question.
	consistent map[[2]*term.Term]bool
}

// NewBits makes a decider for the conditions of a pool, which share one graph.
func NewBits(p *term.Pool, limits Limits) *Bits {
	return &Bits{pool: p, limits: limits.withDefaults(), b: &blaster{g: newGraph(), bits: map[*term.Term][]lit{}},
		consistent: map[[2]*term.Term]bool{}}
}

// mostRounds bounds how often a model is refused because a function is inconsistent in it.
const mostRounds = 40

// mostVisited bounds the nodes that merging looks at, for one question.
const mostVisited = 2_000_000

// Decide is described at Decider.
func (d *Bits) Decide(ctx context.Context, condition *term.Term) (Result, error) {
	g := d.b.g
	if len(g.nodes) > d.limits.Nodes { // a new graph has room
		fresh := NewBits(d.pool, d.limits)
		d.b, d.consistent = fresh.b, fresh.consistent
		g = d.b.g
	}
	g.effort, g.room = d.limits.Conflicts/4, mostVisited
	g.forget()
	g.solver.Stop = func() bool { return ctx.Err() != nil }
	clear(d.consistent)
	about := []lit{d.b.of(condition)[0]}
	asked := []sat.Lit{g.encode(about[0])}
	unknown := Result{Answer: Unknown, By: "bits"}
	for range mostRounds {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		g.solver.Among(g.cone(about...))
		switch g.solver.Solve(d.limits.Conflicts, asked...) {
		case sat.Unsat:
			return Result{Answer: No, By: "bits"}, nil
		case sat.Unknown:
			return unknown, ctx.Err()
		}
		m := d.model(condition)
		if term.Evaluate(m).Of(condition) == 1 && !m.broken {
			return Result{Answer: Yes, Model: m, By: "bits"}, nil
		}
		pair, ok := d.inconsistent(condition, m)
		if !ok {
			return unknown, nil
		}
		about = append(about, d.b.of(d.consistency(pair))[0])
		asked = append(asked, g.encode(about[len(about)-1]))
	}
	return unknown, nil
}

// model reads the solver's.
func (d *Bits) model(condition *term.Term) *model {
	m := &model{values: map[*term.Term]uint64{}, functions: map[string]uint64{}}
	term.Each(func(t *term.Term) {
		if t.Op != term.Var && t.Op != term.App || !t.IsBits() {
			return
		}
		for k, l := range d.b.bits[t] {
			if n := l.node(); d.b.g.encoded[n] && d.b.g.solver.True(d.b.g.known(l)) {
				m.values[t] |= 1 << k
			}
		}
	}, condition)
	return m
}

// inconsistent finds two applications of one function to equal arguments that have
// different results in a model.
func (d *Bits) inconsistent(condition *term.Term, m *model) (pair [2]*term.Term, found bool) {
	e := term.Evaluate(m)
	seen := map[string]*term.Term{}
	term.Each(func(t *term.Term) {
		if found || t.Op != term.App || !t.IsBits() {
			return
		}
		args := make([]uint64, len(t.Args))
		for k, a := range t.Args {
			args[k] = e.Of(a)
		}
		key := keyOf(t, args)
		if other := seen[key]; other != nil && m.values[other] != m.values[t] && !d.consistent[[2]*term.Term{other, t}] {
			pair, found = [2]*term.Term{other, t}, true
			return
		}
		if seen[key] == nil {
			seen[key] = t
		}
	}, condition)
	return pair, found
}

// consistency is that equal arguments give equal results, of two applications.
func (d *Bits) consistency(pair [2]*term.Term) *term.Term {
	d.consistent[pair] = true
	differ := d.pool.Truth(false)
	for k := range pair[0].Args {
		differ = d.pool.Or(differ, d.pool.Differs(pair[0].Args[k], pair[1].Args[k]))
	}
	return d.pool.Or(differ, d.pool.Eq(pair[0], pair[1]))
}

// model is a state that a solver found. Applications that it does not know are 0.
type model struct {
	values    map[*term.Term]uint64
	functions map[string]uint64
	// broken says that a function had two results for equal arguments.
	broken bool
}

func (m *model) Var(t *term.Term) uint64 {
	if !t.IsBits() {
		return hashOf(t.Name)
	}
	return m.values[t]
}

func (m *model) App(t *term.Term, args []uint64) uint64 {
	key := keyOf(t, args)
	if !t.IsBits() {
		h := hashOf(t.Name)
		for _, a := range args {
			h = term.Mix(h, a)
		}
		return h
	}
	v, known := m.functions[key]
	mine, given := m.values[t]
	switch {
	case known && given && v != mine:
		m.broken = true
	case !known:
		m.functions[key] = mine
		return mine
	}
	return v
}

func keyOf(t *term.Term, args []uint64) string {
	b := []byte(t.Name)
	b = append(b, t.Width)
	for _, a := range args {
		for range 8 {
			b = append(b, byte(a))
			a >>= 8
		}
	}
	return string(slices.Clip(b))
}
