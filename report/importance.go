package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/evaluate"
)

// Importance is what features are worth to the models of one label, in the mean
// over the folds of a cross-validation.
type Importance struct {
	Label string `json:"label"`
	// Families are groups of features, Features those single ones with the most gain.
	Families []Worth `json:"families"`
	Features []Worth `json:"features"`
	// Published are the groups that FaRM's scores were published by, in their order;
	// nil where not all of its features were learnt from.
	Published []PublishedWorth `json:"published,omitempty"`
}

// PublishedWorth is what a group of FaRM's features is worth, here and as published.
type PublishedWorth struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Gain is that of Worth; Published the share of the score that Mart's shipped
	// model gives the group, NaN where there is none.
	Gain      evaluate.Number `json:"gain"`
	Published evaluate.Number `json:"published"`
}

// Worth is what one feature, or one family of them, is worth.
type Worth struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Gain is the share of the trees' gain that its splits bring, on the data that
	// were learnt from.
	Gain evaluate.Number `json:"gain"`
	// Loss is by how much of itself the loss on the programs held out grows when the
	// values are dealt out to other mutants, those of a family together.
	Loss evaluate.Number `json:"loss"`
}

// WriteImportance writes the families, the features that gain most, and FaRM's groups.
func WriteImportance(w io.Writer, list []*Importance) error {
	for _, i := range list {
		for _, part := range []struct {
			name string
			rows []Worth
		}{{"family", i.Families}, {"feature", i.Features}} {
			rows := [][]string{{i.Label + ", " + part.name, "columns", "gain %", "loss without +%"}}
			for _, r := range part.rows {
				rows = append(rows, []string{r.Name, fmt.Sprint(r.Columns), figure(100*r.Gain, 1), figure(100*r.Loss, 2)})
			}
			if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
				return err
			}
		}
		if i.Published == nil {
			continue
		}
		rows := [][]string{{i.Label + ", group of FaRM", "columns", "gain %", "published %"}}
		for _, r := range i.Published {
			rows = append(rows, []string{r.Name, fmt.Sprint(r.Columns), figure(100*r.Gain, 1), figure(100*r.Published, 1)})
		}
		if err := firstError(writeText(w, "\n"), writeColumns(w, rows)); err != nil {
			return err
		}
	}
	return nil
}
