package csource

import "fmt"

// The parser is recursive and made for honest programs; these bounds keep one
// that is not from exhausting the stack, the memory or the user's patience.
const (
	// maxNesting is of brackets open at once. clang stops at 256.
	maxNesting = 1000
	// maxOperators is of operators in one expression.
	maxOperators = 50_000
	// maxTypedOperators is of operators in one expression whose types are
	// worked out, which takes time in proportion to their number squared.
	maxTypedOperators = 5_000
	// maxExpansion is of tokens handled in macro expansion. The largest file
	// of Lua stays a hundred times below.
	maxExpansion = 20_000_000
)

// size is what the bounds apply to.
type size struct {
	nesting, operators int      // the largest
	deepest, longest   Position // where
}

func (t *text) measure() size {
	var s size
	depth, operators := 0, 0
	for _, w := range t.words {
		if w.kind != punctuator || w.directive {
			continue
		}
		switch t.bytes[w.start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		switch t.bytes[w.start] {
		case ';', ',', '{', '}':
			operators = 0
		default:
			operators++
		}
		if depth == maxNesting+1 && s.nesting <= maxNesting {
			s.deepest = t.position(w.start)
		}
		if operators == maxTypedOperators+1 && s.operators <= maxTypedOperators {
			s.longest = t.position(w.start)
		}
		s.nesting, s.operators = max(s.nesting, depth), max(s.operators, operators)
	}
	return s
}

// refuse says that a file is beyond what can be parsed; nil when it is not.
func (s size) refuse(path string) error {
	switch {
	case s.nesting > maxNesting:
		return &SyntaxError{Path: path, Detail: fmt.Sprintf("%s: more than %d brackets open", s.deepest, maxNesting)}
	case s.operators > maxOperators:
		return &SyntaxError{Path: path, Detail: fmt.Sprintf("%s: more than %d operators in one expression", s.longest, maxOperators)}
	}
	return nil
}

// refuseTypes says that types are not to be worked out; nil when they are.
func (s size) refuseTypes() error {
	if s.operators > maxTypedOperators {
		return fmt.Errorf("%s: more than %d operators in one expression: types are not worked out", s.longest, maxTypedOperators)
	}
	return nil
}
