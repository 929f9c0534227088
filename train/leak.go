package train

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
)

// Suspect is a column that alone tells the labels nearly without error.
type Suspect struct {
	Column string
	// AUC is that of the column's values for labels above their mean, turned so
	// that it is at least one half.
	AUC float64
}

// String says what to do.
func (s Suspect) String() string {
	return fmt.Sprintf("column %q alone has an AUC of %.3f: it may contain the label; if it was measured after the mutants ran, leave it out", s.Column, s.AUC)
}

// LeakAUC is the AUC from which a column is suspected. The best honest single
// columns stay well below: the published models' best reach 0.8.
const LeakAUC = 0.99

// Suspects returns the columns whose AUC reaches limit, highest first: an alarm
// for labels that found their way into the features. Rows without a value are left
// out, and a column is only judged with ten rows on either side.
// workers is the number of goroutines, 0 one per CPU.
func Suspects(data *Data, limit float64, workers int) ([]Suspect, error) {
	if err := data.Validate(); err != nil {
		return nil, fmt.Errorf("looking for leaks: %w", err)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	mean := meanLabel(data)
	found, failed := make([]float64, len(data.Columns)), make([]error, len(data.Columns))
	parallel(workers, len(data.Columns), func(i int) {
		c, err := data.column(i)
		if failed[i] = err; err == nil {
			found[i] = columnAUC(c.all(data.Rows()), data.Labels, mean)
		}
	})
	var out []Suspect
	for i, auc := range found {
		if failed[i] != nil {
			return nil, fmt.Errorf("looking for leaks: %w", failed[i])
		}
		if auc >= limit {
			out = append(out, Suspect{data.Names[i], auc})
		}
	}
	slices.SortStableFunc(out, func(a, b Suspect) int { return cmp.Compare(b.AUC, a.AUC) })
	return out, nil
}

// fewRows is the number of rows of either class below which an AUC means nothing.
const fewRows = 10

// columnAUC is the AUC of values, ties half, whichever way it points; 1/2 where
// there are too few rows to tell.
func columnAUC(values, labels []float64, mean float64) float64 {
	tallies := tallyFew(values, labels, mean)
	if tallies == nil {
		tallies = tallyMany(values, labels, mean)
	}
	pairs, positives, negatives := 0.0, 0.0, 0.0
	for _, t := range tallies {
		p, n := float64(t.positives), float64(t.negatives)
		pairs += p * (negatives + n/2)
		positives, negatives = positives+p, negatives+n
	}
	if positives < fewRows || negatives < fewRows {
		return 0.5
	}
	auc := pairs / (positives * negatives)
	return max(auc, 1-auc)
}

// classTally counts the rows of a value by whether their label is above the mean.
type classTally struct {
	value                float64
	positives, negatives int
}

func (t *classTally) add(positive bool) {
	if positive {
		t.positives++
	} else {
		t.negatives++
	}
}

// mostValues is the number of values up to which counting them is cheaper than
// sorting the rows. Most columns have far fewer.
const mostValues = 1 << 12

// tallyFew tallies values in ascending order; nil where there are too many.
func tallyFew(values, labels []float64, mean float64) []classTally {
	out := []classTally{}
	place := map[float64]int{}
	at := -1 // that of the row before: equal values come in runs
	for r, x := range values {
		if x != x {
			continue
		}
		if at < 0 || out[at].value != x {
			known := false
			if at, known = place[x]; !known {
				if len(out) == mostValues {
					return nil
				}
				at = len(out)
				place[x], out = at, append(out, classTally{value: x})
			}
		}
		out[at].add(labels[r] > mean)
	}
	slices.SortFunc(out, func(a, b classTally) int { return cmpFloat(a.value, b.value) })
	return out
}

// tallyMany tallies values in ascending order, after sorting the rows.
func tallyMany(values, labels []float64, mean float64) []classTally {
	var order []int
	for r, x := range values {
		if x == x {
			order = append(order, r)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmpFloat(values[a], values[b]) })
	out := []classTally{}
	for _, r := range order {
		if len(out) == 0 || out[len(out)-1].value != values[r] {
			out = append(out, classTally{value: values[r]})
		}
		out[len(out)-1].add(labels[r] > mean)
	}
	return out
}
