package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Mutants sums up the mutants of one program. Every mutant that was generated
// is counted once more: as one of those left out, or as kept.
type Mutants struct {
	Program    string `json:"program"`
	Generated  int    `json:"generated"`
	OutOfScope int    `json:"out_of_scope"` // not asked for
	Suppressed int    `json:"suppressed"`   // by a comment in the source
	Equivalent int    `json:"equivalent"`   // to the original
	Duplicate  int    `json:"duplicate"`    // of an earlier mutant
	Invalid    int    `json:"invalid"`      // refused by LLVM's verifier
	Undefined  int    `json:"undefined"`    // by C, whenever control comes to them
	Kept       int    `json:"kept"`
	// Operators are the shares of the operator families, the largest first.
	Operators []OperatorShare `json:"operators"`
	// Seconds is the time that each phase took.
	Seconds map[string]float64 `json:"seconds"`
	// Skipped lists the functions that were left alone, with the reason.
	Skipped []string `json:"skipped,omitempty"`
	// Notes are what else the user should know, a sentence each.
	Notes []string `json:"notes,omitempty"`
}

// OperatorShare counts the mutants of one operator family: those kept, and
// those that are equivalent, duplicates or invalid.
type OperatorShare struct {
	Operator string `json:"operator"`
	Kept     int    `json:"kept"`
	Removed  int    `json:"removed"`
}

// Count adds a mutant of an operator family.
func (m *Mutants) Count(operator string, kept bool) {
	i := slices.IndexFunc(m.Operators, func(s OperatorShare) bool { return s.Operator == operator })
	if i < 0 {
		i = len(m.Operators)
		m.Operators = append(m.Operators, OperatorShare{Operator: operator})
	}
	if kept {
		m.Operators[i].Kept++
	} else {
		m.Operators[i].Removed++
	}
}

// Sort orders the operators: most kept mutants first, then by name.
func (m *Mutants) Sort() {
	slices.SortFunc(m.Operators, func(a, b OperatorShare) int {
		return cmp.Or(cmp.Compare(b.Kept, a.Kept), strings.Compare(a.Operator, b.Operator))
	})
}

// Write writes the summary for a terminal.
func (m *Mutants) Write(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %d mutants of %d generated", m.Program, m.Kept, m.Generated)
	for _, out := range []struct {
		n    int
		what string
	}{
		{m.OutOfScope, "not asked for"}, {m.Suppressed, "suppressed"}, {m.Equivalent, "equivalent"},
		{m.Duplicate, "duplicates"}, {m.Invalid, "invalid"}, {m.Undefined, "undefined in C"},
	} {
		if out.n > 0 {
			fmt.Fprintf(&text, ", %d %s", out.n, out.what)
		}
	}
	text.WriteString("\n\n")
	tw := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "operator\tkept\tshare\tleft out")
	for _, s := range m.Operators {
		share := 0.0
		if m.Kept > 0 {
			share = 100 * float64(s.Kept) / float64(m.Kept)
		}
		fmt.Fprintf(tw, "%s\t%d\t%.1f%%\t%d\n", s.Operator, s.Kept, share, s.Removed)
	}
	tw.Flush() // a strings.Builder takes everything
	for _, s := range m.Skipped {
		fmt.Fprintf(&text, "not mutated: %s\n", s)
	}
	for _, s := range m.Notes {
		fmt.Fprintf(&text, "note: %s\n", s)
	}
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("writing the summary of mutants: %w", err)
	}
	return nil
}
