package term_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// build makes the term of an operator by way of the rewriting constructors.
func build(p *term.Pool, op term.Op, args ...*term.Term) *term.Term {
	switch op {
	case term.Sum:
		return p.Add(args[0], args[1])
	case term.Not:
		return p.Not(args[0])
	case term.Product:
		return p.Mul(args[0], args[1])
	case term.UDiv, term.URem, term.SDiv, term.SRem:
		return p.Divide(op, args[0], args[1])
	case term.And:
		return p.And(args[0], args[1])
	case term.Or:
		return p.Or(args[0], args[1])
	case term.Xor:
		return p.Xor(args[0], args[1])
	case term.Shl:
		return p.Shl(args[0], args[1])
	case term.LShr:
		return p.LShr(args[0], args[1])
	case term.AShr:
		return p.AShr(args[0], args[1])
	case term.Eq:
		return p.Eq(args[0], args[1])
	case term.Ult:
		return p.Ult(args[0], args[1])
	case term.Slt:
		return p.Slt(args[0], args[1])
	}
	return p.Ite(args[0], args[1], args[2])
}

// tree is an expression that nothing rewrites, with its term.
type tree struct {
	op    term.Op
	width uint8
	x     uint64 // of constants; of inputs their number; of Extract the first bit
	args  []*tree
	made  *term.Term
}

// value is what C and SMT-LIB say, computed as plainly as can be.
func (t *tree) value(in []uint64) uint64 {
	v := make([]uint64, len(t.args))
	for k, a := range t.args {
		v[k] = a.value(in)
	}
	mask := term.Mask(t.width)
	signed := func(k int) int64 { return term.Signed(v[k], t.args[k].width) }
	truth := map[bool]uint64{true: 1}
	switch t.op {
	case term.Const:
		return t.x
	case term.Var:
		return uint64(term.Signed(in[t.x], 3)) & mask // see input
	case term.Sum:
		return (v[0] + v[1]) & mask
	case term.Product:
		return v[0] * v[1] & mask
	case term.UDiv:
		if v[1] == 0 {
			return mask
		}
		return v[0] / v[1]
	case term.URem:
		if v[1] == 0 {
			return v[0]
		}
		return v[0] % v[1]
	case term.SDiv:
		if v[1] == 0 {
			return map[bool]uint64{true: 1, false: mask}[signed(0) < 0]
		}
		return uint64(signed(0)/signed(1)) & mask
	case term.SRem:
		if v[1] == 0 {
			return v[0]
		}
		return uint64(signed(0)%signed(1)) & mask
	case term.And:
		return v[0] & v[1]
	case term.Or:
		return v[0] | v[1]
	case term.Xor:
		return v[0] ^ v[1]
	case term.Not:
		return ^v[0] & mask
	case term.Shl:
		return v[0] << v[1] & mask
	case term.LShr:
		return v[0] >> v[1]
	case term.AShr:
		return uint64(signed(0)>>v[1]) & mask
	case term.Eq:
		return truth[v[0] == v[1]]
	case term.Ult:
		return truth[v[0] < v[1]]
	case term.Slt:
		return truth[signed(0) < signed(1)]
	case term.Ite:
		if v[0] == 1 {
			return v[1]
		}
		return v[2]
	case term.Extract:
		return v[0] >> t.x & mask
	case term.Concat:
		return v[0]<<t.args[1].width | v[1]
	case term.ZExt:
		return v[0]
	}
	return uint64(signed(0)) & mask // SExt
}

type maker struct {
	p   *term.Pool
	rng *rand.Rand
}

