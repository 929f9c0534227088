package rank

import "fmt"

// NeedsTests is the error of a ranking that needs a run of the program's tests where
// there are none: for a budget or, where there is a name, for a model.
type NeedsTests struct{ Model string }

func (e *NeedsTests) Error() string {
	if e.Model == "" {
		return "a budget needs tests, to tell what a mutant costs"
	}
	return fmt.Sprintf("model %s reads what a run of the program's tests tells", e.Model)
}

// TableError is what is wrong with a table to rank from.
type TableError struct {
	Path    string
	Problem Problem
	Err     error
}

// Problem is a kind of TableError.
type Problem int

// The problems of tables.
const (
	// Unreadable is a table that cannot be read.
	Unreadable Problem = iota
	// NoFeatures is a table of features that is not there, and is needed.
	NoFeatures
	// OtherMutants is a table of features whose rows are not those of the mutants beside
	// it.
	OtherMutants
)

func (e *TableError) Error() string {
	if e.Problem == OtherMutants {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return e.Err.Error()
}

func (e *TableError) Unwrap() error { return e.Err }
