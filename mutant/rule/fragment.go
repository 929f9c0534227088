package rule

import (
	"slices"
	"strings"
)

// Fragment is one word of the language.
type Fragment struct {
	Name string
	// Type is what mutants have as Matcher or Replacer, from mutant.Matchers
	// and mutant.Replacers: the name itself, or, for a fragment that is a finer
	// one of winnow's, the one of Mart's that it is a part of.
	Type string
	// Family is the operator family of the mutants that match it.
	Family string
	// Matches and Replaces say on which sides of a rule it may stand.
	Matches, Replaces bool
	// Operands are the classes of its operands, one string of letters for
	// each: "V" asks for a variable, "@A" takes expressions and addresses.
	Operands []string
	// Doc says what it is, with an example in C.
	Doc string
}

// number and function are the operands of fragments that take no operand of
// the match.
const (
	number   = "number"
	function = "function"
)

var byName = func() map[string]Fragment {
	out := map[string]Fragment{}
	for _, f := range Fragments() {
		if f.Type == "" {
			f.Type = f.Name
		}
		out[f.Name] = f
	}
	return out
}()

// FragmentOf finds a fragment by its name, in any case.
func FragmentOf(name string) (Fragment, bool) {
	f, ok := byName[strings.ToUpper(name)]
	return f, ok
}

// Matcher and Replacer are the two halves of the type of the rule's mutants.
func (r Rule) Matcher() string  { return byName[r.Match.Fragment].Type }
func (r Rule) Replacer() string { return byName[r.Replace.Fragment].Type }

// Families are the operator families, in the order of their fragments.
func Families() []string {
	var out []string
	for _, f := range Fragments() {
		if f.Matches && !slices.Contains(out, f.Family) {
			out = append(out, f.Family)
		}
		if f.Name == "ABS" {
			out = append(out, f.Family)
		}
	}
	return out
}

// Family is the operator family of the rule's mutants.
func (r Rule) Family() string {
	match := byName[r.Match.Fragment].Family
	switch r.Replace.Fragment {
	case "DELSTMT", "TRAPSTMT":
		if match != "jump" {
			return "statement"
		}
	case "ABS":
		if r.Match.Fragment == "@" {
			return "absolute"
		}
	}
	return match
}
