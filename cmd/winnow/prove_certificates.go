package main

import (
	"bytes"
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
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
)

// certificates are written while mutants are found equivalent: a file a question. A mutant whose
// formulas are the original's has none, for there was nothing to ask.
type certificates struct {
	folder string
	mu     sync.Mutex
	files  int
	seen   int // mutants
	none   int // mutants without a question
	err    error
}

// newCertificates takes a folder that is empty or not there.
func newCertificates(folder string) (*certificates, error) {
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
	return &certificates{folder: folder}, nil
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
		if c.files++; err != nil && c.err == nil {
			c.err = err
		}
	}
}

// close says what was written.
func (c *certificates) close(stderr io.Writer) error {
	if c.err != nil {
		return exit.New(exit.Output, c.err, "")
	}
	fmt.Fprintf(stderr, "wrote %d questions of %d mutants to %s; of %d more the formulas are the original's\n", c.files, c.seen-c.none, c.folder, c.none)
	return nil
}
