package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// maxWhy bounds the why column: reasons are shown while they fit in, the
// first one always. JSON has them all.
const maxWhy = 64

// TableOptions say how a ranking is shown to people. The zero value is plain.
type TableOptions struct {
	// Explain names the features that moved the score of each mutant, in place of what
	// drawn inputs show.
	Explain bool
	// Colour sets off what is said beside the changes, as terminals do.
	Colour bool
	// Width is how many characters a line has room for, 0 any number. Where it is too few for
	// some, what is said beside the changes stands below them.
	Width int
}

// WriteTable writes the ranking for people. Probabilities are left out where the program is
// foreign to the model.
func (r *Ranking) WriteTable(w io.Writer, opts TableOptions) error {
	var head strings.Builder
	fmt.Fprintf(&head, "%s: %d of %d ", r.Program, len(r.Mutants), r.Total)
	if r.Suite != nil {
		head.WriteString("mutants that the tests let live, ")
	} else {
		head.WriteString("mutants, ")
	}
	fmt.Fprintf(&head, "strategy %s, ", r.Strategy)
	shown := r.columns(opts)
	switch {
	case r.Model == "":
		head.WriteString("no model")
	case r.Suite != nil && !opts.Explain:
		fmt.Fprintf(&head, "model %s", r.Model)
	case !slices.Contains(shown, "p(kill)"):
		fmt.Fprintf(&head, "model %s (the program is foreign to it: no probabilities)", r.Model)
	default:
		fmt.Fprintf(&head, "model %s (p: predicted probabilities)", r.Model)
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
	if r.Suite != nil {
		if _, err := fmt.Fprintf(w, "%v\n\n", r.Suite); err != nil {
			return fmt.Errorf("writing the ranking: %w", err)
		}
	}
	if r.Budget != nil {
		if _, err := fmt.Fprintf(w, "%v\n\n", r.Budget); err != nil {
			return fmt.Errorf("writing the ranking: %w", err)
		}
	}
	if _, err := io.WriteString(w, strings.Join(r.lines(shown, opts), "\n")+"\n"); err != nil {
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

// lines are those of the table.
func (r *Ranking) lines(columns []string, opts TableOptions) []string {
	rows := [][]string{columns}
	for i := range r.Mutants {
		rows = append(rows, r.Mutants[i].cells(columns, opts))
	}
	out := aligned(rows)
	last := len(columns) - 1
	fits := func(line string) bool {
		n := utf8.RuneCountInString(line)
		if opts.Colour {
			n -= len(dim) + len(plain)
		}
		return n <= opts.Width
	}
	if opts.Width == 0 || columns[last] != "why" || !slices.ContainsFunc(out[1:], func(line string) bool { return !fits(line) }) {
		return out
	}
	var below []string
	for k := range rows {
		below, rows[k] = append(below, rows[k][last]), rows[k][:last]
	}
	const indent = "      "
	short := aligned(rows)
	out = append(out[:0], short[0])
	for k := 1; k < len(short); k++ {
		out = append(out, short[k], indent+below[k])
	}
	return out
}

// aligned are rows as lines, whose columns stand below each other.
func aligned(rows [][]string) []string {
	var text strings.Builder
	tw := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	tw.Flush() // to a Builder, which has no errors
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

// columns are those of the table.
func (r *Ranking) columns(opts TableOptions) []string {
	out := []string{"rank", "place", "function", "change"}
	// What was predicted before the tests ran says little of those that they let live.
	if r.Model != "" && (r.Suite == nil && (r.Drift == nil || !r.Drift.Foreign) || opts.Explain) {
		if slices.ContainsFunc(r.Mutants, func(m Ranked) bool { return !math.IsNaN(float64(m.PFault)) }) {
			out = append(out, "p(fault)") // a model of programs without a known fault has none
		}
		out = append(out, "p(kill)")
	}
	known := func(m Ranked) bool { return m.Trials != nil || m.Tests != nil || m.Example != nil || m.Alike > 0 }
	if r.Model != "" && opts.Explain || slices.ContainsFunc(r.Mutants, known) {
		out = append(out, "why")
	}
	return out
}

// dim and plain are what terminals take for less light, and as before.
const dim, plain = "\x1b[2m", "\x1b[0m"

func (m *Ranked) cells(columns []string, opts TableOptions) []string {
	var out []string
	for _, name := range columns {
		cell := ""
		switch name {
		case "rank":
			cell = strconv.Itoa(m.Rank)
		case "place":
			cell = fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column)
		case "function":
			cell = m.Function
		case "change":
			cell = ChangeText(m.Original, m.Replacement)
		case "p(fault)":
			cell = m.PFault.String()
		case "p(kill)":
			cell = m.PKill.String()
		case "why":
			cell = m.why(opts)
		}
		out = append(out, cell)
	}
	return out
}

// why says what is known beside the probabilities. It is the last column: what colours it
// takes no room.
func (m *Ranked) why(opts TableOptions) string {
	var text string
	alike := m.Alike
	switch {
	case opts.Explain:
		text = why(m.Reasons)
	case m.Tests != nil:
		seen := *m.Tests
		if seen.Told == "" && m.Example != nil {
			seen.Told = m.Example.String()
		}
		text = seen.far()
		if m.Tests.Reached == 0 && alike > 0 {
			text += fmt.Sprintf(", nor %d more of the function", alike)
			alike = 0
		}
		switch {
		case seen.Told != "":
			text += "; " + seen.Told
		case m.NotTold || m.Uncalled:
			text += "; " + m.noInput()
		case m.Trials != nil && m.Trials.Shown > 0:
			text += "; " + m.Trials.short()
		}
	case m.Example != nil && m.Uncalled:
		text = m.Example.String() + "; " + m.noInput()
	case m.Example != nil:
		text = m.Example.String()
	case m.NotTold || m.Uncalled:
		text = m.noInput()
	default:
		text = m.Trials.String()
	}
	if alike > 0 {
		text += fmt.Sprintf("; +%d alike", alike)
	}
	if opts.Colour {
		return dim + text + plain
	}
	return text
}

// noInput is said of a mutant for which inputs were looked for in vain.
func (m *Ranked) noInput() string {
	if m.Uncalled {
		return "nothing that main calls has it"
	}
	if m.NotReached {
		return "no input found that reaches it"
	}
	return "no input found that tells it"
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
