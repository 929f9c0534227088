package experiment

import "errors"

// Kinds of errors for which the command has a hint.
var (
	// ErrLearnedFrom is a history that has faults which the model learned from.
	ErrLearnedFrom = errors.New("the model learned from the history")
	// ErrUnprobed is a history without the probing runs that dynamic features are made of.
	ErrUnprobed = errors.New("the history has no probing runs")
	// ErrOtherFeatures is a learner that reads features which are not learnt from.
	ErrOtherFeatures = errors.New("the learner reads other features")
)
