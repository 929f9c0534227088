package rule

import "slices"

// standard is what winnow uses: Mart's rules with the ++ and -- that its
// generator leaves out, 1000 in all, and what Mart has no fragments for.
func standard() Preset {
	return Preset{
		Name:  "default",
		Doc:   "everything that a user could have written: Mart's rules with scalar ++ and --, negated and fixed conditions, and values one off",
		rules: standardRules,
	}
}

func standardRules() []Rule {
	b := &builder{}
	for _, r := range (combinations{steps: true}).all() {
		if r.Match.Fragment == "C" && r.Replace.Fragment == "ADD" {
			continue // called by their names below
		}
		b.add(r.Match.String(), r.replacement())
	}
	for _, m := range ror {
		b.add(two(m, "@1", "@2"), "CONSTVAL(1)", "CONSTVAL(0)")
	}
	for _, m := range pointers {
		b.add(two(m, "A1", "@2"), "CONSTVAL(1)", "CONSTVAL(0)")
	}
	b.add("NOT(@1)", "OPERAND(@1)", "CONSTVAL(1)", "CONSTVAL(0)")
	b.add("COND(@1)", "NOT(@1)", "CONSTVAL(1)", "CONSTVAL(0)")
	b.add("C", "SUCC(C)", "PRED(C)", "CONSTVAL(1)", "NEG(C)")
	b.add("V", "SUCC(V)", "PRED(V)", "NEG(V)")
	b.add("INDEX(@1)", "SUCC(@1)", "PRED(@1)")
	slices.SortStableFunc(b.rules, func(x, y Rule) int { return rank(x) - rank(y) })
	return b.rules
}

// rank orders the rules of a place: those on the whole statement come last, so
// that a statement's deletion is called STMT!DELSTMT.
func rank(r Rule) int {
	switch r.Match.Fragment {
	case "STMT", "RETURN_BREAK_CONTINUE":
		return 0
	}
	if slices.Contains(whole, r.Replace.Fragment) {
		return 1
	}
	return 0
}
