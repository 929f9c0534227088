// Package programtest chooses mutants for the tests of those who work with programs.
package programtest

import (
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
)

// Rules are mutants by the names of rules, e.g. "ROR,CRCR": for tests of what is done
// with mutants, and not of which there are.
func Rules(names string) program.Mutation {
	rules, err := rule.Lookup(names)
	if err != nil {
		panic(err) // a test names presets that exist
	}
	return program.Mutation{Rules: rules}
}
