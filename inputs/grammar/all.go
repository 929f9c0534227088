package grammar

// Mutator is a way to change an input.
type Mutator struct {
	Name, Doc string
	// apply changes the editor's input; false when there is nothing to change.
	apply func(e *editor) bool
}

// Mutators are all there are, in the order in which they are drawn.
func Mutators() []Mutator {
	return []Mutator{number, length, order, letters, splice}
}
