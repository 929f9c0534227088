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
		{"sarif", "gaps as SARIF 2.1.0, for code scanning", SARIF},
		{"junit", "functions as test cases of JUnit, which fail when they have gaps", JUnit},
		{"gitlab", "gaps as a code quality report of GitLab", GitLab},
		{"markdown", "a summary in Markdown", Markdown},
		{"annotations", "the ten best gaps as annotations of GitHub Actions", GitHub},
	}
}
