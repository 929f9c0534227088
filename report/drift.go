package report

import (
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/models"
)

// Drift is how far a program is from those that a model learned from. It is
// Foreign when that is more than Limit, above which a share of FalseAlarms of the
// model's own Programs are, each held against those of other problems.
type Drift struct {
	Foreign     bool    `json:"foreign"`
	Distance    float64 `json:"distance"`
	Limit       float64 `json:"limit"`
	FalseAlarms float64 `json:"false_alarms"`
	Programs    int     `json:"programs"`
	// Columns are the features that make most of the distance.
	Columns []string `json:"columns"`
}

// DriftOf compares the mutants to rank with those that a model learned from; nil
// where the card does not allow it. column gives the values of a feature of the
// card's, by its place there.
func DriftOf(bundle *models.Bundle, mutants int, column func(at int) []float64) *Drift {
	unlike := bundle.Unlike(models.NewProgram("", bundle.Card.Features, mutants, column))
	if unlike == nil {
		return nil
	}
	return &Drift{Foreign: unlike.Foreign(), Distance: unlike.Distance, Limit: unlike.Limit, FalseAlarms: unlike.FalseAlarms, Programs: unlike.Programs, Columns: unlike.Most()}
}

// Share is the distance as a share of the one up to which a program is familiar.
func (d *Drift) Share() float64 { return d.Distance / d.Limit }

// Warning says that the program is foreign to the model; "" when it is not, or
// when nothing is known of drift.
func (d *Drift) Warning(model string) string {
	if d == nil || !d.Foreign {
		return ""
	}
	return fmt.Sprintf("the program is unlike those that model %s learned from (distance %.2f, above %.2f like %.0f %% of these), most in %s: its probabilities may be off",
		model, d.Distance, d.Limit, 100*d.FalseAlarms, strings.Join(d.Columns, ", "))
}
