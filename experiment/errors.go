package experiment

import "errors"

// Kinds of errors for which the command has a hint.
var (
	// ErrLearnedFrom is a history that has faults which the model learned from.
	ErrLearnedFrom = errors.New("the model learned from the history")
	// ErrUnprobed is a history without the probing runs that dynamic features are made of.
	ErrUnprobed = errors.New("the history has no probing runs")
	// ErrNoFault is a history without a fault to learn what faults are like.
	ErrNoFault = errors.New("no fault is known")
	// ErrOtherFeatures is a learner that reads features which are not learnt from.
	ErrOtherFeatures = errors.New("the learner reads other features")
)
