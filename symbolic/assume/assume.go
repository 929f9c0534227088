// Package assume reads what a user takes for granted of a program: conditions in C on the
// variables of a function, which hold whenever it is called, or whenever control comes to a line
// (the assertions of Offutt and Pan 1997, global and local). Nobody checks them: what is proved
// with them holds as far as they do.
//
//	# one a line
//	search: count >= 0 && count <= 20
//	search: list[] >= 0
//	search.c:7: low >= 1
//
// list[] is each element of an array: whatever the function reads through the variable list, whenever it
// does (the array extension of Offutt and Pan).
//
// Conditions compute with integers that do not run over: what variables hold is taken as a number
// of 64 bits first, with its sign. They name integers of the function, and arrays, and nothing else, and have
// the operators of C but those that assign, call, or look into memory.
package assume

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Assumption is a condition that holds where a function begins, or at a line.
type Assumption struct {
	// Function is that whose beginning is meant; "" where File and Line say where.
	Function, File string
	Line           int
	Condition      *Node
	// Text is the condition as it was written.
	Text string
}

// At says that an assumption is of a line of a file, of which the path may have more.
func (a *Assumption) At(file string, line int) bool {
	return a.Function == "" && a.Line == line && (a.File == file || strings.HasSuffix(filepath.ToSlash(file), "/"+filepath.ToSlash(a.File)))
}

// Node is a part of a condition: a number, a name, or an operator of C with one operand or two.
type Node struct {
	Op     string // "" of numbers and names
	Name   string // "" of numbers; with Each behind it the elements of an array are meant
	Number int64
	Args   []*Node
}

// Each stands behind the name of an array whose elements are meant.
const Each = "[]"

// Array is the one array whose elements a condition speaks of; "" where it speaks of none. It fails where there
// are several: of which of their elements it would hold is not said.
func (n *Node) Array() (string, error) {
	name, _ := strings.CutSuffix(n.Name, Each)
	if name == n.Name {
		name = ""
	}
	for _, a := range n.Args {
		other, err := a.Array()
		if err != nil {
			return "", err
		}
		if name != "" && other != "" && other != name {
			return "", fmt.Errorf("it speaks of the elements of several arrays")
		}
		name = max(name, other)
	}
	return name, nil
}

// Parse reads a file of assumptions.
func Parse(text []byte) ([]Assumption, error) {
	var out []Assumption
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		one, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, one)
	}
	return out, lines.Err()
}

func parseLine(line string) (Assumption, error) {
	place, rest, ok := strings.Cut(line, ":")
	if !ok {
		return Assumption{}, fmt.Errorf("%q is neither FUNCTION: CONDITION nor FILE:LINE: CONDITION", line)
	}
	out := Assumption{Function: strings.TrimSpace(place)}
	if number, behind, ok := strings.Cut(rest, ":"); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil && n > 0 {
			out.Function, out.File, out.Line, rest = "", out.Function, n, behind
		}
	}
	out.Text = strings.TrimSpace(rest)
	p := parser{tokens: tokens(out.Text)}
	var err error
	if out.Condition, err = p.binary(0); err != nil {
		return out, fmt.Errorf("in %q: %w", out.Text, err)
	}
	if p.at < len(p.tokens) {
		return out, fmt.Errorf("in %q: what is %q?", out.Text, p.tokens[p.at])
	}
	return out, nil
}

// levels are the operators with two operands, those that bind weakest first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// tokens takes a condition apart; a character that is none stays as it is, and no rule takes it.
func tokens(text string) (out []string) {
	for len(text) > 0 {
		n := 1
		switch c := text[0]; {
		case c == ' ' || c == '\t':
			text = text[1:]
			continue
		case isWord(c):
			for n < len(text) && isWord(text[n]) {
				n++
			}
		case c == '\'' && len(text) > 2 && text[2] == '\'':
			n = 3
		case len(text) > 1 && strings.Contains(" || && == != <= >= << >> ", " "+text[:2]+" "):
			n = 2
		}
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

type parser struct {
	tokens []string
	at     int
	depth  int
}

// deepest bounds what is nested.
const deepest = 200

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) binary(level int) (*Node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil {
		found := ""
		for _, o := range levels[level] {
			if p.peek() == o {
				found = o
			}
		}
		if found == "" {
			break
		}
		p.at++
		var right *Node
		if right, err = p.binary(level + 1); err == nil {
			left = &Node{Op: found, Args: []*Node{left, right}}
		}
	}
	return left, err
}

func (p *parser) unary() (*Node, error) {
	if p.depth++; p.depth > deepest {
		return nil, fmt.Errorf("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	t := p.peek()
	p.at++
	switch {
	case t == "":
		return nil, fmt.Errorf("something is missing at its end")
	case t == "!" || t == "-" || t == "~" || t == "+":
		x, err := p.unary()
		return &Node{Op: t, Args: []*Node{x}}, err
	case t == "(":
		x, err := p.binary(0)
		if err == nil && p.peek() != ")" {
			return nil, fmt.Errorf("a ) is missing")
		}
		p.at++
		return x, err
	case t[0] == '\'' && len(t) == 3:
		return &Node{Number: int64(t[1])}, nil
	case t[0] >= '0' && t[0] <= '9':
		x, err := strconv.ParseInt(strings.TrimRight(t, "uUlL"), 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no integer", t)
		}
		return &Node{Number: x}, nil
	case isWord(t[0]):
		if p.peek() == "[" && p.at+1 < len(p.tokens) && p.tokens[p.at+1] == "]" {
			p.at += 2
			t += Each
		}
		return &Node{Name: t}, nil
	}
	return nil, fmt.Errorf("what is %q?", t)
}

// Conjuncts are the conditions that a condition is made of with &&.
func (n *Node) Conjuncts() []*Node {
	if n.Op != "&&" {
		return []*Node{n}
	}
	return append(n.Args[0].Conjuncts(), n.Args[1].Conjuncts()...)
}

// Numbers are those of a condition, in its order.
func (n *Node) Numbers() (out []int64) {
	if n.Op == "" && n.Name == "" {
		out = append(out, n.Number)
	}
	for _, a := range n.Args {
		out = append(out, a.Numbers()...)
	}
	return out
}

// Reason says that a verdict rests on what is assumed; "" where that is nothing.
func Reason(all []Assumption) string {
	if len(all) == 0 {
		return ""
	}
	texts := make([]string, len(all))
	for k := range all {
		texts[k] = all[k].Text
	}
	return "; taken for granted: " + strings.Join(texts, ", ")
}
