package train

import (
	"cmp"
	"fmt"
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
func Suspects(data *Data, limit float64, workers int) ([]Suspect, error) {
	if err := data.Validate(); err != nil {
		return nil, fmt.Errorf("looking for leaks: %w", err)
	}
	mean := meanLabel(data)
	found, failed := make([]float64, len(data.Columns)), make([]error, len(data.Columns))
	parallel(max(workers, 1), len(data.Columns), func(i int) {
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
	var order []int
	for r, x := range values {
		if x == x {
			order = append(order, r)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmpFloat(values[a], values[b]) })
	pairs, positives, negatives := 0.0, 0.0, 0.0
	for from := 0; from < len(order); {
		to, p := from, 0.0
		for ; to < len(order) && values[order[to]] == values[order[from]]; to++ {
			if labels[order[to]] > mean {
				p++
			}
		}
		n := float64(to-from) - p
		pairs += p * (negatives + n/2)
		positives, negatives = positives+p, negatives+n
		from = to
	}
	if positives < fewRows || negatives < fewRows {
		return 0.5
	}
	auc := pairs / (positives * negatives)
	return max(auc, 1-auc)
}
