package decide_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

type maker struct {
	p   *term.Pool
	rng *rand.Rand
}

// number is a formula of four bits over x and y.
func (m *maker) number(depth int) *term.Term {
	if depth == 0 {
		if m.rng.IntN(4) == 0 {
			return m.p.Number(m.rng.Uint64(), 4)
		}
		return m.p.Var([]string{"x", "y"}[m.rng.IntN(2)], 4)
	}
	a, b := m.number(depth-1), m.number(depth-1)
	divisions := []term.Op{term.UDiv, term.URem, term.SDiv, term.SRem}
	switch m.rng.IntN(10) {
	case 0:
		return m.p.Mul(a, b)
	case 1:
		return m.p.Divide(divisions[m.rng.IntN(4)], a, b)
	case 2:
		return m.p.And(a, b)
	case 3:
		return m.p.Xor(a, b)
	case 4:
		return m.p.Shl(a, b)
	case 5:
		return m.p.AShr(a, b)
	case 6:
		return m.p.LShr(a, b)
	case 7:
		return m.p.Sub(a, b)
	case 8:
		return m.p.Ite(m.p.Slt(a, b), m.p.Not(b), a)
	}
	return m.p.Add(a, b)
}

type values map[string]uint64

func (v values) Var(t *term.Term) uint64       { return v[t.Name] }
func (values) App(*term.Term, []uint64) uint64 { return 0 }

func holds(c *term.Term, x, y uint64) bool {
	return term.Evaluate(values{"x": x, "y": y}).Of(c) == 1
}

// The bits are asked directly: what is drawn would answer most questions that hold.
func TestBitsAgreeWithAllNumbersOfFourBits(t *testing.T) {
	counts := map[decide.Answer]int{}
	for seed := range uint64(12) {
		m := &maker{term.NewPool(), rand.New(rand.NewPCG(seed, 1))}
		bits := decide.NewBits(m.p, decide.Limits{}) // one graph for all conditions
		for range 60 {
			c := m.p.And(m.p.Eq(m.number(2), m.number(2)), m.p.Ult(m.number(1), m.number(2)))
			want := decide.No
			for k := range uint64(256) {
				if holds(c, k>>4, k&15) {
					want = decide.Yes
				}
			}
			got, err := bits.Decide(context.Background(), c)
			if err != nil || got.Answer != want {
				t.Fatalf("%s: %v (%v), want %v", c, got.Answer, err, want)
			}
			if want == decide.Yes && term.Evaluate(got.Model).Of(c) != 1 {
				t.Fatalf("%s does not hold in its model", c)
			}
			counts[got.Answer]++
		}
	}
	if counts[decide.Yes] < 100 || counts[decide.No] < 100 {
		t.Errorf("the questions were one-sided: %v", counts)
	}
}

func TestEqualArgumentsGiveEqualResults(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", 8), p.Var("y", 8)
	f := func(a *term.Term) *term.Term { return p.App("f", 8, a) }
	apart := p.Ne(f(p.Mul(x, x)), f(p.Mul(y, y)))
	for _, q := range []struct {
		name string
		c    *term.Term
		want decide.Answer
	}{
		{"results differ", apart, decide.Yes},
		{"results of equal arguments differ", p.And(apart, p.Eq(p.Xor(x, y), p.Number(0, 8))), decide.No},
		{"results of opposite arguments' squares differ", p.And(p.And(p.Ult(x, p.Number(9, 8)), apart), p.Eq(p.Add(x, y), p.Number(0, 8))), decide.No},
	} {
		got, err := decide.Chain(decide.NewBits(p, decide.Limits{})).Decide(context.Background(), q.c)
		if err != nil || got.Answer != q.want {
			t.Errorf("%s: %v (%v), want %v", q.name, got.Answer, err, q.want)
		}
	}
}

// product is a product of two numbers above 1 that is hard to part, without a wrap.
func product(p *term.Pool) *term.Term {
	x, y := p.Var("x", 32), p.Var("y", 32)
	wide := p.Mul(p.ZExt(x, 64), p.ZExt(y, 64))
	return p.And(p.Eq(wide, p.Number(4294967291*4294967279%(1<<63), 64)), p.And(p.Ult(p.Number(1, 32), x), p.Ult(x, y)))
}

// A single question of a large function goes on for many seconds.
func TestAQuestionIsGivenUpWhereTheTimeIsUp(t *testing.T) {
	p := term.NewPool()
	c := product(p)
	d := decide.NewBits(p, decide.Limits{Conflicts: 1 << 40, Nodes: 1 << 40})
	limited, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer done()
	begun := time.Now()
	if got, err := d.Decide(limited, c); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v (%v), want that the time is up", got.Answer, err)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, err := decide.Certify(limited, p, c, decide.Limits{Conflicts: 1 << 40}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("writing the proof down: %v", err)
	}
}

func TestALimitMakesAnswersUnknown(t *testing.T) {
	p := term.NewPool()
	c := product(p)
	got, err := decide.NewBits(p, decide.Limits{Conflicts: 50}).Decide(context.Background(), c)
	if err != nil || got.Answer != decide.Unknown {
		t.Errorf("%v (%v), want unknown", got.Answer, err)
	}
}
