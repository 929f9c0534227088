package report

import "fmt"

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
	reach := "reach"
	if t.Reached == 1 {
		reach = "reaches"
	}
	switch {
	case t.Reached == 0:
		return "none " + of + " reaches it"
	case t.Shown == 0:
		return fmt.Sprintf("%d %s %s it, the %s is the same", t.Reached, of, reach, t.seen())
	case t.Shown == t.Reached && t.Reached > 1:
		return fmt.Sprintf("%d %s reach it, the %s differs for each", t.Reached, of, t.seen())
	case t.Shown == t.Reached:
		return fmt.Sprintf("1 %s reaches it, the %s differs", of, t.seen())
	}
	return fmt.Sprintf("%d %s reach it, the %s differs for %d", t.Reached, of, t.seen(), t.Shown)
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
	of := "drawn inputs"
	if t.Of != "program" {
		of += " of the function"
	}
	return fmt.Sprintf("for %d of %d %s the %s differs", t.Shown, t.Inputs, of, t.seen())
}
