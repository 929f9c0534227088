package importer

import "errors"

// Kinds of errors for which the command has a hint.
var (
	// ErrLeft is a renewal that had to leave subjects as they were.
	ErrLeft = errors.New("subjects were left as they were")
	// ErrNoneMade is a report of whose mutants winnow makes none.
	ErrNoneMade = errors.New("winnow makes none of the mutants")
	// ErrNoRuns is a history to renew that has no finished run.
	ErrNoRuns = errors.New("the history has no finished run")
)
