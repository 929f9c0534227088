package campaign

import "errors"

// Kinds of errors for which the command has a hint.
var (
	// ErrTimeIsUp is a run that has used up its time; what is finished is kept.
	ErrTimeIsUp = errors.New("the time is up")
	// ErrUnfinished is a run that is to be merged and has not come to its end.
	ErrUnfinished = errors.New("a run is not finished")
	// ErrSelection is a file of mutants to run that cannot be read, or names none.
	ErrSelection = errors.New("no selection of mutants")
	// ErrOtherMutants is a selection of which the program has no mutant.
	ErrOtherMutants = errors.New("the mutants are not those of the program")
)
