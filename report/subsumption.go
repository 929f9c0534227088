package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/indicator"
	"github.com/winnow-mutants/winnow/matrix"
)

// Subsumption says which of the killed mutants stand for others. Mutants that the same tests
// kill are a class; a class subsumes another when every test that kills it kills the other, too; the
// classes that no other subsumes are minimal, and who kills one mutant of each of them kills
// all (Ammann, Delamaro and Offutt, "Establishing theoretical minimal sets of mutants",
// ICST 2014).
type Subsumption struct {
	// Killed mutants have a place among the classes; Undecided ones are killed, but were
	// not run on all tests, so that their classes are not known.
	Killed    int `json:"killed"`
	Undecided int `json:"undecided"`
	// Classes are ordered by place of their first mutants. Levels is how many classes the
	// longest chain has, each of which subsumes the next.
	Classes []SubsumptionClass `json:"classes"`
	Minimal int                `json:"minimal"`
	Levels  int                `json:"levels"`
}

// SubsumptionClass is a class of mutants that no test tells apart.
type SubsumptionClass struct {
	// Change is the class's first mutant, Alike the ids of the others.
	Change
	Alike []string `json:"alike,omitempty"`
	// Tests is how many tests kill it.
	Tests int `json:"tests"`
	// Minimal classes have none that subsumes them. Subsumes are the places, among the classes,
	// of those that it subsumes directly, and StandsFor counts the mutants of all that it subsumes.
	Minimal   bool  `json:"minimal"`
	Subsumes  []int `json:"subsumes,omitempty"`
	StandsFor int   `json:"stands_for"`
}

func newSubsumption(s *dataset.Subject) (*Subsumption, error) {
	rows := map[string]int{}
	for i, id := range s.Kills.Mutants() {
		rows[id] = i
	}
	var changes []Change
	for row := range s.Mutants.Rows() {
		if c := ChangeOf(s.Mutants, row); has(rows, c.ID) {
			changes = append(changes, c)
		}
	}
	slices.SortFunc(changes, ComparePlaces)
	out := &Subsumption{}
	kills := make([]matrix.Bits, len(changes))
	for i, c := range changes {
		row := rows[c.ID]
		kills[i] = s.Kills.Killed(row)
		switch {
		case kills[i].Empty():
		case s.Kills.Unknown(row).Empty():
			out.Killed++
		default:
			out.Undecided++
			kills[i] = matrix.NewBits(kills[i].Len())
		}
	}
	classes := indicator.Classes(kills)
	minimal := map[int]bool{} // by the first member
	for _, m := range indicator.Dominators(kills) {
		minimal[m] = true
	}
	out.Minimal = len(minimal)
	for i, to := range indicator.Graph(classes) {
		of := SubsumptionClass{Change: changes[classes[i].Members[0]], Tests: classes[i].Kill.Count(), Minimal: minimal[classes[i].Members[0]], Subsumes: to}
		for _, m := range classes[i].Members[1:] {
			of.Alike = append(of.Alike, changes[m].ID)
		}
		for j := range classes {
			if j != i && classes[i].Kill.IsSubset(classes[j].Kill) {
				of.StandsFor += len(classes[j].Members)
			}
		}
		out.Classes = append(out.Classes, of)
	}
	out.Levels = levels(out.Classes)
	return out, nil
}

func has(rows map[string]int, id string) bool {
	_, known := rows[id]
	return known
}

// levels is the length of the longest chain.
func levels(classes []SubsumptionClass) int {
	order := make([]int, len(classes)) // whoever subsumes another is killed by fewer tests
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(classes[b].Tests, classes[a].Tests) })
	longest := make([]int, len(classes))
	most := 0
	for _, i := range order {
		longest[i] = 1
		for _, j := range classes[i].Subsumes {
			longest[i] = max(longest[i], 1+longest[j])
		}
		most = max(most, longest[i])
	}
	return most
}

// mostMinimal is how many minimal mutants the text names.
const mostMinimal = 10

func (s *Subsumption) writeText(w io.Writer) error {
	if len(s.Classes) == 0 {
		fmt.Fprintln(w, "\nWhich mutants stand for others: of none is it known")
	} else if err := s.writeMinimal(w); err != nil {
		return err
	}
	if s.Undecided > 0 {
		is := "are"
		if s.Undecided == 1 {
			is = "is"
		}
		fmt.Fprintf(w, "%s %s left out: not run on all the tests that may kill it\n", counted(s.Undecided, "killed mutant"), is)
	}
	return nil
}

func (s *Subsumption) writeMinimal(w io.Writer) error {
	these := "this one"
	if s.Minimal > 1 {
		these = fmt.Sprintf("these %d", s.Minimal)
	}
	fmt.Fprintf(w, "\nWhich mutants stand for others: who kills %s kills all %d\n\n", these, s.Killed)
	var minimal []SubsumptionClass
	for _, c := range s.Classes {
		if c.Minimal {
			minimal = append(minimal, c)
		}
	}
	slices.SortStableFunc(minimal, func(a, b SubsumptionClass) int {
		return cmp.Or(cmp.Compare(b.StandsFor+len(b.Alike), a.StandsFor+len(a.Alike)), cmp.Compare(a.Tests, b.Tests))
	})
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "place\tmutant\tid\tkilled by\tkilling it kills")
	for _, c := range minimal[:min(len(minimal), mostMinimal)] {
		fmt.Fprintf(tw, "%s:%d\t%s\t%s\t%s\t%d more\n", c.File, c.Line, ChangeText(c.Original, c.Replacement), c.ID, Tests(c.Tests), c.StandsFor+len(c.Alike))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("writing the minimal mutants: %w", err)
	}
	if more := len(minimal) - mostMinimal; more > 0 {
		fmt.Fprintf(w, "… and %d more\n", more)
	}
	fmt.Fprintf(w, "The tests tell %s of mutants apart; the longest chain of groups, each of which stands for the next, has %d.\n", counted(len(s.Classes), "group"), s.Levels)
	return nil
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// WriteGraph writes the dynamic mutant subsumption graph in the language of Graphviz:
// a node a class, minimal ones with a double line, an edge to each that it subsumes directly.
func (s *Subsumption) WriteGraph(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph subsumption {\n  node [shape=box];")
	for i, c := range s.Classes {
		label := fmt.Sprintf("%s:%d\n%s", c.File, c.Line, ChangeText(c.Original, c.Replacement))
		if len(c.Alike) > 0 {
			label += fmt.Sprintf("\n+%d alike", len(c.Alike))
		}
		double := ""
		if c.Minimal {
			double = ", peripheries=2"
		}
		fmt.Fprintf(out, "  %d [label=%s, tooltip=%q%s];\n", i, dot(label+"\n"+Tests(c.Tests)), c.ID, double)
	}
	for i, c := range s.Classes {
		for _, j := range c.Subsumes {
			fmt.Fprintf(out, "  %d -> %d;\n", i, j)
		}
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// dot is a text as a string of Graphviz.
func dot(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
