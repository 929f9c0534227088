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
	reach, show := "reach", "show"
	if t.Reached == 1 {
		reach, show = "reaches", "shows"
	}
	switch {
	case t.Reached == 0:
		return "none " + of + " reaches it"
	case t.Shown == 0:
		return fmt.Sprintf("%d %s %s it, none shows it", t.Reached, of, reach)
	case t.Shown == t.Reached && t.Reached == t.Inputs:
		return "all " + of + " show it"
	case t.Shown == t.Reached:
		return fmt.Sprintf("%d %s %s it, and %s it", t.Reached, of, reach, show)
	case t.Shown == 1:
		return fmt.Sprintf("%d %s reach it, 1 shows it", t.Reached, of)
	}
	return fmt.Sprintf("%d %s reach it, %d show it", t.Reached, of, t.Shown)
}

// short is String beside what tests did, of a mutant that some input shows.
func (t *Trials) short() string {
	of := "drawn inputs"
	if t.Of != "program" {
		of += " of the function"
	}
	return fmt.Sprintf("%d of %d %s would show it", t.Shown, t.Inputs, of)
}
