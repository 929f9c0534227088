package smtlib_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// expression is a text in parentheses, or a word.
type expression struct {
	word string
	of   []expression
}

// parse reads all expressions of a text, as plainly as can be.
func parse(t *testing.T, text string) []expression {
	t.Helper()
	var stack [][]expression
	top := []expression{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, ";")
		for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(line)) {
			switch w {
			case "(":
				stack, top = append(stack, top), nil
			case ")":
				if len(stack) == 0 {
					t.Fatalf("a parenthesis too many:\n%s", text)
				}
				done := expression{of: top}
				top = append(stack[len(stack)-1], done)
				stack = stack[:len(stack)-1]
			default:
				top = append(top, expression{word: w})
			}
		}
	}
	if len(stack) > 0 {
		t.Fatalf("a parenthesis too few:\n%s", text)
	}
	return top
}

// reader computes what SMT-LIB says of vectors: a slow twin of term.Compute.
type reader struct {
	t       *testing.T
	inputs  map[string]uint64 // by the comment behind the declaration
	values  map[string]uint64
	widths  map[string]uint64
	asserts []uint64
}

func atoi(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}

func (r *reader) run(commands []expression) {
	for _, c := range commands {
		switch c.of[0].word {
		case "declare-fun":
			name := c.of[1].word
			r.widths[name] = atoi(c.of[3].of[2].word)
			r.values[name] = r.inputs[name]
		case "define-fun":
			x, w := r.value(c.of[4])
			if want := atoi(c.of[3].of[2].word); w != want {
				r.t.Fatalf("%s has %d bits, not %d", c.of[1].word, w, want)
			}
			r.values[c.of[1].word], r.widths[c.of[1].word] = x, w
		case "assert":
			x, _ := r.value(c.of[1])
			r.asserts = append(r.asserts, x)
		}
	}
}

func (r *reader) value(e expression) (x, width uint64) {
	if e.word != "" {
		if digits, ok := strings.CutPrefix(e.word, "#b"); ok {
			return atoi(digits), uint64(len(digits))
		}
		w, known := r.widths[e.word]
		if !known {
			r.t.Fatalf("%s is used before it is defined", e.word)
		}
		return r.values[e.word], w
	}
	if e.of[0].word == "_" { // (_ bv5 8)
		return atoi(e.of[1].word[2:]), atoi(e.of[2].word)
	}
	var v, w []uint64
	for _, a := range e.of[1:] {
		x, width := r.value(a)
		v, w = append(v, x), append(w, width)
	}
	if inner := e.of[0].of; inner != nil {
		n := atoi(inner[2].word)
		switch inner[1].word {
		case "extract":
			low := atoi(inner[3].word)
			return v[0] >> low & term.Mask(uint8(n-low+1)), n - low + 1
		case "zero_extend":
			return v[0], w[0] + n
		case "sign_extend":
			return uint64(term.Signed(v[0], uint8(w[0]))) & term.Mask(uint8(w[0]+n)), w[0] + n
		}
	}
	return r.operator(e.of[0].word, v, w)
}

func (r *reader) operator(name string, v, w []uint64) (uint64, uint64) {
	width := uint8(w[0])
	mask := term.Mask(width)
	signed := func(k int) int64 { return term.Signed(v[k], width) }
	truth := func(b bool) (uint64, uint64) {
		if b {
			return 1, 1
		}
		return 0, 1
	}
	switch name {
	case "bvadd":
		return (v[0] + v[1]) & mask, w[0]
	case "bvmul":
		return v[0] * v[1] & mask, w[0]
	case "bvand":
		return v[0] & v[1], w[0]
	case "bvor":
		return v[0] | v[1], w[0]
	case "bvxor":
		return v[0] ^ v[1], w[0]
	case "bvnot":
		return ^v[0] & mask, w[0]
	case "bvshl":
		return v[0] << v[1] & mask, w[0]
	case "bvlshr":
		return v[0] >> v[1], w[0]
	case "bvashr":
		return uint64(signed(0)>>v[1]) & mask, w[0]
	case "concat":
		return v[0]<<w[1] | v[1], w[0] + w[1]
	case "=":
		return truth(v[0] == v[1])
	case "bvult":
		return truth(v[0] < v[1])
	case "bvslt":
		return truth(signed(0) < signed(1))
	case "ite":
		if v[0] == 1 {
			return v[1], w[1]
		}
		return v[2], w[2]
	case "bvudiv", "bvurem", "bvsdiv", "bvsrem":
		return divided(name, v[0], v[1], width), w[0]
	}
	r.t.Fatalf("no meaning of %s", name)
	return 0, 0
}

