package csource

import "strings"

// expanded renders tokens as the compiler saw them. Between tokens of the
// user's file the user's spacing is kept; what a macro made has lost its own
// and is spaced by rule.
func (u *unit) expanded(first, last int) string { return u.expandedPart(first, last, first) }

// expandedPart renders a part of the tokens that begin at whole.
func (u *unit) expandedPart(first, last, whole int) string {
	if first < 0 {
		return ""
	}
	var b strings.Builder
	for i := first; i <= last; i++ {
		t := u.tokens[i]
		if i > first && (u.spaceBefore(i, whole) || wouldFuse(u.tokens[i-1].spelling, t.spelling)) {
			b.WriteByte(' ')
		}
		b.WriteString(t.spelling)
	}
	return b.String()
}

// spaceBefore reports whether a space goes before token i of those that begin
// at first.
func (u *unit) spaceBefore(i, first int) bool {
	if u.tokens[i].fromMacro || u.tokens[i-1].fromMacro {
		return u.spacedByRule(i, first)
	}
	return u.tokens[i].spaced
}

// spacedByRule reports whether a space goes before token i of those that
// begin at first: around binary operators, after commas and semicolons, and
// where the macro had one between words.
func (u *unit) spacedByRule(i, first int) bool {
	left, right := u.tokens[i-1].spelling, u.tokens[i].spelling
	switch {
	case left == "(" || left == "[" || left == "." || left == "->":
		return false
	case strings.Contains(" ) ] , ; . -> [ ", " "+right+" "):
		return false
	case left == "," || left == ";" || left == "{" || right == "{" || right == "}":
		return true
	case right == "++" || right == "--":
		return !endsOperand(left)
	case left == "++" || left == "--":
		return isOperator(right)
	case isOperator(right):
		return endsOperand(left) || isOperator(left) && u.isInfix(i-1, first)
	case isOperator(left):
		return u.isInfix(i-1, first)
	case right == "(":
		return !endsOperand(left) || isControlWord(left)
	}
	return u.tokens[i].spaced
}

// isInfix reports whether the operator at i stands between two operands, as
// far as the tokens before it tell.
func (u *unit) isInfix(i, first int) bool {
	return i > first && endsOperand(u.tokens[i-1].spelling)
}

// endsOperand reports whether an operand may end with a token.
func endsOperand(s string) bool {
	last := s[len(s)-1]
	return isNameByte(last) && s != "return" || last == ')' || last == ']' || last == '"' || last == '\'' || s == "++" || s == "--"
}

func isOperator(s string) bool {
	return PrecedenceOf(s) > CommaPrecedence && s != "." && s != "->" || s == "!" || s == "~" || s == "?" || s == ":"
}

func isControlWord(s string) bool {
	return s == "if" || s == "while" || s == "for" || s == "switch" || s == "return"
}

// wouldFuse reports whether two tokens read as something else when nothing
// stands between them.
func wouldFuse(left, right string) bool {
	if left == "" || right == "" {
		return false
	}
	l, r := left[len(left)-1], right[0]
	if isNameByte(l) && (isNameByte(r) || r == '.' && isDigit(left[0])) || l == '.' && isDigit(r) {
		return true
	}
	for _, p := range longPunctuators {
		if len(p) == 2 && p[0] == l && p[1] == r {
			return true
		}
	}
	return l == '/' && (r == '/' || r == '*')
}