func (m *maker) tree(width uint8, depth int) *tree {
	t := &tree{width: width}
	if depth == 0 || m.rng.IntN(8) == 0 {
		m.leaf(t)
		return t
	}
	sub := func(w uint8) *tree { return m.tree(w, depth-1) }
	made := func() []*term.Term {
		var out []*term.Term
		for _, a := range t.args {
			out = append(out, a.made)
		}
		return out
	}
	switch k := m.rng.IntN(12); {
	case width == 1 && k < 8:
		w := uint8(1 + 3*m.rng.IntN(2))
		t.op, t.args = []term.Op{term.Eq, term.Ult, term.Slt}[m.rng.IntN(3)], []*tree{sub(w), sub(w)}
	case k < 2:
		t.op, t.args = term.Ite, []*tree{sub(1), sub(width), sub(width)}
	case k == 2 && width > 1:
		cut := uint8(1 + m.rng.IntN(int(width)-1))
		t.op, t.args = term.Concat, []*tree{sub(width - cut), sub(cut)}
		t.made = m.p.Concat(t.args[0].made, t.args[1].made)
		return t
	case k == 3 && width > 1:
		t.op, t.args = []term.Op{term.ZExt, term.SExt}[m.rng.IntN(2)], []*tree{sub(uint8(1 + m.rng.IntN(int(width)-1)))}
		if t.made = m.p.ZExt(t.args[0].made, width); t.op == term.SExt {
			t.made = m.p.SExt(t.args[0].made, width)
		}
		return t
	case k == 4 && width < 6:
		t.op, t.args = term.Extract, []*tree{sub(6)}
		t.x = uint64(m.rng.IntN(int(6 - width + 1)))
		t.made = m.p.Extract(t.args[0].made, uint8(t.x), width)
		return t
	case k == 5:
		t.op, t.args = term.Not, []*tree{sub(width)}
	default:
		ops := []term.Op{term.Sum, term.Product, term.UDiv, term.URem, term.SDiv, term.SRem, term.And, term.Or, term.Xor, term.Shl, term.LShr, term.AShr}
		t.op, t.args = ops[m.rng.IntN(len(ops))], []*tree{sub(width), sub(width)}
	}
	t.made = build(m.p, t.op, made()...)
	return t
}

func (m *maker) leaf(t *tree) {
	if m.rng.IntN(3) == 0 {
		t.op, t.x = term.Const, m.rng.Uint64()&term.Mask(t.width)
		t.made = m.p.Number(t.x, t.width)
		return
	}
	t.op, t.x = term.Var, uint64(m.rng.IntN(3))
	t.made = m.input(t.x, t.width)
}

// input has an input's lowest bits, or its sign in front.
func (m *maker) input(n uint64, width uint8) *term.Term {
	v := m.p.Var(fmt.Sprint(n), 3)
	if width < 3 {
		return m.p.Extract(v, 0, width)
	}
	return m.p.SExt(v, width)
}

type state []uint64

func (s state) Var(t *term.Term) uint64         { return s[t.Name[0]-'0'] }
func (s state) App(*term.Term, []uint64) uint64 { return 0 }

// Every rule is met by some tree; a tree is computed with and without them for all inputs.
func TestRewritingKeepsTheValueOfEveryTerm(t *testing.T) {
	trees := deep.Count(1_500, 20_000)
	m := &maker{rng: rand.New(rand.NewPCG(3, 4))}
	for n := range trees {
		if n%500 == 0 {
			m.p = term.NewPool()
		}
		one := m.tree([]uint8{1, 4, 5}[m.rng.IntN(3)], 1+m.rng.IntN(5))
		for x := range uint64(8 * 8 * 8) {
			s := state{x & 7, x >> 3 & 7, x >> 6}
			got := term.Evaluate(s).Of(one.made)
			want := one.value(s)
			lo, hi := one.made.Bounds()
			slo, shi := one.made.SignedBounds()
			if sgot := term.Signed(got, one.width); got != want || got < lo || got > hi || sgot < slo || sgot > shi {
				t.Fatalf("tree %d with %v: %s is %d, want %d (bounds %d to %d, %d to %d)", n, s, one.made, got, want, lo, hi, slo, shi)
			}
		}
	}
}

// Comparisons are turned to quotients in mutants, such as a <= 500 to 500 / a. That no quotient
// has to be made to know whether it is 0 is checked for all numbers of three bits.
func TestAQuotientIsZeroWhereTheDividendIsSmaller(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("0", 3), p.Var("1", 3)
	for _, op := range []term.Op{term.UDiv, term.SDiv} {
		q := p.Divide(op, x, y)
		zero := p.Eq(q, p.Number(0, 3))
		term.Each(func(one *term.Term) {
			if one.Op == term.UDiv || one.Op == term.SDiv {
				t.Errorf("quotient == 0 is %s", zero)
			}
		}, zero)
		for n := range uint64(64) {
			in := term.Evaluate(state{n & 7, n >> 3, 0})
			if got, want := in.Of(zero) == 1, in.Of(q) == 0; got != want {
				t.Errorf("%s with %d: %v, want %v", zero, n, got, want)
			}
		}
	}
}

