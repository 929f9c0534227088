package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Explanation is what is known of one mutant: its features by family, and the
// line of C that they were read from.
type Explanation struct {
	ID, File, Function, Type, Original, Replacement string
	Line                                            int
	// Text is the line of C; "" where the source is not at hand.
	Text     string
	Families []ExplainedFamily
}

// ExplainedFamily is a family of features with its values.
type ExplainedFamily struct {
	Name     string
	Features []ExplainedFeature
}

// ExplainedFeature is one value and what it means.
type ExplainedFeature struct {
	Name, Unit, Doc string
	Value           float64 // NaN where it is missing
}

// WriteText prints an explanation for people. Zeros are left out, and counted.
func (e *Explanation) WriteText(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s:%d in %s: %s\n", e.ID, e.File, e.Line, e.Function, e.Type)
	if e.Text != "" {
		fmt.Fprintf(&b, "  %s\n", e.Text)
	}
	fmt.Fprintf(&b, "  %s → %s\n", e.Original, e.Replacement)
	for _, f := range e.Families {
		zeros := 0
		fmt.Fprintf(&b, "\n%s\n", f.Name)
		for _, c := range f.Features {
			if c.Value == 0 {
				zeros++
				continue
			}
			fmt.Fprintf(&b, "  %-36s %10s  %s\n", c.Name, valueText(c.Value), meaning(c))
		}
		if zeros > 0 {
			fmt.Fprintf(&b, "  (%d are 0)\n", zeros)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func valueText(x float64) string {
	if math.IsNaN(x) {
		return "missing"
	}
	return strconv.FormatFloat(x, 'g', 5, 64)
}

func meaning(c ExplainedFeature) string {
	if c.Unit == "" {
		return c.Doc
	}
	return c.Doc + " (" + c.Unit + ")"
}
