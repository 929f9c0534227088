package rule

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// SyntaxError says where a configuration is wrong and what was expected there.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ExitCode says that an input cannot be used.
func (e *SyntaxError) ExitCode() exit.Code { return exit.Input }

// Hint says where the language is described.
func (e *SyntaxError) Hint() string {
	return "docs/operators.md describes the language and its fragments"
}

// Parse reads a configuration. Name is the file's, for messages and Set.Name.
// Its error is a *SyntaxError.
//
//	file    = { pattern "-->" { name "," replacement ";" } }
//	pattern = fragment [ "(" class tag { "," class tag } ")" ] | class
//	replacement = fragment [ "(" argument { "," argument } ")" ]
//	argument = class tag | number | function
//
// A rule ends at a semicolon or the end of its line; # starts a comment.
func Parse(name string, text []byte) (*Set, error) {
	set := &Set{Name: name}
	line := 0
	for content := range strings.Lines(string(text)) {
		line++
		l := &lexer{file: name, line: line, text: content}
		if l.peek() == "" {
			continue
		}
		rules, err := l.rules()
		if err != nil {
			return nil, err
		}
		set.Rules = append(set.Rules, rules...)
	}
	return set, nil
}

// lexer reads the words of a line.
type lexer struct {
	file string
	line int
	text string
	at   int
}

func (l *lexer) errorf(at int, format string, args ...any) error {
	return &SyntaxError{File: l.file, Line: l.line, Column: at + 1, Message: fmt.Sprintf(format, args...)}
}

const blanks = " \t\r\n\v\f"

// peek returns the next word without reading it: "-->", a punctuation mark, or
// what stands before the next blank or mark; "" at the end of the line.
func (l *lexer) peek() string {
	for l.at < len(l.text) && strings.IndexByte(blanks, l.text[l.at]) >= 0 {
		l.at++
	}
	rest := l.text[l.at:]
	switch {
	case rest == "" || rest[0] == '#':
		return ""
	case strings.HasPrefix(rest, "-->"):
		return rest[:3]
	case strings.IndexByte("(),;", rest[0]) >= 0:
		return rest[:1]
	}
	end := strings.IndexAny(rest, blanks+"(),;#")
	if end < 0 {
		end = len(rest)
	}
	if arrow := strings.Index(rest[:end], "-->"); arrow > 0 {
		end = arrow
	}
	return rest[:end]
}

func (l *lexer) next() (word string, at int) {
	word = l.peek()
	at = l.at
	l.at += len(word)
	return word, at
}

func isMark(word string) bool { return word == "" || word == "-->" || strings.Contains("(),;", word) }

// expect reads a punctuation mark.
func (l *lexer) expect(mark string) error {
	if word, at := l.next(); word != mark {
		return l.errorf(at, "expected %q, found %s", mark, shown(word))
	}
	return nil
}

// shown names a word in a message.
func shown(word string) string {
	if word == "" {
		return "the end of the line"
	}
	return strconv.Quote(word)
}

// rules reads a line.
func (l *lexer) rules() ([]Rule, error) {
	pattern, err := l.pattern()
	if err != nil {
		return nil, err
	}
	if err := l.expect("-->"); err != nil {
		return nil, err
	}
	var out []Rule
	for l.peek() != "" {
		name, at := l.name()
		if name == "" {
			return nil, l.errorf(at, "expected the name of a rule, found %s", shown(l.peek()))
		}
		if err := l.expect(","); err != nil {
			return nil, err
		}
		replacement, err := l.replacement(pattern)
		if err != nil {
			return nil, err
		}
		out = append(out, Rule{Name: name, Match: pattern, Replace: replacement})
		if word, at := l.next(); word != ";" && word != "" {
			return nil, l.errorf(at, "expected %q or the end of the line, found %s", ";", shown(word))
		}
	}
	if len(out) == 0 {
		return nil, l.errorf(l.at, "expected the name of a rule, found the end of the line")
	}
	return out, nil
}

