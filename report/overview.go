package report

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// Overview says what the tests of a run cover by each criterion that was measured, which
// mutants stand for all that are killed, and where the time went.
type Overview struct {
	Program     string       `json:"program"`
	Fault       string       `json:"fault,omitempty"`
	Tests       int          `json:"tests"`
	Coverage    []Coverage   `json:"coverage"`
	Subsumption *Subsumption `json:"subsumption"`
	Time        Time         `json:"time"`
	matrices    []*criterion.Matrix
}

// Coverage is one criterion by one tool.
type Coverage struct {
	Criterion string `json:"criterion"`
	Tool      string `json:"tool"`
	criterion.Score
	// Share is covered over what is decided; nil where nothing is: no score.
	Share *float64 `json:"share"`
	// Unmeasured are the tests of which nothing is known, Uncovered the elements that no test
	// covers.
	Unmeasured []string `json:"unmeasured,omitempty"`
	Uncovered  []string `json:"uncovered,omitempty"`
	// Failed says why the tool failed; "" where it did not.
	Failed string `json:"failed,omitempty"`
	// stretches are Uncovered with neighbours as one.
	stretches []string
}

// Time is how long the stages of a run took, one after the other.
type Time struct {
	Seconds float64         `json:"seconds"`
	Stages  []dataset.Stage `json:"stages"`
}

// NewOverview makes the overview of a run with mutants and kills.
func NewOverview(s *dataset.Subject) (*Overview, error) {
	out := &Overview{Program: s.Manifest.Program, Fault: s.Manifest.Fault}
	var err error
	if out.Coverage, out.matrices, err = CoverageOfRun(s); err != nil {
		return nil, err
	}
	out.Tests = len(s.Kills.Tests())
	if out.Subsumption, err = newSubsumption(s); err != nil {
		return nil, err
	}
	out.Time.Stages = s.Manifest.Stages
	for _, stage := range s.Manifest.Stages {
		out.Time.Seconds += stage.Seconds
	}
	return out, nil
}

// CoverageOfRun are the criteria that a run with mutants and kills measured, winnow's own first, and
// the matrices that they sum up.
func CoverageOfRun(s *dataset.Subject) ([]Coverage, []*criterion.Matrix, error) {
	own, err := s.OwnCriteria()
	if err != nil {
		return nil, nil, err
	}
	matrices := append(own, s.Criteria...)
	var out []Coverage
	for _, m := range matrices {
		out = append(out, CoverageOf(m))
	}
	return out, matrices, nil
}

// CoverageOf sums a matrix up.
func CoverageOf(m *criterion.Matrix) Coverage {
	c := Coverage{Criterion: m.Criterion, Tool: m.Tool, Score: m.Score(), Failed: m.Failed}
	if share := c.Score.Share(); share == share {
		c.Share = &share
	}
	first := -1 // where a stretch begins
	for e, name := range m.Elements {
		if !m.Covering(e).Empty() || !m.Open(e).Empty() {
			first = -1
			continue
		}
		c.Uncovered = append(c.Uncovered, name)
		if first < 0 || !sameFile(m.Elements[first], name) {
			first = e
			c.stretches = append(c.stretches, name)
			continue
		}
		c.stretches[len(c.stretches)-1] = m.Elements[first] + "-" + lineOf(name)
	}
	if m.Failed != "" {
		return c
	}
	for t, name := range m.Tests {
		known := len(m.Elements) == 0
		for e := range m.Elements {
			known = known || !m.Open(e).Get(t)
		}
		if !known {
			c.Unmeasured = append(c.Unmeasured, name)
		}
	}
	return c
}

// Matrices are the criteria matrices, in the order of Coverage.
func (o *Overview) Matrices() []*criterion.Matrix { return o.matrices }

// WriteText writes the overview for a terminal.
func (o *Overview) WriteText(w io.Writer) error {
	name := o.Program
	if o.Fault != "" {
		name += "/" + o.Fault
	}
	verb := "cover"
	if o.Tests == 1 {
		verb = "covers"
	}
	_, err := fmt.Fprintf(w, "%s: what its %s %s\n\n", name, Tests(o.Tests), verb)
	return errors.Join(err, WriteCoverage(w, o.Coverage), o.Subsumption.writeText(w), o.Time.writeText(w))
}

