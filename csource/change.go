package csource

import (
	"maps"
	"slices"
	"sort"
)

// Change is an edit of one file: the bytes from Start to End, exclusive, give
// way to Text.
type Change struct {
	Path       string // as in File.Paths
	Start, End int    // bytes, from 0
	Text       string
	// Expanded says that macro calls had to be expanded, so that Text holds
	// more than what changes.
	Expanded bool
}

// Replace is the change that puts a text in the place of the expression. Where
// the expression is only part of what a macro call made, the smallest
// expression or statement around the call is written out with its macros
// expanded. It is false where preprocessor directives stand in between, or a
// macro made the whole function. The text's precedence is the caller's affair
// (Demand).
func (e *Expr) Replace(text string) (Change, bool) {
	if c, ok := e.unit.change(e.first, e.last, text); ok || !e.InsideCall() {
		return c, ok
	}
	for outer := e.Parent; outer != nil; outer = outer.Parent {
		if !outer.InsideCall() {
			c, ok := e.unit.change(outer.first, outer.last, outer.Splice(e, text))
			c.Expanded = true
			return c, ok
		}
	}
	for s := e.Stmt; s != nil; s = s.Parent {
		if !s.insideCall() {
			c, ok := e.unit.change(s.first, s.last, s.Splice(e, text))
			c.Expanded = true
			return c, ok
		}
	}
	return Change{}, false
}

// Replace is the change that puts a text in the place of the statement; as
// for expressions.
func (s *Stmt) Replace(text string) (Change, bool) {
	if c, ok := s.unit.change(s.first, s.last, text); ok || !s.insideCall() {
		return c, ok
	}
	for outer := s.Parent; outer != nil; outer = outer.Parent {
		if !outer.insideCall() {
			part := &Expr{unit: s.unit, first: s.first, last: s.last}
			c, ok := s.unit.change(outer.first, outer.last, outer.Splice(part, text))
			c.Expanded = true
			return c, ok
		}
	}
	return Change{}, false
}

// DropInitializer is the change that leaves only the declarator of a declared
// name with an initial value: `int a = 1, b` becomes `int a, b`. It is false
// for other expressions.
func (e *Expr) DropInitializer() (Change, bool) {
	if e.Kind != Initializer || len(e.Operands) != 2 {
		return Change{}, false
	}
	assign := e.Operands[1].first - 1
	if assign <= e.first || e.unit.tokens[assign].spelling != "=" {
		return Change{}, false
	}
	if e.InsideCall() {
		value := &Expr{Stmt: e.Stmt, unit: e.unit, first: assign, last: e.last}
		return value.Replace("")
	}
	c, ok := e.unit.change(assign, e.last, "")
	if before := e.unit.tokens[assign-1]; ok && before.text == e.unit.tokens[assign].text {
		c.Start = before.end
	}
	return c, ok
}

// ReplaceLabel is the change that puts a text in the place of the label of a
// case or default, up to its colon, and leaves the labelled statement.
func (s *Stmt) ReplaceLabel(text string) (Change, bool) {
	if s.Kind != Case && s.Kind != Default {
		return Change{}, false
	}
	colon := s.first + 1
	for _, e := range s.Exprs {
		colon = e.last + 1
	}
	if colon > s.last || s.unit.tokens[colon].spelling != ":" {
		return Change{}, false
	}
	return s.unit.change(s.first, colon, text)
}

// ExchangeLabel is the change after which the labels of two cases, or of a case
// and the default, stand in each other's place. The text between them is in it,
// as it is.
func (s *Stmt) ExchangeLabel(other *Stmt) (Change, bool) {
	if s.first > other.first {
		s, other = other, s
	}
	a, okA := s.ReplaceLabel("")
	b, okB := other.ReplaceLabel("")
	if !okA || !okB || a.Path != b.Path || a.End > b.Start {
		return Change{}, false
	}
	file := s.unit.tokens[s.first].text.bytes
	return Change{Path: a.Path, Start: a.Start, End: b.End,
		Text: string(file[b.Start:b.End]) + string(file[a.End:b.Start]) + string(file[a.Start:a.End])}, true
}

// DefaultLabel is the change after which a case of a switch without default is
// its default, and what was the case is at the switch's end, where nothing is
// done.
func (s *Stmt) DefaultLabel() (Change, bool) {
	around := s.Parent
	for around != nil && around.Kind != Switch {
		around = around.Parent
	}
	if around == nil || len(around.Children) == 0 {
		return Change{}, false
	}
	body := around.Children[len(around.Children)-1]
	if body.Kind != Block {
		return Change{}, false
	}
	label, okLabel := s.ReplaceLabel("")
	end, okEnd := s.unit.change(body.last, body.last, "")
	if !okLabel || !okEnd || label.Path != end.Path || label.End > end.Start {
		return Change{}, false
	}
	file := s.unit.tokens[s.first].text.bytes
	return Change{Path: label.Path, Start: label.Start, End: end.Start,
		Text: "default:" + string(file[label.End:end.Start]) + string(file[label.Start:label.End]) + "; "}, true
}