// name reads what stands before a comma: any text without a blank.
func (l *lexer) name() (string, int) {
	l.peek()
	rest := l.text[l.at:]
	end := strings.IndexAny(rest, blanks+",;#")
	if end < 0 {
		end = len(rest)
	}
	at := l.at
	l.at += end
	return rest[:end], at
}

func (l *lexer) pattern() (Pattern, error) {
	word, at := l.next()
	if isMark(word) {
		return Pattern{}, l.errorf(at, "expected a fragment to match, found %s", shown(word))
	}
	fragment, ok := FragmentOf(word)
	if !ok {
		return Pattern{}, l.errorf(at, "there is no fragment %s", word)
	}
	if !fragment.Matches {
		return Pattern{}, l.errorf(at, "%s can only replace, not be matched", fragment.Name)
	}
	p := Pattern{Fragment: fragment.Name}
	if len(fragment.Operands) == 0 {
		return p, nil
	}
	seen := map[string]bool{}
	err := l.list(fragment, func(k int) error {
		word, at := l.next()
		o, ok := operandOf(word)
		if !ok {
			return l.errorf(at, "expected an operand such as @%d, found %s", k+1, shown(word))
		}
		if k < len(fragment.Operands) && !allows(fragment.Operands[k], o.Class) {
			return l.errorf(at, "operand %d of %s cannot be %s: it takes %s", k+1, fragment.Name, o, classes(fragment.Operands[k]))
		}
		if o.Tag != "" && seen[o.Tag] {
			return l.errorf(at, "two operands have the number %s", o.Tag)
		}
		seen[o.Tag] = true
		p.Operands = append(p.Operands, o)
		return nil
	}, true)
	return p, err
}

// list reads the parenthesised operands of a fragment. There may be more than
// it has where surplus says so: Mart's generator has written such patterns,
// which match nothing.
func (l *lexer) list(f Fragment, read func(k int) error, surplus bool) error {
	if err := l.expect("("); err != nil {
		return err
	}
	for k := range f.Operands {
		if k > 0 {
			if word, at := l.next(); word != "," {
				return l.errorf(at, "expected %q and the rest of the %d operands of %s, found %s", ",", len(f.Operands), f.Name, shown(word))
			}
		}
		if err := read(k); err != nil {
			return err
		}
	}
	for k := len(f.Operands); surplus && l.peek() == ","; k++ {
		l.next()
		if err := read(k); err != nil {
			return err
		}
	}
	if word, at := l.next(); word != ")" {
		return l.errorf(at, "expected %q after the %d operands of %s, found %s", ")", len(f.Operands), f.Name, shown(word))
	}
	return nil
}

// operandOf reads a class letter and its tag.
func operandOf(word string) (Operand, bool) {
	if word == "" || !strings.ContainsAny(word[:1], "@CVAPcvap") {
		return Operand{}, false
	}
	for _, c := range word[1:] {
		if c < '0' || c > '9' {
			return Operand{}, false
		}
	}
	return Operand{Class: Class(strings.ToUpper(word[:1])[0]), Tag: word[1:]}, true
}

// allows reports whether an operand of a class may stand where a fragment
// takes the given ones.
func allows(takes string, class Class) bool {
	for _, c := range []byte(takes) {
		if Class(c).Includes(class) {
			return true
		}
	}
	return false
}

// classes names what a fragment takes, for messages.
func classes(takes string) string {
	names := map[byte]string{'@': "an expression (@, C or V)", 'C': "a constant (C)", 'V': "a variable (V)",
		'A': "an address (A or P)", 'P': "a pointer variable (P)"}
	var out []string
	for _, c := range []byte(takes) {
		out = append(out, names[c])
	}
	return strings.Join(out, " or ")
}

