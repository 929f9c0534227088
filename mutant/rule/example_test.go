package rule_test

import (
	"fmt"

	"github.com/winnow-mutants/winnow/mutant/rule"
)

// Write mutation operators of one's own down: those of a file for --operators.
func ExampleParse() {
	set, err := rule.Parse("mine", []byte(`
ADD(@1, @2) --> swap, SUB(@1, @2); keep, OPERAND(@1);
C --> more, ADD(C, 1);
`))
	if err != nil {
		panic(err)
	}
	for _, r := range set.Rules {
		fmt.Println(r.Name, r.Matcher(), "->", r.Replacer())
	}
	// Output:
	// swap ADD -> SUB
	// keep ADD -> OPERAND
	// more C -> ADD
}
