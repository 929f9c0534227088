package report

import (
	"fmt"
	"strings"
)

// Trials are what running a mutant on drawn inputs showed, as the interpreter runs them.
type Trials struct {
	// Of is what was run: "program", or "function" where the program could not be run to the
	// mutant.
	Of string `json:"of"`
	// Inputs were drawn, Reached of them come to the mutant, and for Shown the
	// mutant and the original differ in what can be seen.
	Inputs  int `json:"inputs"`
	Reached int `json:"reached"`
	Shown   int `json:"shown"`
	// Of these, the mutant alone divides by zero or uses an address near null for Crashes, and
	// only one of the two comes to its end in time for Ends: the original, where it is known to do
	// so on all inputs (Ending).
	Crashes int  `json:"crashes"`
	Ends    int  `json:"ends"`
	Ending  bool `json:"original_ends"`
}

// String says it in words.
func (t *Trials) String() string {
	if t == nil {
		return "not tried"
	}
	of := fmt.Sprintf("%d %s", t.Inputs, t.inputs())
	switch {
	case t.Reached == 0:
		return "none of " + of + " reaches it"
	case t.Shown == 0 && t.Reached == 1:
		return "1 of " + of + " reaches it, the " + t.seen() + " is the same"
	case t.Shown == 0:
		return fmt.Sprintf("%d of %s reach it, the %s is the same", t.Reached, of, t.seen())
	case t.Reached == t.Inputs:
		return t.shown(t.Inputs) + " of " + of
	case t.Reached == 1:
		return t.shown(1) + " of " + of + ", which alone reaches it"
	}
	return fmt.Sprintf("%s of the %d %s that reach it", t.shown(t.Reached), t.Reached, t.inputs())
}

// shown says what the mutant does, and for how many of so many inputs.
func (t *Trials) shown(of int) string {
	var parts []string
	add := func(what string, n int) {
		switch {
		case n == of && n > 1:
			parts = append(parts, what+" for each")
		case n > 0:
			parts = append(parts, fmt.Sprintf("%s for %d", what, n))
		}
	}
	add("crashes", t.Crashes)
	if t.Ending {
		add("does not end in time", t.Ends)
	} else {
		add("only one of the two ends in time", t.Ends)
	}
	add("other "+t.seen(), t.Shown-t.Crashes-t.Ends)
	return strings.Join(parts, ", ")
}

// inputs is what was drawn.
func (t *Trials) inputs() string {
	if t.Of == "program" {
		return "drawn inputs"
	}
	return "drawn inputs of the function"
}

// seen is what is compared: what the program prints, and how it ends, or what the function
// returns and leaves in memory.
func (t *Trials) seen() string {
	if t.Of == "program" {
		return "output"
	}
	return "result"
}

// short is String beside what tests did, of a mutant that some input shows.
func (t *Trials) short() string {
	return fmt.Sprintf("%s of %d %s", t.shown(t.Inputs), t.Inputs, t.inputs())
}
