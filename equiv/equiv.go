// Package equiv says what evidence on equivalence is: what is known of a mutant
// that no run can show, and the contract of those who find it.
//
// A mutant that computes what the original does, or what another mutant does,
// costs runs and spoils every score. Each way to find such mutants is a Stage, a
// package of its own below this one. Package equiv/cascade lists the stages and
// asks them in turn, cheap ones first, each about what those before it left open.
//
// # What a stage promises
//
// It is right or it is silent: a mutant is called Equivalent or Duplicate only if
// no run of the program whose behaviour C defines can tell it from what it is tied to,
// in any environment and with any other functions of the same program being what they are. What a
// stage cannot see through is Unknown, with the reason. So is what it has no time
// for, and what it knows up to a bound: that two mutants agree on every loop of at
// most three rounds is no verdict, but may be the Reason of one that is Unknown.
package equiv

import "fmt"

// Kind is what the evidence says of a mutant.
type Kind uint8

const (
	// Unknown: the evidence ties the mutant neither to the original nor to
	// another mutant, whether it was looked at or not. Nothing says that they
	// differ.
	Unknown Kind = iota
	// Equivalent: the mutant computes what the original computes.
	Equivalent
	// Duplicate: the mutant computes what an earlier mutant computes.
	Duplicate
	// Invalid: the mutant is no program: LLVM's verifier refuses it. That is a
	// fault of the operator which made it.
	Invalid
	// Undefined: C does not define what the mutant does whenever control comes to it
	// (package ub, which is asked apart from the stages).
	Undefined
	// Different: a call of the function that tells the mutant from the original was found,
	// and both were run on it by the interpreter. The program may never make it.
	Different
)

// Stays says that a mutant of the kind is worth a run.
func (k Kind) Stays() bool { return k == Unknown || k == Different }

// LeftOut are the kinds of mutants that are worth no run.
func LeftOut() []Kind { return []Kind{Equivalent, Duplicate, Invalid, Undefined} }

var kindNames = [...]string{Unknown: "unknown", Equivalent: "equivalent", Duplicate: "duplicate", Invalid: "invalid", Undefined: "undefined", Different: "different"}

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
	// Evidence names the method that looked at the mutant and its variant, e.g.
	// "tce/default"; "" where none could look at it, which is then Unknown.
	Evidence string
	// Reason says in words what the verdict rests on: of an Unknown mutant, what
	// could not be seen through; of an Invalid one, what the verifier says. It may
	// be "" where Evidence says it all.
	Reason string
}
