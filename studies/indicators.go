package studies

import (
	"context"
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/experiment/indicator"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report"
)

// indicators measures how many mutants are good ones by each of the
// indicators, and whether the indicators agree.
var indicators = Study{
	Name:     "indicators",
	Title:    "Mutant quality indicators",
	Question: "How many mutants are good ones by each indicator, do the indicators agree, and which types of mutants and of faults do they favour?",
	Source:   "T. Titcheu Chekam, dissertation, chapter 5",
	Run:      runIndicators,
}

// quality is one indicator.
type quality struct {
	name string
	// members are the positions of the good mutants among those of killing
	// sets kills; infects is nil unless infections says that it is needed.
	members    func(kills, infects []matrix.Bits, reveals matrix.Bits) []int
	infections bool
	// mutants, percent and perProgram are published (table 5.2).
	mutants, percent, perProgram float64
}

func qualities() []quality {
	nan := math.NaN()
	revealing := func(percent int) func(kills, _ []matrix.Bits, reveals matrix.Bits) []int {
		return func(kills, _ []matrix.Bits, reveals matrix.Bits) []int {
			return where(kills, func(m int) bool { return indicator.FaultRevealing(kills[m], reveals, percent) })
		}
	}
	hard := func(thousandths int) func(kills, _ []matrix.Bits, _ matrix.Bits) []int {
		return func(kills, _ []matrix.Bits, _ matrix.Bits) []int {
			return where(kills, func(m int) bool { return indicator.Hard(kills[m], thousandths) })
		}
	}
	propagate := func(percent int) func(kills, infects []matrix.Bits, _ matrix.Bits) []int {
		return func(kills, infects []matrix.Bits, _ matrix.Bits) []int {
			return where(kills, func(m int) bool { return indicator.HardToPropagate(kills[m], infects[m], percent) })
		}
	}
	set := func(of func([]matrix.Bits) []int) func(kills, _ []matrix.Bits, _ matrix.Bits) []int {
		return func(kills, _ []matrix.Bits, _ matrix.Bits) []int { return of(kills) }
	}
	return []quality{
		{name: "FR-1.0", members: revealing(100), mutants: 44221, percent: 3, perProgram: 27},
		{name: "FR-0.9", members: revealing(90), mutants: 65809, percent: 4, perProgram: 40},
		{name: "subsuming", members: set(indicator.Subsuming), mutants: 98709, percent: 6, perProgram: 61},
		{name: "Hard-0.050", members: hard(50), mutants: 111442, percent: 7, perProgram: 68},
		{name: "Hard-0.025", members: hard(25), mutants: 45286, percent: 3, perProgram: 28},
		{name: "HardP-0.25", members: propagate(25), infections: true, mutants: 325158, percent: 21, perProgram: 200},
		{name: "HardP-0.10", members: propagate(10), infections: true, mutants: 137864, percent: 9, perProgram: 85},
		{name: "non-duplicated", members: set(indicator.NonDuplicated), mutants: 321822, percent: 21, perProgram: 80},
		{name: "one per class", members: set(indicator.Representatives), mutants: nan, percent: nan, perProgram: nan},
		{name: "disjoint", members: set(indicator.Disjoint), mutants: 20182, percent: 1, perProgram: 12},
		{name: "minimal", members: set(indicator.Dominators), mutants: 20182, percent: 1, perProgram: 12},
	}
}

func where(kills []matrix.Bits, is func(m int) bool) []int {
	var out []int
	for m := range kills {
		if is(m) {
			out = append(out, m)
		}
	}
	return out
}

// census is who is good among the mutants of one subject.
type census struct {
	class     string
	operators []string
	killable  matrix.Bits
	good      []matrix.Bits // by quality; of length 0 where not computed
	left      int           // mutants left out: a verdict is not known
}

