package operator

import "slices"

// Matchers returns the fragments that can be matched, but for whole
// statements.
func Matchers() []Matcher {
	var out []Matcher
	for _, f := range slices.Concat(arithmeticFragments, bitwiseFragments) {
		out = append(out, binaryMatcher(f, false))
	}
	for _, f := range arithmeticFragments {
		out = append(out, binaryMatcher(f, true))
	}
	for _, f := range relationalFragments {
		out = append(out, relationalMatcher(f), pointerRelationalMatcher(f))
	}
	return slices.Concat(out,
		[]Matcher{logicalMatcher("AND", true), logicalMatcher("OR", false)},
		negationMatchers, stepMatchers(), []Matcher{assignMatcher}, atomMatchers, moveMatchers(),
		[]Matcher{indexMatcher, callMatcher, switchMatcher, jumpMatcher})
}

// Replacers returns the fragments that have a value and can replace.
func Replacers() []Replacer {
	return slices.Concat(scalarReplacers, pointerReplacers(), unaryReplacers, []Replacer{keep, constantValue, assign},
		stepReplacers(), moveReplacers())
}

var matchers = func() map[string]Matcher {
	out := map[string]Matcher{}
	for _, m := range Matchers() {
		out[m.Name] = m
	}
	return out
}()

var replacers = func() map[string]Replacer {
	out := map[string]Replacer{}
	for _, r := range Replacers() {
		out[r.Name] = r
	}
	return out
}()
