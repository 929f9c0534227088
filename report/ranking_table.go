package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

const (
	// maxChange bounds the change column of the table, in characters.
	maxChange = 64
	// maxWhy bounds the why column: reasons are shown while they fit in, the
	// first one always. JSON has them all.
	maxWhy = 64
	// margin is how much is kept, in characters, of what original and
	// replacement share around the place where they differ.
	margin = 10
)

// WriteTable writes the ranking for a terminal.
func (r *Ranking) WriteTable(w io.Writer) error {
	var head strings.Builder
	fmt.Fprintf(&head, "%s: %d of %d mutants, strategy %s, ", r.Program, len(r.Mutants), r.Total, r.Strategy)
	if r.Model == "" {
		head.WriteString("no model")
	} else {
		fmt.Fprintf(&head, "model %s (p: predicted probabilities; why: features that raise + or lower - p)", r.Model)
	}
	if n := r.LeftOut.Equivalent + r.LeftOut.Duplicate; n > 0 {
		fmt.Fprintf(&head, "; left out: %d equivalent, %d duplicates", r.LeftOut.Equivalent, r.LeftOut.Duplicate)
	}
	if n := r.LeftOut.Undefined; n > 0 {
		fmt.Fprintf(&head, "; %d that C leaves undefined", n)
	}
	switch n := len(r.Skipped); {
	case n == 1:
		head.WriteString("; 1 function not mutated")
	case n > 1:
		fmt.Fprintf(&head, "; %d functions not mutated", n)
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", head.String()); err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	if r.Budget != nil {
		if _, err := fmt.Fprintf(w, "%v\n\n", r.Budget); err != nil {
			return fmt.Errorf("writing the ranking: %w", err)
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := []string{"rank", "place", "function", "change"}
	if r.Model != "" {
		columns = append(columns, "p(fault)", "p(kill)", "why")
	}
	fmt.Fprintln(tw, strings.Join(columns, "\t"))
	for i := range r.Mutants {
		fmt.Fprintln(tw, strings.Join(r.Mutants[i].cells()[:len(columns)], "\t"))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	for _, s := range r.Skipped {
		if _, err := fmt.Fprintf(w, "not mutated: %s\n", s); err != nil {
			return fmt.Errorf("writing the ranking: %w", err)
		}
	}
	for _, s := range r.Notes {
		if _, err := fmt.Fprintf(w, "note: %s\n", s); err != nil {
			return fmt.Errorf("writing the ranking: %w", err)
		}
	}
	return nil
}

func (m *Ranked) cells() []string {
	return []string{
		strconv.Itoa(m.Rank), fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column), m.Function,
		change(m.Original, m.Replacement), m.PFault.String(), m.PKill.String(), why(m.Reasons),
	}
}

// change shows both texts, or where they differ when that would be too long.
func change(original, replacement string) string {
	const arrow, arrowWidth = " → ", 3
	a, b := []rune(oneLine(original)), []rune(oneLine(replacement))
	if len(a)+len(b)+arrowWidth <= maxChange {
		return string(a) + arrow + string(b)
	}
	before, after := shared(a, b)
	before, after = max(0, before-margin), max(0, after-margin)
	width := (maxChange - arrowWidth) / 2
	return middle(a, before, after, width) + arrow + middle(b, before, after, width)
}

// oneLine keeps a text from breaking the table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// shared returns the lengths of the longest common beginning and end, which do
// not overlap.
func shared(a, b []rune) (before, after int) {
	least := min(len(a), len(b))
	for before < least && a[before] == b[before] {
		before++
	}
	for after < least-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	return before, after
}

// middle leaves out the first and last characters of a text, and what is
// longer than width of the rest.
func middle(text []rune, before, after, width int) string {
	out := string(text[before : len(text)-after])
	if before > 0 {
		out = "…" + out
	}
	if cut := []rune(out); len(cut) > width {
		return string(cut[:width-1]) + "…"
	}
	if after > 0 {
		out += "…"
	}
	return out
}

// why lists reasons, the weightiest first.
func why(reasons []Reason) string {
	out := ""
	for _, r := range reasons {
		next := r.String()
		if out != "" {
			next = out + " " + next
		}
		if out != "" && len(next) > maxWhy {
			break
		}
		out = next
	}
	return out
}

// String is the feature, what it is, and whether it raises or lowers the score.
func (r Reason) String() string {
	sign := "+"
	if r.Weight < 0 {
		sign = "-"
	}
	if math.IsNaN(float64(r.Value)) {
		return sign + r.Feature + "=?"
	}
	return fmt.Sprintf("%s%s=%.3g", sign, r.Feature, float64(r.Value))
}
