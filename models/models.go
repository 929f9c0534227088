// Package models is a trained model as data: two ensembles, the card that says
// where they come from, and the folder that holds them.
//
// # The folder
//
//	fault.txt   LightGBM text: the probability that a mutant is fault-revealing
//	kill.txt    LightGBM text: the probability that a mutant is killable
//	card.json   the Card, for programs
//	README.md   the same, for people
//
// The card holds the SHA-256 of both ensembles and the names and hash of the
// feature table they read. Load refuses a folder whose files are not those of its
// card, and CheckSchema refuses a feature table that is not the one the model
// learned from: a score from the wrong columns looks like any other.
//
// Package models/tree is the ensemble, models/lightgbm its text form and
// models/released the models that ship. Nothing here learns.
package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Ensemble is a model: package tree says how it scores and explains.
type Ensemble = tree.Ensemble

// Bundle is what is released together.
type Bundle struct {
	Card Card
	// Fault predicts the probability that a mutant is fault-revealing, Kill that
	// it is killable. Both read the features that Card.Features names.
	Fault, Kill *Ensemble
}

// ErrDamaged is wrapped by errors for folders whose files are missing,
// truncated or not those of the card.
var ErrDamaged = errors.New("the model is damaged")

// ErrSchema is wrapped by every SchemaError.
var ErrSchema = errors.New("the model was trained on other features")

// SchemaError says how a feature table differs from the one a model reads.
type SchemaError struct {
	Model string
	// WantHash and GotHash are the schema hashes of the model and of the table.
	WantHash, GotHash string
	// Differences describes the first columns that differ. It is empty when the
	// names agree and only the hash, hence the meaning of a column, differs.
	Differences []string
	// More is the number of differences left out.
	More int
}

// Error names the first differing columns and says what to do.
func (e *SchemaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model %q: %v: ", e.Model, ErrSchema)
	if len(e.Differences) == 0 {
		fmt.Fprintf(&b, "the columns have the same names but schema %s, the model wants %s", e.GotHash, e.WantHash)
	} else {
		b.WriteString(strings.Join(e.Differences, "; "))
		if e.More > 0 {
			fmt.Fprintf(&b, "; and %d more", e.More)
		}
	}
	b.WriteString(" (compute the features with the version of winnow that trained the model, or take a model trained for this version)")
	return b.String()
}

// Unwrap returns ErrSchema.
func (e *SchemaError) Unwrap() error { return ErrSchema }

// differencesShown bounds the columns that a SchemaError describes.
const differencesShown = 3

// CheckSchema compares a feature table, given by the hash of its schema and its
// column names, with the one that b was trained on. It returns nil or a
// *SchemaError.
func (b *Bundle) CheckSchema(hash string, names []string) error {
	want := b.Card.Features
	if hash == b.Card.Schema && slices.Equal(names, want) {
		return nil
	}
	e := &SchemaError{Model: b.Card.Name, WantHash: b.Card.Schema, GotHash: hash}
	for i := range max(len(names), len(want)) {
		var difference string
		switch {
		case i >= len(names):
			difference = fmt.Sprintf("column %d should be %q and is missing", i+1, want[i])
		case i >= len(want):
			difference = fmt.Sprintf("column %d, %q, is unknown to the model", i+1, names[i])
		case names[i] != want[i]:
			difference = fmt.Sprintf("column %d is %q and should be %q", i+1, names[i], want[i])
		default:
			continue
		}
		if len(e.Differences) < differencesShown {
			e.Differences = append(e.Differences, difference)
		} else {
			e.More++
		}
	}
	return e
}

// Validate checks that both ensembles are sound, predict probabilities and read
// the features of the card.
func (b *Bundle) Validate() error {
	if err := b.Card.validate(); err != nil {
		return err
	}
	for _, part := range b.parts() {
		if *part.ensemble == nil {
			return fmt.Errorf("model %q: there is no %s", b.Card.Name, part.file)
		}
		if err := (*part.ensemble).Validate(); err != nil {
			return fmt.Errorf("model %q: %s: %w", b.Card.Name, part.file, err)
		}
		if (*part.ensemble).Objective != tree.Binary {
			return fmt.Errorf("model %q: %s does not predict a probability", b.Card.Name, part.file)
		}
		if !slices.Equal((*part.ensemble).Names(), b.Card.Features) {
			return fmt.Errorf("model %q: %s reads other features than the card names", b.Card.Name, part.file)
		}
	}
	return nil
}

// part is one ensemble of a bundle and the file it lives in.
type part struct {
	file     string
	ensemble **Ensemble
}

func (b *Bundle) parts() []part { return []part{{faultFile, &b.Fault}, {killFile, &b.Kill}} }