// WriteCoverage writes criteria as a table, and below it the lines and functions that no test
// runs, and what went wrong.
func WriteCoverage(w io.Writer, all []Coverage) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "criterion\tmeasured by\tthere are\tcovered\tnot covered\tnot known\tshare covered")
	for _, c := range all {
		if c.Failed != "" {
			fmt.Fprintf(tw, "%s\t%s\t–\t–\t–\t–\t–\n", c.Criterion, c.Tool)
			continue
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", c.Criterion, c.Tool, c.Elements, c.Covered, c.NotCovered(), c.Undecided, c.Percent())
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("writing the coverage: %w", err)
	}
	for _, line := range Remarks(all, true) {
		fmt.Fprintln(w, line)
	}
	return nil
}

// NotCovered is how many elements no test covers, as is known.
func (c *Coverage) NotCovered() int { return c.Elements - c.Covered - c.Undecided }

// Percent is the covered share of what is decided, for people; "–" where nothing is.
func (c *Coverage) Percent() string { return share(c.Covered, c.Elements-c.Undecided) }

// Remarks say what a table of criteria does not: how it is to be read, what went wrong and, where places is set, the
// lines, functions and sides of branches that no test comes to. A tool that failed did so for all
// its criteria, and what one tool names is not named twice.
func Remarks(all []Coverage, places bool) []string {
	var out []string
	said := map[string]bool{}
	for i := range all {
		line, topic := all[i].remark()
		if line == "" && places {
			line, topic = all[i].uncovered()
		}
		if line != "" && !said[topic] {
			said[topic] = true
			out = append(out, line)
		}
	}
	return out
}

// mostPlaces bounds how many places or tests a line of text names.
const mostPlaces = 6

// remark says how a row of the table is to be read, or what went wrong with it, and what that is
// about; "" where there is nothing to say.
func (c *Coverage) remark() (line, topic string) {
	switch {
	case c.Failed != "":
		return fmt.Sprintf("%s failed, so that nothing is known of what it measures: %s", c.Tool, c.Failed), c.Tool
	case c.Tool == dataset.OwnTool && c.Criterion == criterion.Line:
		return "winnow counts the lines, statements and functions that hold a mutant of this run", c.Tool
	case len(c.Unmeasured) > 0 && c.Criterion == criterion.Line:
		return fmt.Sprintf("%s: nothing is known of %s, which did not end there as on the original: %s", c.Tool, Tests(len(c.Unmeasured)), few(c.Unmeasured)), c.Tool
	}
	return "", ""
}

// uncovered names what no test covers, in the same way.
func (c *Coverage) uncovered() (line, topic string) {
	switch {
	case len(c.Uncovered) > 0 && c.Criterion == criterion.Function && c.Tool != dataset.OwnTool:
		return fmt.Sprintf("functions that no test calls (%s): %s", c.Tool, few(c.Uncovered)), c.Criterion
	case len(c.Uncovered) > 0 && c.Criterion == criterion.Branch:
		return fmt.Sprintf("sides of branches that no test takes (%s): %s", c.Tool, few(c.Uncovered)), c.Criterion
	case len(c.Uncovered) > 0 && c.Criterion == criterion.Line && c.Tool != dataset.OwnTool:
		return fmt.Sprintf("lines that no test runs (%s): %s", c.Tool, few(c.stretches)), c.Criterion
	}
	return "", ""
}

// few are the first names of a list, and how many more there are.
func few(names []string) string {
	if len(names) <= mostPlaces {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostPlaces], ", "), len(names)-mostPlaces)
}

// lineOf is the line of an element that is a line, e.g. 7 of a.c:7.
func lineOf(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

func sameFile(a, b string) bool {
	return strings.TrimSuffix(a, lineOf(a)) == strings.TrimSuffix(b, lineOf(b))
}

func (t *Time) writeText(w io.Writer) error {
	fmt.Fprintf(w, "\nWhere the time went: %.1f s\n\n", t.Seconds)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "stage\tseconds\tshare")
	for _, s := range t.Stages {
		part := "–"
		if t.Seconds > 0 {
			part = fmt.Sprintf("%.1f%%", 100*s.Seconds/t.Seconds)
		}
		fmt.Fprintf(tw, "%s\t%.1f\t%s\n", s.Name, s.Seconds, part)
	}
	return tw.Flush()
}