// divided is division as SMT-LIB defines it, by zero, too.
func divided(name string, a, b uint64, width uint8) uint64 {
	mask := term.Mask(width)
	x, y := term.Signed(a, width), term.Signed(b, width)
	switch {
	case name == "bvudiv" && b == 0:
		return mask
	case name == "bvudiv":
		return a / b
	case name == "bvurem" && b == 0, name == "bvsrem" && b == 0:
		return a
	case name == "bvurem":
		return a % b
	case name == "bvsdiv" && b == 0 && x < 0:
		return 1
	case name == "bvsdiv" && b == 0:
		return mask
	case name == "bvsdiv":
		return uint64(x/y) & mask
	}
	return uint64(x%y) & mask
}

// drawnTerm is a term of two inputs of a width with every operator of vectors somewhere.
func drawnTerm(p *term.Pool, rng *rand.Rand, width uint8, depth int) *term.Term {
	if depth == 0 {
		if rng.IntN(4) == 0 {
			return p.Number(rng.Uint64()>>rng.IntN(64), width)
		}
		return p.Var([]string{"x", "y"}[rng.IntN(2)], width)
	}
	a, b := drawnTerm(p, rng, width, depth-1), drawnTerm(p, rng, width, depth-1)
	switch rng.IntN(19) {
	case 0:
		return p.Add(a, b)
	case 1:
		return p.Sub(a, b)
	case 2:
		return p.Mul(a, b)
	case 3:
		return p.Divide(term.UDiv, a, b)
	case 4:
		return p.Divide(term.SDiv, a, b)
	case 5:
		return p.Divide(term.URem, a, b)
	case 6:
		return p.Divide(term.SRem, a, b)
	case 7:
		return p.And(a, b)
	case 8:
		return p.Or(a, b)
	case 9:
		return p.Xor(a, b)
	case 10:
		return p.Not(a)
	case 11:
		return p.Shl(a, b)
	case 12:
		return p.LShr(a, b)
	case 13:
		return p.AShr(a, b)
	case 14:
		return p.Ite(p.Ult(a, b), a, p.Neg(b))
	case 15:
		return p.Ite(p.Slt(a, b), b, a)
	case 16:
		return p.Ite(p.Eq(a, b), a, p.Number(1, width))
	case 17:
		return p.Extract(p.SExt(a, 2*width), width/2, width)
	}
	return p.Extract(p.Concat(a, b), 3, width)
}

type state map[string]uint64

func (s state) Var(t *term.Term) uint64         { return s[t.Name] }
func (s state) App(*term.Term, []uint64) uint64 { return 0 }

func TestATextMeansWhatTheTermDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range deep.Count(2_000, 40_000) {
		p := term.NewPool()
		width := []uint8{8, 16, 32}[rng.IntN(3)]
		x := p.Eq(drawnTerm(p, rng, width, 4), drawnTerm(p, rng, width, 2))
		var text strings.Builder
		if err := smtlib.Write(&text, x, "two lines\n(assert #b0)"); err != nil {
			t.Fatal(err)
		}
		s := state{"x": rng.Uint64() >> rng.IntN(64) & term.Mask(width), "y": rng.Uint64() >> rng.IntN(64) & term.Mask(width)}
		r := &reader{t: t, inputs: map[string]uint64{}, values: map[string]uint64{}, widths: map[string]uint64{}}
		term.Each(func(v *term.Term) {
			if v.Op == term.Var {
				r.inputs[fmt.Sprintf("t%d", v.ID)] = s[v.Name]
			}
		}, x)
		r.run(parse(t, text.String()))
		if want := term.Evaluate(s).Of(x); len(r.asserts) != 1 || r.asserts[0] != want {
			t.Fatalf("%v: the text comes to %v, the term to %d:\n%s", s, r.asserts, want, text.String())
		}
	}
}

