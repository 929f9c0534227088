package dataset

// latent is the label that a history makes by itself as its versions add up: what became of
// the mutants that a suite let live. Somebody wrote a test later that kills the one, and nobody
// did for the other, which may well be equivalent. That says more of what a tester takes to be
// worth a test than kills by the tests that there were.
var latent = Label{
	Name:     "latent",
	Doc:      "an earlier version's tests let the mutant live, and a later one's kill it; known of mutants that lived in an earlier version",
	Requires: []string{KillsFile},
	Binary:   true,
	Run: func(e *Evidence) []Value {
		values := killable.Run(e)
		for m, id := range e.Mutants {
			if !e.Lived[id] {
				values[m] = unknown()
			}
		}
		return values
	},
}