// change puts a text in the place of tokens; false where they are not a
// stretch of one file of their own.
func (u *unit) change(first, last int, text string) (Change, bool) {
	if first < 0 || u.partOfCall(first, last) {
		return Change{}, false
	}
	a, b := u.tokens[first], u.tokens[last]
	if a.text == nil || a.text != b.text || b.end < a.offset {
		return Change{}, false
	}
	if _, ok := a.text.slice(a.offset, b.end); !ok {
		return Change{}, false
	}
	file := a.text.bytes
	c := Change{Path: a.text.path, Start: a.offset, End: b.end, Text: text}
	if text == "" {
		if c.Start > 0 && c.End < len(file) && wouldFuse(string(file[c.Start-1]), string(file[c.End])) {
			c.Text = " "
		}
		return c, true
	}
	if c.Start > 0 && wouldFuse(string(file[c.Start-1]), text) {
		c.Text = " " + c.Text
	}
	if c.End < len(file) && wouldFuse(text, string(file[c.End])) {
		c.Text += " "
	}
	return c, true
}

// IsUniform reports whether a change is the same wherever its file is included: that the compiler saw the same
// tokens each time in what gives way, where it saw any.
func (f *File) IsUniform(c Change) bool {
	u := f.unit
	u.including.Do(func() { u.inclusions = u.inclusionsOf() })
	seen := false
	var first []token
	for _, run := range u.inclusions[u.texts[c.Path]] {
		from := sort.Search(len(run), func(k int) bool { return run[k].offset >= c.Start })
		to := sort.Search(len(run), func(k int) bool { return run[k].offset >= c.End })
		same := func(a, b token) bool { return a.offset == b.offset && a.spelling == b.spelling }
		switch {
		case from >= to:
		case !seen:
			seen, first = true, run[from:to]
		case !slices.EqualFunc(first, run[from:to], same):
			return false
		}
	}
	return true
}

// inclusionsOf are the tokens of each inclusion of the files that are included several times.
func (u *unit) inclusionsOf() map[*text][][]token {
	out := map[*text][][]token{}
	for _, t := range u.tokens {
		if t.text == nil {
			continue
		}
		runs := out[t.text]
		if n := len(runs); n == 0 || t.offset < runs[n-1][len(runs[n-1])-1].offset {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], t)
		out[t.text] = runs
	}
	maps.DeleteFunc(out, func(_ *text, runs [][]token) bool { return len(runs) == 1 })
	return out
}

// partOfCall reports whether the tokens are only part of what one macro call
// made.
func (u *unit) partOfCall(first, last int) bool {
	return u.sameCall(first, first-1) || u.sameCall(last, last+1)
}

func (s *Stmt) insideCall() bool { return s.first >= 0 && s.unit.partOfCall(s.first, s.last) }

// FragmentOf works out the precedence of an expression's text. Where the text
// alone does not tell, as in (a) - b, it is the lower one.
func FragmentOf(text string) Fragment {
	f := Fragment{Text: text, Precedence: PrimaryPrecedence}
	depth, operand, previous := 0, false, ""
	for _, w := range scan([]byte(text)) {
		s := text[w.start:w.end]
		p := PrimaryPrecedence
		switch {
		case s == ")" || s == "]" || s == "}":
			depth--
			operand = true
		case s == "(" || s == "[" || s == "{":
			if operand && previous == ")" {
				p = CastPrecedence
			} else if operand {
				p = PostfixPrecedence
			}
			if depth == 0 {
				f.Precedence = min(f.Precedence, p)
			}
			depth++
			operand = false
		case depth > 0:
		default:
			p, operand = wordPrecedence(s, w.kind, operand)
			f.Precedence = min(f.Precedence, p)
		}
		previous = s
	}
	if depth != 0 {
		f.Precedence = CommaPrecedence
	}
	return f
}

// wordPrecedence is the precedence that a word gives to the text around it,
// and whether an operand ends with it. After an operand a name can only follow
// a cast.
func wordPrecedence(s string, kind wordKind, afterOperand bool) (p Precedence, operand bool) {
	switch {
	case s == "sizeof" || s == "_Alignof":
		return UnaryPrecedence, false
	case kind != punctuator && afterOperand && kind != str:
		return CastPrecedence, true
	case kind != punctuator:
		return PrimaryPrecedence, true
	case !afterOperand:
		return UnaryPrecedence, false
	case s == "++" || s == "--":
		return PostfixPrecedence, true
	case s == "?" || s == ":":
		return ConditionalPrecedence, false
	}
	if p = PrecedenceOf(s); p == 0 {
		p = CommaPrecedence
	}
	return p, false
}
