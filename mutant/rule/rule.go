// Package rule is the language in which mutation operators are written down:
// what is matched and by what it is replaced.
//
// The language is Mart's (dissertation, section 8.1, and the configuration
// files of its tool, which Parse reads unchanged):
//
//	ADD(@1, @2) --> swap, SUB(@1, @2); keep, OPERAND(@1); drop, DELSTMT;
//	C --> more, ADD(C, 1); none, CONSTVAL(0);
//
// On the left stands a fragment with the classes of its operands: @ any
// expression, C a constant, V a variable, A any address, P a pointer variable;
// a digit or more after the letter tells operands apart. On the right stand
// replacements, each with a name that becomes Mutant.Rule. Their operands are
// some of the matched ones, in any order, or numbers. Fragment names are read
// in any case; # starts a comment.
//
// A Set is a list of rules, read from a file or made by one of the presets
// (all.go). What fragments match and put into the IR is the business of
// package mutant/operator.
package rule

import (
	"fmt"
	"strings"
)

// Set is a list of rules, in the order in which they are applied.
type Set struct {
	// Name is that of the preset or file.
	Name string
	// Doc says in one sentence what the set is for; "" for files.
	Doc string
	// Mart says that the set is for comparison with Mart: it also applies to
	// code that the compiler made (Mutant.Artefact), and what the user could
	// not tell apart is made all the same.
	Mart bool

	Rules []Rule
}

// Preset is a set that has a name. Its rules are made where they are asked for: commands name
// all presets in the help of a flag, each time that they start.
type Preset struct {
	// Name, Doc and Mart are those of the set.
	Name, Doc string
	Mart      bool
	rules     func() []Rule
}

// Set makes the rules.
func (p Preset) Set() *Set { return &Set{Name: p.Name, Doc: p.Doc, Mart: p.Mart, Rules: p.rules()} }

// Rule is one matcher with one replacement.
type Rule struct {
	// Name becomes Mutant.Rule; two rules of a set may share one.
	Name    string
	Match   Pattern
	Replace Replacement
}

// Pattern is a fragment to match, e.g. ADD(@1, V2).
type Pattern struct {
	Fragment string // one that can be matched
	Operands []Operand
}

// CanMatch is false for a pattern with more operands than its fragment has.
func (p Pattern) CanMatch() bool { return len(p.Operands) == len(byName[p.Fragment].Operands) }

// Operand is one operand of a pattern.
type Operand struct {
	Class Class
	Tag   string // digits; "" for the fragments that are a class themselves
}

// Class is what an operand may be.
type Class byte

// The classes of operands. A Variable or Constant is an Expression, a Pointer
// is an Address.
const (
	Expression Class = '@'
	Constant   Class = 'C'
	Variable   Class = 'V'
	Address    Class = 'A'
	Pointer    Class = 'P'
)

// Includes reports whether everything of a class is of this one.
func (c Class) Includes(other Class) bool {
	switch c {
	case Expression:
		return other == Expression || other == Constant || other == Variable
	case Address:
		return other == Address || other == Pointer
	}
	return c == other
}

// Replacement is what is put in the place of a match, e.g. SUB(@2, @1).
type Replacement struct {
	Fragment string // one that can replace
	Args     []Arg
}

// Arg is one argument of a replacement: an operand of the match, a number, or
// the name of a function.
type Arg struct {
	// Operand is the index of the operand in the pattern; -1 for the others.
	// Where the fragment is a class itself, 0 stands for what it matched.
	Operand int
	// Text is the number or the function's name.
	Text string
}

// IsOperand reports an argument that the match binds.
func (a Arg) IsOperand() bool { return a.Operand >= 0 }

// String writes the operand as in a file, e.g. "@1".
func (o Operand) String() string { return string(o.Class) + o.Tag }

// String writes the pattern as in a file.
func (p Pattern) String() string {
	if len(p.Operands) == 0 {
		return p.Fragment
	}
	texts := make([]string, len(p.Operands))
	for i, o := range p.Operands {
		texts[i] = o.String()
	}
	return p.Fragment + "(" + strings.Join(texts, ", ") + ")"
}

// operand is the text of an operand of the pattern.
func (p Pattern) operand(k int) string {
	if len(p.Operands) == 0 {
		return p.Fragment
	}
	return p.Operands[k].String()
}

// replacement writes the rule's right side without its name.
func (r Rule) replacement() string {
	if len(r.Replace.Args) == 0 {
		return r.Replace.Fragment
	}
	texts := make([]string, len(r.Replace.Args))
	for i, a := range r.Replace.Args {
		texts[i] = a.Text
		if a.IsOperand() {
			texts[i] = r.Match.operand(a.Operand)
		}
	}
	return r.Replace.Fragment + "(" + strings.Join(texts, ", ") + ")"
}

// MartName is the name that Mart's generator gives a rule, by which other
// tools know its mutants: "ADD$@1$@2$!SUB$@2$@1$".
func (r Rule) MartName() string {
	name := r.Match.String() + "!" + r.replacement()
	return strings.NewReplacer(", ", "$", "(", "$", ")", "$").Replace(name)
}

// String writes the set as a file that Parse reads: rules of one pattern that
// follow each other share a line.
func (s *Set) String() string {
	var b strings.Builder
	if s.Name != "" {
		fmt.Fprintf(&b, "# %s: %d rules\n", s.Name, len(s.Rules))
	}
	last := ""
	for _, r := range s.Rules {
		if pattern := r.Match.String(); pattern != last {
			if last != "" {
				b.WriteByte('\n')
			}
			b.WriteString(pattern + " -->")
			last = pattern
		}
		fmt.Fprintf(&b, " %s, %s;", r.Name, r.replacement())
	}
	if last != "" {
		b.WriteByte('\n')
	}
	return b.String()
}