func runIndicators(ctx context.Context, m *Material) (*report.Answer, error) {
	r := &report.Answer{Notes: []string{
		"The population is the mutants that a test of the pool kills and of which every verdict is known. Thresholds are compared in integers: one test of twenty is exactly 5 %.",
		"Hard-0.050 and Hard-0.025 need pools of at least 20 and 40 tests to hold any mutant: in a smaller pool one killing test is already more.",
		"The published number of non-duplicated mutants per program, 80, does not agree with the published total, which makes 198.",
		"The types of the source are of its own tool; here they are the operator families.",
	}}
	list := qualities()
	infections := true
	for i := range m.Faulty {
		infections = infections && m.Faulty[i].Infected != nil
	}
	if !infections {
		r.Missing = append(r.Missing, "HardP-0.25 and HardP-0.10: the history does not hold which tests infect mutants (docs/formats/cover.md).")
	}
	all, err := parallel.Map(ctx, m.Workers, m.Faulty, func(_ context.Context, i int, _ subject.Subject) (census, error) {
		return take(&m.Faulty[i], list, infections), nil
	})
	if err != nil {
		return nil, err
	}
	left, small := 0, 0
	for i, c := range all {
		left += c.left
		if m.Faulty[i].Tests() < 40 {
			small++
		}
	}
	if left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d mutants are left out: a verdict is not known.", left))
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%d of %d pools have fewer than 40 tests.", small, len(all)))
	r.Tables = append(r.Tables, prevalence(all, list), overlaps(all, list), relations(all, list), byType(all, list))
	r.Figures = append(r.Figures, prevalenceFigure(r.Tables[0]), typeFigure(r.Tables[3]))
	classes, missing := byClass(all)
	r.Missing = append(r.Missing, missing...)
	r.Tables = append(r.Tables, classes...)
	return r, nil
}

// take counts one subject.
func take(s *subject.Subject, list []quality, infections bool) census {
	c := census{class: s.Class}
	var kills, infects []matrix.Bits
	for i := range s.Mutants {
		if s.Unknown != nil && !s.Unknown[i].Empty() {
			c.left++
			continue
		}
		kills = append(kills, s.Kills[i])
		c.operators = append(c.operators, s.Mutants[i].Operator)
		if infections {
			infects = append(infects, s.Infected[i])
		}
	}
	c.killable = matrix.BitsOf(len(kills), where(kills, func(m int) bool { return indicator.Killable(kills[m]) })...)
	for _, q := range list {
		if q.infections && !infections {
			c.good = append(c.good, matrix.Bits{})
			continue
		}
		c.good = append(c.good, matrix.BitsOf(len(kills), q.members(kills, infects, s.Reveals)...))
	}
	return c
}

// prevalence is table 5.2.
func prevalence(all []census, list []quality) report.Table {
	t := report.Table{Name: "prevalence", Title: "Good mutants by each indicator: their number, percent of the killable ones, and per program", Keys: []string{"indicator"}, Columns: []report.Column{
		{Name: "mutants", Origin: report.Measured}, {Name: "percent", Origin: report.Measured, Decimals: 1}, {Name: "per program", Origin: report.Measured, Decimals: 1},
		{Name: "mutants", Origin: report.Published}, {Name: "percent", Origin: report.Published}, {Name: "per program", Origin: report.Published},
	}}
	killable := 0
	for _, c := range all {
		killable += c.killable.Count()
	}
	nan := number.Float(math.NaN())
	t.Add([]string{"killable"}, number.Float(killable), 100, number.Float(float64(killable)/float64(len(all))), nan, nan, nan)
	for q := range list {
		n, known := total(all, q)
		values := []number.Float{nan, nan, nan}
		if known {
			values = []number.Float{n, percent(n, number.Float(killable)), n / number.Float(len(all))}
		}
		t.Add([]string{list[q].name}, append(values, number.Float(list[q].mutants), number.Float(list[q].percent), number.Float(list[q].perProgram))...)
	}
	return t
}

