package rule

// Fragments returns every fragment of the language, by family.
func Fragments() []Fragment {
	var out []Fragment
	for _, group := range [][]Fragment{
		arithmeticFragments, bitwiseFragments, relationalFragments, logicalFragments, negationFragments,
		incrementFragments, assignmentFragments, atomFragments, valueFragments, pointerFragments, dereferenceFragments,
		callFragments, switchFragments, statementFragments,
	} {
		out = append(out, group...)
	}
	return out
}

// Presets returns the sets that have a name; the first is the default.
func Presets() []Preset {
	return []Preset{
		standard(),
		mart816(),
		mart858(),
		riener(),
		selective(),
		deletion(),
		absolute(),
		arithmetic(),
		logical(),
		relational(),
		unary(),
		constants(),
		compound(),
		bitwise(),
		conditions(),
		statements(),
	}
}
