package sat

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Log has the clauses that a solver was given and, in their order, those that it learnt: a proof in
// DRAT (Wetzler, Heule and Hunt, "DRAT-trim", 2014) that the former cannot hold with what was
// assumed, where that was the answer. Each learnt clause follows by unit propagation from what
// stands before it.
type Log struct {
	Clauses, Learnt [][]Lit
}

func (l *Log) given(lits []Lit) {
	if l != nil {
		l.Clauses = append(l.Clauses, slices.Clone(lits))
	}
}

func (l *Log) learnt(lits []Lit) {
	if l != nil {
		l.Learnt = append(l.Learnt, slices.Clone(lits))
	}
}

// WriteClauses writes the clauses, and literals that are assumed, in the format of DIMACS.
func (l *Log) WriteClauses(w io.Writer, variables int, assumed []Lit, comments ...string) error {
	out := bufio.NewWriter(w)
	for _, c := range comments {
		fmt.Fprintf(out, "c %s\n", c)
	}
	fmt.Fprintf(out, "p cnf %d %d\n", variables, len(l.Clauses)+len(assumed))
	for _, c := range l.Clauses {
		writeClause(out, c)
	}
	for _, a := range assumed {
		writeClause(out, []Lit{a})
	}
	return out.Flush()
}

// WriteProof writes what was learnt, and that nothing is left.
func (l *Log) WriteProof(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, c := range l.Learnt {
		writeClause(out, c)
	}
	writeClause(out, nil)
	return out.Flush()
}

func writeClause(out *bufio.Writer, lits []Lit) {
	for _, l := range lits {
		sign := ""
		if l&1 == 1 {
			sign = "-"
		}
		fmt.Fprintf(out, "%s%d ", sign, l.Var()+1)
	}
	fmt.Fprintln(out, "0")
}
