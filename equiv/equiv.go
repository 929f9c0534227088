// Package equiv is the vocabulary of evidence on equivalence: what is known
// about a mutant that no execution can show.
//
// A mutant that computes what the original does, or what another mutant does,
// costs runs and spoils every score. Each way to find such mutants is a package
// of its own below this one (equiv/tce asks the optimiser) and says what it
// found as Verdicts.
package equiv

import "fmt"

// Kind is what the evidence says of a mutant.
type Kind uint8

const (
	// Distinct: the evidence ties the mutant neither to the original nor to
	// another mutant. It is no proof that they differ.
	Distinct Kind = iota
	// Equivalent: the mutant computes what the original computes.
	Equivalent
	// Duplicate: the mutant computes what an earlier mutant computes.
	Duplicate
	// Invalid: the mutant is no program: LLVM's verifier refuses it. That is a
	// fault of the operator which made it.
	Invalid
)

var kindNames = [...]string{Distinct: "distinct", Equivalent: "equivalent", Duplicate: "duplicate", Invalid: "invalid"}

// String is the kind in lower case, as it stands in tables.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

// Verdict is what one piece of evidence says of one mutant.
type Verdict struct {
	// Mutant is the mutant's selector.
	Mutant int32
	Kind   Kind
	// Of is the selector of the earliest mutant that computes the same; 0, the
	// original's, unless Kind is Duplicate.
	Of int32
	// Evidence names the method and its variant, e.g. "tce/default". It is ""
	// where the method could not examine the mutant, which is then Distinct.
	Evidence string
}
