package study

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/evaluate"
)

// byType is, for each operator family, what part of its killable mutants is
// good (rate) and what part of the good ones it makes (share).
func byType(all []census, list []quality) Table {
	t := Table{Name: "by-operator", Title: "Good mutants by operator family: percent of the family's killable mutants (rate), and of all good ones (share)", Keys: []string{"operator"},
		Columns: []Column{{Name: "killable", Origin: Measured}}}
	var computed []int
	for q := range list {
		if n, known := total(all, q); known && n > 0 {
			computed = append(computed, q)
			t.Columns = append(t.Columns, Column{Name: list[q].name + " rate", Origin: Measured, Decimals: 1}, Column{Name: list[q].name + " share", Origin: Measured, Decimals: 1})
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
		values := []evaluate.Number{evaluate.Number(killable[operator])}
		for _, q := range computed {
			n, _ := total(all, q)
			values = append(values, percent(evaluate.Number(good[operator][q]), evaluate.Number(killable[operator])), percent(evaluate.Number(good[operator][q]), n))
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
func byClass(all []census) (tables []Table, missing []string) {
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
	classes := Table{Name: "by-fault-class", Title: "Faults that no mutant reveals (no mutant is FR-1.0), by class of fault", Keys: []string{"class"}, Columns: []Column{
		{Name: "faults", Origin: Measured}, {Name: "without", Origin: Measured}, {Name: "percent", Origin: Measured, Decimals: 1}, {Name: "percent", Origin: Published, Decimals: 1}}}
	// 462 of 1,629 (section 5.4.4).
	classes.Add([]string{"all"}, evaluate.Number(len(all)), evaluate.Number(allWithout), percent(evaluate.Number(allWithout), evaluate.Number(len(all))), 100*462.0/1629)
	if faults[""] == len(all) {
		return []Table{classes}, []string{"Figures by class of fault: the history does not name the classes; give the benchmark's own list with --classes."}
	}
	spread := Table{Name: "class-by-operator", Title: fmt.Sprintf("Percent of the faults of a class for which an operator family makes a fault-revealing mutant (classes of %d faults or more)", smallClass), Keys: []string{"class"}}
	sorted := slices.Sorted(maps.Keys(operators))
	for _, operator := range sorted {
		spread.Columns = append(spread.Columns, Column{Name: operator, Origin: Measured})
	}
	for _, class := range slices.Sorted(maps.Keys(faults)) {
		n := evaluate.Number(faults[class])
		name := class
		if name == "" {
			name = "unknown"
		}
		classes.Add([]string{name}, n, evaluate.Number(without[class]), percent(evaluate.Number(without[class]), n), evaluate.Number(math.NaN()))
		if faults[class] < smallClass || class == "" {
			continue
		}
		var values []evaluate.Number
		for _, operator := range sorted {
			values = append(values, percent(evaluate.Number(of[class][operator]), n))
		}
		spread.Add([]string{class}, values...)
	}
	if len(spread.Rows) == 0 {
		missing = append(missing, fmt.Sprintf("Operators by class of fault: no class has %d faults in this history.", smallClass))
		return []Table{classes}, missing
	}
	return []Table{classes, spread}, missing
}

// prevalenceFigure draws the percentages of the table of prevalence.
func prevalenceFigure(t Table) Figure {
	f := Figure{Name: "prevalence", Title: t.Title, Y: "% of killable mutants", Kind: Bars,
		Series: []Series{{Name: "measured", Origin: Measured}, {Name: "published", Origin: Published}}}
	for _, row := range t.Rows[1:] { // all but the killable themselves
		f.Labels = append(f.Labels, row.Keys[0])
		f.Series[0].Y = append(f.Series[0].Y, row.Values[1])
		f.Series[1].Y = append(f.Series[1].Y, row.Values[4])
	}
	return f
}

// typeFigure draws the rates by operator family.
func typeFigure(t Table) Figure {
	f := Figure{Name: "rates-by-operator", Title: "Good mutants by operator family", Y: "% of the family's killable mutants", Kind: Bars}
	for _, row := range t.Rows {
		f.Labels = append(f.Labels, row.Keys[0])
	}
	drawn := map[string]bool{"FR-1.0 rate": true, "subsuming rate": true, "Hard-0.050 rate": true, "HardP-0.25 rate": true}
	for c, column := range t.Columns {
		if !drawn[column.Name] {
			continue
		}
		s := Series{Name: column.Name, Origin: column.Origin}
		for _, row := range t.Rows {
			s.Y = append(s.Y, row.Values[c])
		}
		f.Series = append(f.Series, s)
	}
	return f
}
