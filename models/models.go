// Package models is a trained model as data: its ensembles, the card that says
// where they come from, and the folder that holds them.
//
// # The folder
//
//	fault.txt   LightGBM text: the probability that a mutant is fault-revealing
//	kill.txt    LightGBM text: the probability that a mutant is killable
//	reveal.txt  LightGBM text: how likely analysing a mutant reveals a fault, as a
//	            probability, or as a score to rank by that the card's calibration
//	            makes a probability of (may be absent)
//	late.txt    LightGBM text: the probability that a mutant is killable if the first tests did not kill it (may be absent)
//	rank.txt    LightGBM text: a score to rank by, learnt from orders (may be absent)
//	survivor.txt
//	            LightGBM text: the probability that another test kills a mutant that the tests at hand
//	            let live, by columns of its own (may be absent)
//	sources.bin hashes of what the model learned from (may be absent)
//	card.json   the Card, for programs
//	README.md   the same, for people
//
// A file may be compressed instead: kill.txt.zst. The card holds the SHA-256 of the
// ensembles, as text, the names of the columns they
// read and a hash of what these columns mean. Load refuses a folder whose files
// are not those of its card. CheckSchema finds the columns in a feature table by
// name, so that a table may gain columns, and refuses a table that lacks one or
// means another thing by it: a score from the wrong columns looks like any other.
//
// Package models/tree is the ensemble, models/lightgbm its text form, models/released
// the models that ship and models/foreign those that other tools trained. Nothing here
// learns.
package models

import (
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Ensemble is a model: package tree says how it scores and explains.
type Ensemble = tree.Ensemble

// Bundle is what is released together.
type Bundle struct {
	Card Card
	// Fault predicts the probability that a mutant is fault-revealing, Kill that
	// it is killable. Both read the features that Card.Features names. Fault is nil of a
	// model that learned from programs of which no fault is known.
	Fault, Kill *Ensemble
	// Reveal predicts the probability that analysing a mutant reveals a fault: 0
	// for what nothing kills, else the share of its killing tests that do. Where it
	// is trained to rank, its calibration makes probabilities of its raw scores. Rank
	// gives a score whose order within a program is all it means. Either may be nil.
	Reveal, Rank *Ensemble
	// Late predicts that a mutant is killable, given that the tests a tester picks
	// first did not kill it. It may be nil.
	Late *Ensemble
	// Survivor predicts that another test kills a mutant that the tests at hand let live. It reads columns of its
	// own, of what these tests did (package experiment/survivor). It may be nil.
	Survivor *Ensemble
	// Foreign, where set, gives the scores in place of the ensembles, which then
	// explain them at most. Such a bundle is not saved, nor continued.
	Foreign *Foreign
	// Otherwise is the model to ask in the place of this one about a program that is more
	// like those that it learned from (Unlike). It may be nil, and is not saved.
	Otherwise *Bundle
}

// Foreign is models that other tools trained: the probabilities of rows of the card's
// features. Either may be nil.
type Foreign struct {
	Fault, Kill func(rows [][]float64) ([]float64, error)
}

// Calibration is how the probabilities of the ensemble in a file are corrected.
func (b *Bundle) Calibration(file string) Calibration { return b.Card.Calibrations[file] }

// ErrDamaged is wrapped by errors for folders whose files are missing,
// truncated or not those of the card.
var ErrDamaged = errors.New("the model is damaged")

// ErrSchema is wrapped by every SchemaError.
var ErrSchema = errors.New("the model was trained on other features")

// Validate checks that the ensembles are sound, predict probabilities (but Rank; Reveal
// by way of its calibration where it ranks) and read the features of the card (but Survivor).
func (b *Bundle) Validate() error {
	if err := b.Card.validate(); err != nil {
		return err
	}
	for _, part := range b.parts() {
		if *part.ensemble == nil && part.optional {
			continue
		}
		if *part.ensemble == nil {
			return fmt.Errorf("model %q: there is no %s", b.Card.Name, part.file)
		}
		if err := (*part.ensemble).Validate(); err != nil {
			return fmt.Errorf("model %q: %s: %w", b.Card.Name, part.file, err)
		}
		if err := b.checkLink(part); err != nil {
			return err
		}
		if !part.own && !slices.Equal((*part.ensemble).Names(), b.Card.Features) {
			return fmt.Errorf("model %q: %s reads other features than the card names", b.Card.Name, part.file)
		}
	}
	return nil
}

// checkLink reports an ensemble whose predictions are not what its file promises.
func (b *Bundle) checkLink(p part) error {
	objective, calibration := (*p.ensemble).Objective, b.Calibration(p.file)
	switch {
	case p.file == RankFile || objective == tree.Binary:
		return nil
	case p.file == RevealFile && objective == tree.Ranking:
		if calibration.ranks() {
			return nil
		}
		return fmt.Errorf("model %q: %s ranks, and the card has no calibration by a rising logistic curve that makes probabilities of its scores", b.Card.Name, p.file)
	}
	return fmt.Errorf("model %q: %s does not predict a probability", b.Card.Name, p.file)
}

// Part is an ensemble of a bundle, with the name of its file.
type Part struct {
	File     string
	Ensemble *Ensemble
}

// Parts are the ensembles that the bundle has.
func (b *Bundle) Parts() []Part {
	var out []Part
	for _, p := range b.parts() {
		if *p.ensemble != nil {
			out = append(out, Part{p.file, *p.ensemble})
		}
	}
	return out
}

// part is one ensemble of a bundle and the file it lives in.
type part struct {
	file     string
	ensemble **Ensemble
	optional bool
	own      bool // it reads columns of its own, and not the features of the card
}

func (b *Bundle) parts() []part {
	return []part{
		{file: FaultFile, ensemble: &b.Fault, optional: true}, {file: KillFile, ensemble: &b.Kill}, {file: RevealFile, ensemble: &b.Reveal, optional: true},
		{file: LateFile, ensemble: &b.Late, optional: true}, {file: RankFile, ensemble: &b.Rank, optional: true},
		{file: SurvivorFile, ensemble: &b.Survivor, optional: true, own: true},
	}
}
