package report

import "fmt"

// Trials are what running a mutant on drawn inputs showed, as the interpreter runs them.
type Trials struct {
	// Of is what was run: "program", or "function" where the program could not be run to the
	// mutant.
	Of string `json:"of"`
	// Inputs were drawn, Reached of them come to the mutant, and Shown show it.
	Inputs  int `json:"inputs"`
	Reached int `json:"reached"`
	Shown   int `json:"shown"`
}

// String says it in words.
func (t *Trials) String() string {
	if t == nil {
		return "not tried"
	}
	of := fmt.Sprintf("of %d drawn inputs", t.Inputs)
	if t.Of != "program" {
		of += " of the function"
	}
	switch {
	case t.Reached == 0:
		return of + " none reaches it"
	case t.Shown == 0:
		return fmt.Sprintf("%s %d reach it, none shows it", of, t.Reached)
	case t.Shown == t.Reached && t.Reached == t.Inputs:
		return of + " all show it"
	case t.Shown == t.Reached:
		return fmt.Sprintf("%s %d reach it, all of them show it", of, t.Reached)
	}
	return fmt.Sprintf("%s %d reach it, %d show it", of, t.Reached, t.Shown)
}
