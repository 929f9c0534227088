package studies

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/report"
)

// byType is, for each operator family, what part of its killable mutants is
// good (rate) and what part of the good ones it makes (share).
func byType(all []census, list []quality) report.Table {
	t := report.Table{Name: "by-operator", Title: "Good mutants by operator family: percent of the family's killable mutants (rate), and of all good ones (share)", Keys: []string{"operator"},
		Columns: []report.Column{{Name: "killable", Origin: report.Measured}}}
	var computed []int
	for q := range list {
		if n, known := total(all, q); known && n > 0 {
			computed = append(computed, q)
			t.Columns = append(t.Columns, report.Column{Name: list[q].name + " rate", Origin: report.Measured, Decimals: 1}, report.Column{Name: list[q].name + " share", Origin: report.Measured, Decimals: 1})
		}
	}
	killable := map[string]int{}
	good := map[string][]int{}
	for _, c := range all {
		for m := range c.killable.All() {
			operator := c.operators[m]
			if good[operator] == nil {
				good[operator] = make([]int, len(list))
			}
			killable[operator]++
			for _, q := range computed {
				if c.good[q].Get(m) {
					good[operator][q]++
				}
			}
		}
	}
	for _, operator := range slices.Sorted(maps.Keys(killable)) {
		values := []number.Float{number.Float(killable[operator])}
		for _, q := range computed {
			n, _ := total(all, q)
			values = append(values, percent(number.Float(good[operator][q]), number.Float(killable[operator])), percent(number.Float(good[operator][q]), n))
		}
		t.Add([]string{operator}, values...)
	}
	return t
}

// smallClass is the number of faults below which the source leaves a class
// out.
const smallClass = 10

// byClass is, for each class of faults, the faults without a fault-revealing
// mutant, and which operators reveal its faults.
func byClass(all []census) (tables []report.Table, missing []string) {
	faults, without, of := map[string]int{}, map[string]int{}, map[string]map[string]int{}
	allWithout := 0
	operators := map[string]bool{}
	for _, c := range all {
		revealing := map[string]bool{}
		for m := range c.good[0].All() { // FR-1.0
			revealing[c.operators[m]] = true
			operators[c.operators[m]] = true
		}
		faults[c.class]++
		if of[c.class] == nil {
			of[c.class] = map[string]int{}
		}
		for operator := range revealing {
			of[c.class][operator]++
		}
		if len(revealing) == 0 {
			without[c.class]++
			allWithout++
		}
	}
	classes := report.Table{Name: "by-fault-class", Title: "Faults that no mutant reveals (no mutant is FR-1.0), by class of fault", Keys: []string{"class"}, Columns: []report.Column{
		{Name: "faults", Origin: report.Measured}, {Name: "without", Origin: report.Measured}, {Name: "percent", Origin: report.Measured, Decimals: 1}, {Name: "percent", Origin: report.Published, Decimals: 1}}}
	// 462 of 1,629 (section 5.4.4).
	classes.Add([]string{"all"}, number.Float(len(all)), number.Float(allWithout), percent(number.Float(allWithout), number.Float(len(all))), 100*462.0/1629)
	if faults[""] == len(all) {
		return []report.Table{classes}, []string{"Figures by class of fault: the history does not name the classes; give the benchmark's own list of classes."}
	}
	spread := report.Table{Name: "class-by-operator", Title: fmt.Sprintf("Percent of the faults of a class for which an operator family makes a fault-revealing mutant (classes of %d faults or more)", smallClass), Keys: []string{"class"}}
	sorted := slices.Sorted(maps.Keys(operators))
	for _, operator := range sorted {
		spread.Columns = append(spread.Columns, report.Column{Name: operator, Origin: report.Measured})
	}
	for _, class := range slices.Sorted(maps.Keys(faults)) {
		n := number.Float(faults[class])
		name := class
		if name == "" {
			name = "unknown"
		}
		classes.Add([]string{name}, n, number.Float(without[class]), percent(number.Float(without[class]), n), number.Float(math.NaN()))
		if faults[class] < smallClass || class == "" {
			continue
		}
		var values []number.Float
		for _, operator := range sorted {
			values = append(values, percent(number.Float(of[class][operator]), n))
		}
		spread.Add([]string{class}, values...)
	}
	if len(spread.Rows) == 0 {
		missing = append(missing, fmt.Sprintf("Operators by class of fault: no class has %d faults in this history.", smallClass))
		return []report.Table{classes}, missing
	}
	return []report.Table{classes, spread}, missing
}

// prevalenceFigure draws the percentages of the table of prevalence.
func prevalenceFigure(t report.Table) report.Figure {
	f := report.Figure{Name: "prevalence", Title: t.Title, Y: "% of killable mutants", Kind: report.Bars,
		Series: []report.Series{{Name: "measured", Origin: report.Measured}, {Name: "published", Origin: report.Published}}}
	for _, row := range t.Rows[1:] { // all but the killable themselves
		f.Labels = append(f.Labels, row.Keys[0])
		f.Series[0].Y = append(f.Series[0].Y, row.Values[1])
		f.Series[1].Y = append(f.Series[1].Y, row.Values[4])
	}
	return f
}

// typeFigure draws the rates by operator family.
func typeFigure(t report.Table) report.Figure {
	f := report.Figure{Name: "rates-by-operator", Title: "Good mutants by operator family", Y: "% of the family's killable mutants", Kind: report.Bars}
	for _, row := range t.Rows {
		f.Labels = append(f.Labels, row.Keys[0])
	}
	drawn := map[string]bool{"FR-1.0 rate": true, "subsuming rate": true, "Hard-0.050 rate": true, "HardP-0.25 rate": true}
	for c, column := range t.Columns {
		if !drawn[column.Name] {
			continue
		}
		s := report.Series{Name: column.Name, Origin: column.Origin}
		for _, row := range t.Rows {
			s.Y = append(s.Y, row.Values[c])
		}
		f.Series = append(f.Series, s)
	}
	return f
}