func TestNormalFormsMakeEqualTermsOne(t *testing.T) {
	p := term.NewPool()
	x, y, z := p.Var("x", 32), p.Var("y", 32), p.Var("z", 32)
	one := p.Number(1, 32)
	least := func(c, a, b *term.Term) *term.Term { return p.Ite(c, a, b) }
	for name, pair := range map[string][2]*term.Term{
		"(x+y)-y is x":              {p.Sub(p.Add(x, y), y), x},
		"1+(x+2) is x+3":            {p.Add(one, p.Add(x, p.Number(2, 32))), p.Add(x, p.Number(3, 32))},
		"x(y+z) is xy+xz":           {p.Mul(x, p.Add(y, z)), p.Add(p.Mul(x, y), p.Mul(x, z))},
		"x<<1 is x+x":               {p.Shl(x, one), p.Add(x, x)},
		"~x+1 is -x":                {p.Add(p.Not(x), one), p.Neg(x)},
		"min with < is min with <=": {least(p.Slt(x, y), x, y), least(p.Sle(x, y), x, y)},
		"min is min of the others":  {least(p.Slt(x, y), x, y), least(p.Slt(y, x), y, x)},
		"max with < is max with >=": {least(p.Slt(x, y), y, x), least(p.Sle(y, x), x, y)},
		"min of a number":           {least(p.Slt(x, one), x, one), least(p.Sle(x, one), x, one)},
		"x<5 is x<=4":               {p.Slt(x, p.Number(5, 32)), p.Sle(x, p.Number(4, 32))},
		"x+1==y+1 is x==y":          {p.Eq(p.Add(x, one), p.Add(y, one)), p.Eq(y, x)},
		"bytes are put together":    {p.Concat(p.Extract(x, 8, 24), p.Extract(x, 0, 8)), x},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s and %s", name, pair[0], pair[1])
		}
	}
}

func TestMemoryGivesBackWhatWasWritten(t *testing.T) {
	p := term.NewPool()
	m, a, i, j := p.Var("m", term.Memory), p.Var("a", 64), p.Var("i", 32), p.Var("j", 32)
	at := func(i *term.Term) *term.Term { return p.Add(a, p.Mul(p.SExt(i, 64), p.Number(4, 64))) }
	v := p.Var("v", 32)
	written := p.Store(m, at(i), v)
	if got := p.Load(written, at(i), 4); got != v {
		t.Errorf("what was written is read as %s", got)
	}
	if got := p.Load(written, p.Add(at(i), p.Number(1, 64)), 1); got != p.Extract(v, 8, 8) {
		t.Errorf("its second byte is read as %s", got)
	}
	if got := p.Load(written, p.Add(at(i), p.Number(4, 64)), 4); got != p.Load(m, p.Add(at(i), p.Number(4, 64)), 4) {
		t.Errorf("the element behind it is read as %s", got)
	}
	if got, want := p.Load(written, at(j), 4), p.Ite(p.Eq(at(j), at(i)), v, p.Load(m, at(j), 4)); got != want {
		t.Errorf("another element is read as %s, want %s", got, want)
	}
}

func TestObjectsLieApart(t *testing.T) {
	p := term.NewPool()
	m, a, b, i := p.Var("m", term.Memory), p.Object("a"), p.Object("b"), p.Var("i", 64)
	written := p.Store(m, p.Add(a, i), p.Number(7, 8))
	if got := p.Load(written, b, 1); got != p.Load(m, b, 1) {
		t.Errorf("b holds %s when a was written", got)
	}
	for name, at := range map[string]*term.Term{"the same": a, "any address": p.Var("c", 64), "a difference": p.Sub(b, a)} {
		if p.Load(written, at, 1) == p.Load(m, at, 1) {
			t.Errorf("%s is not written", name)
		}
	}
}
