package rule

import (
	"fmt"
	"strings"
)

// Manual is the text of docs/operators.md.
func Manual() string {
	var b strings.Builder
	b.WriteString(`# Mutation operators

A mutation operator is a rule: a fragment that is matched, and what replaces it.
Rules are written in the language of Mart, whose configuration files are read
unchanged:

` + "```" + `
# a comment
ADD(@1, @2) --> swapped, SUB(@2, @1); first, OPERAND(@1); gone, DELSTMT;
C           --> more, ADD(C, 1); none, CONSTVAL(0);
` + "```" + `

Each replacement has a name, which mutants carry, and ends with a semicolon.
Operands of the matched fragment are a class and a number: ` + "`@`" + ` any expression,
` + "`C`" + ` a constant, ` + "`V`" + ` a variable that is read, ` + "`A`" + ` any address, ` + "`P`" + ` a pointer
variable. The operands of a replacement are some of those, or numbers. Names are
read in any case. This file is written from ` + "`mutant/rule`" + ` by ` + "`make golden`" + `.

## Presets

Several are joined by commas: ` + "`AOR,ROR`" + `. What has a dot or a slash is a file.

| name | rules | what it is |
|---|---|---|
`)
	for _, p := range Presets() {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", p.Name, len(p.Set().Rules), strings.ReplaceAll(p.Doc, "|", `\|`))
	}
	fmt.Fprintf(&b, `
In tables, and in suppressions such as %s, the operator of a
mutant is the family of what its rule matches; deleted and trapped statements are
of the families statement and jump, absolute values of absolute. The families are
%s.
`, "`winnow:ignore[relational]`", strings.Join(Families(), ", "))
	b.WriteString(`
The sets ` + "`mart816` and `mart858`" + ` also change code that the compiler made and make
mutants that no C program says; they are for comparison with Mart
([results](results/mart.md)).

## Fragments

| fragment | family | matched | replaces | in C |
|---|---|---|---|---|
`)
	mark := map[bool]string{true: "yes"}
	for _, f := range Fragments() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.signature(), f.Family, mark[f.Matches], mark[f.Replaces], strings.ReplaceAll(f.Doc, "|", `\|`))
	}
	return b.String()
}

// signature is the fragment with the classes of its operands.
func (f Fragment) signature() string {
	if len(f.Operands) == 0 {
		return f.Name
	}
	texts := make([]string, len(f.Operands))
	for k, o := range f.Operands {
		switch {
		case o == number || o == function:
			texts[k] = o
		default:
			texts[k] = fmt.Sprintf("%s%d", strings.Join(strings.Split(o, ""), " or "), k+1)
		}
	}
	return f.Name + "(" + strings.Join(texts, ", ") + ")"
}