// What is not of vectors is declared before it is used, under one name.
func TestMemoryAndTracesAreSortsOfTheirOwn(t *testing.T) {
	p := term.NewPool()
	m, at := p.Var("m", term.Memory), p.Var("at", 64)
	trace := p.Event("call", p.Var("begin", term.Trace), at, m)
	written := p.Store(m, at, p.App("result", 16, trace))
	other := p.App("left", term.Memory, trace, written)
	var text strings.Builder
	if err := smtlib.Write(&text, p.Eq(p.Load(other, at, 2), p.App("result", 16, p.Event("call", trace, at, m)))); err != nil {
		t.Fatal(err)
	}
	got := text.String()
	parse(t, got)
	for _, want := range []string{"(declare-sort Trace 0)", "(Array (_ BitVec 64) (_ BitVec 8))", "(select ", "(store (store "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, `"call"`); n != 1 {
		t.Errorf("the event is declared %d times:\n%s", n, got)
	}
	if strings.Index(got, "declare-sort") > strings.Index(got, "declare-fun") {
		t.Errorf("the sort comes late:\n%s", got)
	}
}

// pretend is a program in the place of a solver: a script that reads lines and does something
// at each question.
func pretend(t *testing.T, atQuestion string) *smtlib.Solver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cvc5")
	script := "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in '(check-sat)') n=$((n+1)); " + atQuestion + ";; esac; done\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := smtlib.NewSolver(path, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestASolverThatLiesOrDiesIsNotBelieved(t *testing.T) {
	p := term.NewPool()
	x := p.Ult(p.Var("x", 8), p.Var("y", 8))
	for name, c := range map[string]struct {
		does string
		lies bool
	}{
		"says unsat to everything":         {"echo unsat", true},
		"dies":                             {"exit 1", false},
		"dies in the middle of an answer":  {"printf 'sat\\n((t1'; exit 1", false},
		"says what nobody understands":     {"echo '(error \"out of memory\")'", false},
		"says nothing":                     {"exec sleep 60", false},
		"knows nothing":                    {"echo unknown", false},
		"is right twice and then mistaken": {"if [ $n = 1 ]; then echo unknown; elif [ $n = 2 ]; then echo unsat; else exit 3; fi", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, _, err := pretend(t, c.does).Ask(t.Context(), x)
			if answer != smtlib.Unknown || errors.Is(err, smtlib.ErrLies) != c.lies || err != nil && !c.lies {
				t.Errorf("answer %v, error %v", answer, err)
			}
		})
	}
}

func TestAModelIsRead(t *testing.T) {
	p := term.NewPool()
	x, y, z := p.Var("x", 8), p.Var("y", 8), p.Var("z", 1)
	c := p.And(p.Ult(x, y), z)
	// The names are the terms' numbers.
	values := fmt.Sprintf("((t%d #x2a) (t%d (_ bv200 8))\n (t%d #b1))", x.ID, y.ID, z.ID)
	s := pretend(t, "if [ $n -le 2 ]; then echo unknown; else echo sat; echo '"+values+"'; fi")
	for range 2 * 3 { // more often than a solver may die
		answer, model, err := s.Ask(t.Context(), c)
		if err != nil || answer != smtlib.Sat || model[x] != 42 || model[y] != 200 || model[z] != 1 {
			t.Errorf("%v, %v, %v", answer, model, err)
		}
	}
}

func TestWhatIsNoSolverIsRefused(t *testing.T) {
	if _, err := smtlib.NewSolver("sh", time.Second); !errors.Is(err, smtlib.ErrUnknownSolver) {
		t.Error(err)
	}
	if _, err := smtlib.NewSolver("/nowhere/z3", time.Second); err == nil {
		t.Error("a solver that is not there is taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := pretend(t, "echo unknown").Ask(ctx, term.NewPool().Var("x", 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
