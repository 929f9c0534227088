package operator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

const acceptance = `int f(int a, int b) { return a && b; }
int g(int a, int b) {
  switch (a) {
  case 1: return 10 + b;
  case 2: return 20 + b;
  default: return 30 + b;
  }
}
int h(int a, int b) {
  int r = a++ * 2;
  return r + a + b - b;
}
unsigned k(int a, int b) {
  unsigned x = a, y = b;
  return x + y;
}
`

const acceptanceHead = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int32_t winnow_selector;
int64_t winnow_fuel = 100000;
void winnow_out_of_fuel(void) { abort(); }
int f(int, int), g(int, int), h(int, int);
unsigned k(int, int);
int main(void) {
`

// TestMutantsComputeWhatTheirTypesPromise are the worked examples of Mart's
// description (dissertation, chapter 8), by hand.
func TestMutantsComputeWhatTheirTypesPromise(t *testing.T) {
	file := write(t, acceptance)
	tests := []struct {
		change     string
		call, want string // several calls, and what they give
	}{
		{"f AND!OR", "f(1,0) f(0,1) f(0,0) f(1,1)", "1 1 0 1"},
		{"f AND!OPERAND !!a", "f(1,0) f(0,1)", "1 0"},
		{"f AND!OPERAND !!b", "f(1,0) f(0,1)", "0 1"},
		{"g SWITCH!REMOVECASES /* case 1: */", "g(1,5) g(2,5) g(9,5)", "35 25 35"},
		{"g SWITCH!SHUFFLECASESDESTS case 2: … case 1:", "g(1,5) g(2,5) g(9,5)", "25 15 35"},
		{"h RIGHTINC!LEFTINC", "h(3,0)", "12"},
		{"h RIGHTINC!RIGHTDEC", "h(3,0)", "8"},
		{"h RIGHTINC!OPERAND", "h(3,0)", "9"},
		{"k ADD!DIV", "k(-2,2)", "2147483647"},
		{"k ADD!MOD", "k(-2,7)", "2"},
	}
	m := module(t, file)
	r := operator.Generate(m, operator.Options{Source: syntax(t, file)})
	selectorOf := func(change string) int32 {
		for _, one := range r.Mutants {
			if name := one.Function + " " + one.Type(); name == change || name+" "+one.Replacement == change {
				return one.Selector
			}
		}
		t.Errorf("no mutant %s", change)
		return 0
	}
	var program, want strings.Builder
	program.WriteString(acceptanceHead)
	for _, tt := range tests {
		fmt.Fprintf(&program, "  winnow_selector = %d;\n  printf(\"%s:\");\n", selectorOf(tt.change), tt.change)
		for call := range strings.FieldsSeq(tt.call) {
			fmt.Fprintf(&program, "  printf(\" %%d\", (int)%s);\n", call)
		}
		program.WriteString("  printf(\"\\n\");\n")
		fmt.Fprintf(&want, "%s: %s\n", tt.change, tt.want)
	}
	program.WriteString("  return 0;\n}\n")
	schemata.Build(m, r.Mutants, schemata.Options{Sites: r.Sites, Define: true})
	if got := runWith(t, m.String(), program.String()); got != want.String() {
		t.Errorf("got\n%swant\n%s", got, want.String())
	}
}
