package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
)

// certificates are written while mutants are found equivalent: a file a question, and where the
// embedded decider comes to it alone, clauses and a proof of them. A mutant whose
// formulas are the original's has none, for there was nothing to ask.
type certificates struct {
	ctx    context.Context
	folder string
	mu     sync.Mutex
	files  int
	drat   int // proofs
	seen   int // mutants
	none   int // mutants without a question
	err    error
}

// newCertificates takes a folder that is empty or not there.
func newCertificates(ctx context.Context, folder string) (*certificates, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	if len(entries) > 0 {
		return nil, exit.New(exit.Output, fmt.Errorf("%s is not empty", folder), "name another folder for the certificates, or remove what is there")
	}
	return &certificates{ctx: ctx, folder: folder}, nil
}

// add writes the questions of a mutant.
func (c *certificates) add(p smt.Proved) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen++; len(p.Conditions) == 0 {
		c.none++
	}
	m := p.Mutant
	for k, condition := range p.Conditions {
		comments := []string{
			fmt.Sprintf("%s:%d:%d in %s: %s can become %s (%s)", paths.Relative("", m.File), m.Line, m.Column, m.Function, m.Original, m.Replacement, m.ID),
			fmt.Sprintf("Can the two differ? Question %d of %d. unsat: they cannot.", k+1, len(p.Conditions)),
		}
		if len(p.Facts) > 0 {
			comments = append(comments, "What holds in the function's loops is given here, and was proved by induction: "+strings.Join(p.Facts, ", "))
		}
		var text bytes.Buffer
		err := smtlib.Write(&text, condition, comments...)
		if err == nil {
			err = atomicfile.Write(filepath.Join(c.folder, fmt.Sprintf("%s-%d.smt2", m.ID, k+1)), text.Bytes())
		}
		if err == nil {
			err = c.prove(&p, k, comments)
		}
		if c.files++; err != nil && c.err == nil {
			c.err = err
		}
	}
}

// proofConflicts is how long the embedded decider looks for a proof of a question.
const proofConflicts = 20_000

// prove writes the clauses of a question and a proof of them, if one is found.
func (c *certificates) prove(p *smt.Proved, k int, comments []string) error {
	made, err := decide.Certify(c.ctx, p.Pool, p.Conditions[k], decide.Limits{Conflicts: proofConflicts})
	if err != nil || made == nil {
		return err
	}
	var clauses, proof bytes.Buffer
	if err := errors.Join(made.WriteClauses(&clauses, comments...), made.WriteProof(&proof)); err != nil {
		return err
	}
	name := filepath.Join(c.folder, fmt.Sprintf("%s-%d", p.Mutant.ID, k+1))
	if err := atomicfile.Write(name+".cnf", clauses.Bytes()); err != nil {
		return err
	}
	c.drat++
	return atomicfile.Write(name+".drat", proof.Bytes())
}

// close says what was written.
func (c *certificates) close(stderr io.Writer) error {
	if c.err != nil {
		return exit.New(exit.Output, c.err, "")
	}
	fmt.Fprintf(stderr, "wrote %d questions of %d mutants to %s, %d of them with a proof; of %d more the formulas are the original's\n", c.files, c.seen-c.none, c.folder, c.drat, c.none)
	return nil
}