// total counts the good mutants; known is false where the indicator was not
// computed.
func total(all []census, q int) (n number.Float, known bool) {
	for _, c := range all {
		if c.good[q].Len() != c.killable.Len() {
			return 0, false
		}
		n += number.Float(c.good[q].Count())
	}
	return n, true
}

func both(all []census, a, b int) number.Float {
	n := 0
	for _, c := range all {
		n += c.good[a].CountAnd(c.good[b])
	}
	return number.Float(n)
}

// percent is undefined where the whole is nothing.
func percent(part, whole number.Float) number.Float {
	if whole == 0 {
		return number.Float(math.NaN())
	}
	return 100 * part / whole
}

// overlaps is, of the mutants that are good by the row's indicator, the percent
// that are so by the column's.
func overlaps(all []census, list []quality) report.Table {
	t := report.Table{Name: "overlap", Title: "Of the mutants that are good by the row's indicator, percent that are good by the column's too", Keys: []string{"of"}}
	for _, q := range list {
		t.Columns = append(t.Columns, report.Column{Name: q.name, Origin: report.Measured, Decimals: 0})
	}
	for a := range list {
		var values []number.Float
		whole, known := total(all, a)
		for b := range list {
			value := number.Float(math.NaN())
			if _, other := total(all, b); known && other {
				value = percent(both(all, a, b), whole)
			}
			values = append(values, value)
		}
		t.Add([]string{list[a].name}, values...)
	}
	return t
}

// publishedRelations are the overlaps printed in section 5.4.2, percent of the
// first that are also the second. "About zero" is 0.
var publishedRelations = []struct {
	of, also string
	percent  number.Float
}{
	{"FR-1.0", "subsuming", 39}, {"FR-0.9", "subsuming", 27}, {"subsuming", "FR-1.0", 17}, {"subsuming", "FR-0.9", 18},
	{"FR-1.0", "Hard-0.050", 42}, {"FR-0.9", "Hard-0.050", 29}, {"Hard-0.050", "FR-1.0", 16}, {"Hard-0.050", "FR-0.9", 17},
	{"FR-1.0", "Hard-0.025", 18}, {"FR-0.9", "Hard-0.025", 12}, {"Hard-0.025", "FR-1.0", 18}, {"Hard-0.025", "FR-0.9", 18},
	{"FR-1.0", "HardP-0.25", 6}, {"FR-0.9", "HardP-0.25", 7}, {"HardP-0.25", "FR-1.0", 1}, {"HardP-0.25", "FR-0.9", 1},
	{"FR-1.0", "HardP-0.10", 1}, {"FR-0.9", "HardP-0.10", 1}, {"HardP-0.10", "FR-1.0", 0}, {"HardP-0.10", "FR-0.9", 1},
	{"subsuming", "Hard-0.050", 60}, {"subsuming", "Hard-0.025", 38}, {"Hard-0.050", "subsuming", 53}, {"Hard-0.025", "subsuming", 83},
	{"subsuming", "HardP-0.25", 4}, {"subsuming", "HardP-0.10", 1}, {"HardP-0.25", "subsuming", 1}, {"HardP-0.10", "subsuming", 1},
}

// relations sets the overlaps beside the published ones.
func relations(all []census, list []quality) report.Table {
	t := report.Table{Name: "relations", Title: "Overlaps beside those of the source (percent)", Keys: []string{"of", "also"}, Columns: []report.Column{
		{Name: "percent", Origin: report.Measured, Decimals: 0}, {Name: "percent", Origin: report.Published, Decimals: 0}}}
	at := map[string]int{}
	for q := range list {
		at[list[q].name] = q
	}
	for _, p := range publishedRelations {
		a, b := at[p.of], at[p.also]
		value := number.Float(math.NaN())
		whole, known := total(all, a)
		if _, other := total(all, b); known && other {
			value = percent(both(all, a, b), whole)
		}
		t.Add([]string{p.of, p.also}, value, p.percent)
	}
	return t
}