func (l *lexer) replacement(match Pattern) (Replacement, error) {
	word, at := l.next()
	if isMark(word) {
		return Replacement{}, l.errorf(at, "expected a fragment to replace with, found %s", shown(word))
	}
	fragment, ok := FragmentOf(word)
	if !ok {
		return Replacement{}, l.errorf(at, "there is no fragment %s", word)
	}
	if !fragment.Replaces {
		return Replacement{}, l.errorf(at, "%s can only be matched, not replace", fragment.Name)
	}
	if message := unfit(match, fragment); message != "" {
		return Replacement{}, l.errorf(at, "%s", message)
	}
	r := Replacement{Fragment: fragment.Name}
	if len(fragment.Operands) == 0 {
		return r, nil
	}
	err := l.list(fragment, func(k int) error {
		arg, err := l.argument(match, fragment, k)
		r.Args = append(r.Args, arg)
		return err
	}, false)
	return r, err
}

// unfit says why a fragment cannot replace a match, or "".
func unfit(match Pattern, with Fragment) string {
	only := func(name string, fragments ...string) string {
		for _, f := range fragments {
			if match.Fragment == f {
				return ""
			}
		}
		return fmt.Sprintf("%s replaces only %s, not %s", with.Name, name, match.Fragment)
	}
	switch with.Name {
	case "SHUFFLEARGS", "NEWCALLEE":
		return only("CALL", "CALL")
	case "SHUFFLECASESDESTS", "REMOVECASES":
		return only("SWITCH", "SWITCH")
	case "AND", "OR":
		return only("AND and OR", "AND", "OR")
	case "DELSTMT", "TRAPSTMT":
		return ""
	}
	switch match.Fragment {
	case "STMT", "RETURN_BREAK_CONTINUE", "CALL", "SWITCH":
		return fmt.Sprintf("%s cannot be replaced by %s: it has no operands to make a value of", match.Fragment, with.Name)
	}
	return ""
}

func (l *lexer) argument(match Pattern, f Fragment, k int) (Arg, error) {
	word, at := l.next()
	takes := f.Operands[k]
	switch {
	case isMark(word):
		return Arg{}, l.errorf(at, "expected operand %d of %s, found %s", k+1, f.Name, shown(word))
	case takes == function:
		return Arg{Operand: -1, Text: word}, nil
	case isNumber(word):
		return Arg{Operand: -1, Text: word}, l.number(at, f, k, word)
	case takes == number:
		return Arg{}, l.errorf(at, "expected a number as operand %d of %s, found %q", k+1, f.Name, word)
	}
	operand, ok := operandOf(word)
	if !ok {
		return Arg{}, l.errorf(at, "expected an operand of %s or a number, found %q", match, word)
	}
	index, bound := match.find(operand)
	if !bound {
		return Arg{}, l.errorf(at, "%s is not an operand of %s", word, match)
	}
	if !allows(takes, operand.Class) && !isComparedPointer(match, operand) {
		return Arg{}, l.errorf(at, "operand %d of %s cannot be %s: it takes %s", k+1, f.Name, operand, classes(takes))
	}
	return Arg{Operand: index}, nil
}

// isComparedPointer reports the second operand of a comparison of pointers,
// which Mart's files call an expression.
func isComparedPointer(match Pattern, o Operand) bool {
	return o.Class == Expression && byName[match.Fragment].Family == "relational" && match.Fragment[0] == 'P'
}

// number checks a number for its place: how many arguments or cases are
// exchanged or dropped is limited to what is supported.
func (l *lexer) number(at int, f Fragment, k int, word string) error {
	want := map[string]string{"SHUFFLEARGS": "2", "SHUFFLECASESDESTS": "2", "REMOVECASES": "1"}[f.Name]
	if want != "" && word != want {
		return l.errorf(at, "%s takes the number %s, not %s", f.Name, want, word)
	}
	for _, c := range []byte(f.Operands[k]) {
		if c == 'V' || c == 'P' {
			return l.errorf(at, "operand %d of %s cannot be a number: it takes %s", k+1, f.Name, classes(f.Operands[k]))
		}
	}
	return nil
}

func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil && strings.Trim(word, "+-.0123456789eE") == ""
}

// find returns the index of an operand of the pattern.
func (p Pattern) find(o Operand) (int, bool) {
	if len(p.Operands) == 0 {
		return 0, o.Tag == "" && p.Fragment == string(o.Class)
	}
	for k, own := range p.Operands {
		if own == o {
			return k, true
		}
	}
	return 0, false
}
