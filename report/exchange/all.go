package exchange

import (
	"io"

	"github.com/winnow-mutants/winnow/report/findings"
)

// Format is one way to write findings.
type Format struct {
	Name string // of the flag
	Doc  string // what it is, for the flag's help
	// Write is the same bytes for the same findings.
	Write func(io.Writer, *findings.Run) error
}

// All lists the formats.
func All() []Format {
	return []Format{
		{"elements", "a mutation testing report (JSON of mutation-testing-elements), with rank and probabilities", Elements},
	}
}
