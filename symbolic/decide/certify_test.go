package decide_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// checked reads clauses in DIMACS and a proof, and says whether each step follows by unit
// propagation from what stands before it, and the last is empty.
func checked(clauses, proof string) bool {
	all := read(clauses)
	for _, step := range read(proof) {
		if !follows(all, step) {
			return false
		}
		if len(step) == 0 {
			return true
		}
		all = append(all, step)
	}
	return false
}

func read(text string) (out [][]int) {
	for line := range strings.Lines(text) {
		if line[0] == 'c' || line[0] == 'p' {
			continue
		}
		clause := []int{}
		for _, word := range strings.Fields(line) {
			n := 0
			if _, err := fmt.Sscan(word, &n); err != nil || n == 0 {
				break
			}
			clause = append(clause, n)
		}
		out = append(out, clause)
	}
	return out
}

// follows assumes that a clause is false, and propagates until one of the others is.
func follows(all [][]int, clause []int) bool {
	value := map[int]bool{}
	for _, l := range clause {
		value[-l] = true
	}
	for again := true; again; {
		again = false
		for _, c := range all {
			open, unit, holds := 0, 0, false
			for _, l := range c {
				holds = holds || value[l]
				if !value[l] && !value[-l] {
					open, unit = open+1, l
				}
			}
			switch {
			case holds || open > 1:
			case open == 0:
				return true
			default:
				value[unit], again = true, true
			}
		}
	}
	return false
}

func TestAProofIsOneOfTheClausesAlone(t *testing.T) {
	p := term.NewPool()
	x, y := p.Var("x", 5), p.Var("y", 5)
	f := func(a *term.Term) *term.Term { return p.App("f", 4, a) }
	square := func(a *term.Term) *term.Term { return p.Mul(a, a) }
	low := p.And(p.Ult(x, p.Number(4, 5)), p.Ult(y, p.Number(4, 5)))
	for name, c := range map[string]*term.Term{
		"a square ends in 2":                 p.Eq(p.And(square(x), p.Number(3, 5)), p.Number(2, 5)),
		"small squares overflow":             p.And(low, p.Ult(p.Number(20, 5), p.Add(square(x), p.And(square(y), p.Number(7, 5))))),
		"results of equal squares differ":    p.And(p.Eq(p.Xor(x, y), p.Number(0, 5)), p.Ne(f(square(x)), f(square(y)))),
		"a remainder is above what it is of": p.And(p.Ult(p.Number(0, 5), y), p.Ult(x, p.Divide(term.URem, x, y))),
	} {
		made, err := decide.Certify(context.Background(), p, c, decide.Limits{})
		if err != nil || made == nil {
			t.Fatalf("%s: no certificate (%v)", name, err)
		}
		var clauses, proof bytes.Buffer
		if err := made.WriteClauses(&clauses, name); err != nil {
			t.Fatal(err)
		}
		if err := made.WriteProof(&proof); err != nil {
			t.Fatal(err)
		}
		if !checked(clauses.String(), proof.String()) {
			t.Errorf("%s: the proof does not hold", name)
		}
		// Without what is asked there is nothing to prove.
		lines := strings.SplitAfter(strings.TrimSpace(clauses.String()), "\n")
		if checked(strings.Join(lines[:len(lines)-1], ""), proof.String()) && !strings.HasPrefix(name, "results") {
			t.Errorf("%s: the proof holds without the last clause", name)
		}
	}
	for name, c := range map[string]*term.Term{"a square ends in 1": p.Eq(p.And(square(x), p.Number(3, 5)), p.Number(1, 5)), "what can hold": p.Ult(x, y)} {
		if made, err := decide.Certify(context.Background(), p, c, decide.Limits{}); made != nil || err != nil {
			t.Errorf("%s has a certificate (%v)", name, err)
		}
	}
}
