package operator

// All returns the operator families in the order in which they are asked,
// which is the order of mutants within a site.
func All() []Operator {
	return []Operator{
		arithmetic,
		bitwise,
		relational,
		logical,
		negation,
		literal,
		increment,
		variable,
		pointer,
		argument,
		switchCase,
		jump,
		statement,
	}
}
