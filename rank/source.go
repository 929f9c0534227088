package rank

import (
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// Source is mutants to be ranked. They are known by their places, from 0, in the order of
// their selectors.
type Source interface {
	// Head is what a ranking says of the program as a whole.
	Head() (report.Ranking, error)
	// Scores are what strategies read of the mutants, without any score yet.
	Scores() []predict.Score
	// Mutant is what a ranking shows of the mutant at a place, but for its rank and its
	// probabilities.
	Mutant(place int) report.Ranked
	// Features opens what models read of the mutants. Where none are known the error is a
	// TableError of the problem NoFeatures.
	Features() (Features, error)
	// Tested says whether there are tests, and Observe what they make of the original
	// program, on which they are run: after the features are read.
	Tested() bool
	Observe() (*Observed, error)
	// Kills opens what tests were seen to do with the mutants; nil where they were not run on
	// any.
	Kills() (*kill.Matrix, error)
	// Proofs are what is known of mutants that were run, beside that: a subject of that alone.
	Proofs() (*dataset.Subject, error)
	// Warnings say, when the features are read, which of them could not be computed.
	Warnings() []string
}

// Features are rows of features, one a mutant in the order of the places, in groups that
// are read one at a time.
type Features interface {
	// Schema has the id first, and every feature that there is.
	Schema() table.Schema
	// Groups chooses the columns to read.
	Groups(columns ...string) (Groups, error)
	Close() error
}

// Groups are groups of rows, to be read in any order and by several goroutines.
type Groups interface {
	Len() int
	// Rows is how many rows a group has.
	Rows(group int) int
	Read(group int) (*table.Table, error)
}

// Observed is what runs of the original on a program's tests told.
type Observed struct {
	Dynamic *features.Dynamic
	// Seconds is how long it would take to run each mutant, by id: as long as the
	// original took on the tests that infect it. Mutants that a map lacks cost
	// nothing, for no test could tell them from the original.
	Seconds map[string]float64
}
