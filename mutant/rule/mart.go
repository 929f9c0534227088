package rule

// mart816 is the configuration of Mart's paper and of the dissertation.
func mart816() Preset {
	return Preset{
		Name: "mart816",
		Doc:  "the 816 rules with which Mart's results were published, code that the compiler made included",
		Mart: true, rules: combinations{}.all,
	}
}

// mart858 is Mart's configuration since 2019. Two of the rules that Mart's
// generator writes for it have a pattern with an operand too many, which
// never matches; these are right here.
func mart858() Preset {
	return Preset{
		Name: "mart858",
		Doc:  "Mart's rules since 2019: mart816, and 0 or 1 for each scalar operator",
		Mart: true, rules: combinations{truths: true}.all,
	}
}
