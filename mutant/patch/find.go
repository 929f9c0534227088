package patch

import (
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/mutant"
)

// search finds where one mutant stands in its file.
type search struct {
	file *csource.File
	m    *mutant.Mutant
}

// at, starting and statement are what the file has at the mutant's place, which in a macro
// is a token.
func (s search) at() []*csource.Expr {
	if s.m.Token > 0 {
		return s.file.AtToken(csource.Token(s.m.Token))
	}
	return s.file.At(s.m.Line, s.m.Column)
}

func (s search) starting() []*csource.Expr {
	if s.m.Token > 0 {
		return s.file.StartingAtToken(csource.Token(s.m.Token))
	}
	return s.file.StartingAt(s.m.Line, s.m.Column)
}

func (s search) statement() *csource.Stmt {
	if s.m.Token > 0 {
		return s.file.StatementAtToken(csource.Token(s.m.Token))
	}
	return s.file.StatementAt(s.m.Line, s.m.Column)
}

// change tells the forms of a mutant's text apart: a label, a returned value,
// a statement, or an expression.
func (s search) change() (csource.Change, Reason) {
	original, replacement := s.m.Original, s.m.Replacement
	switch {
	case s.m.Replacer == shuffleCases:
		return s.exchange()
	case strings.HasPrefix(original, "case ") && strings.HasSuffix(original, ":"):
		return s.label()
	case s.m.Matcher == "RETURN_BREAK_CONTINUE" || s.isAssembly():
		return s.wholeStatement()
	case strings.HasPrefix(original, "return ") && strings.HasPrefix(replacement, "return "):
		return s.returned(strings.TrimPrefix(replacement, "return "))
	case strings.HasPrefix(original, "return ") && trap == strings.TrimSuffix(replacement, ";"):
		return s.trapped()
	}
	text := strings.TrimSuffix(original, ";")
	if e := s.computed(text); e != nil {
		left := e.Operands[0].Unparen().Fragment()
		return replaced(e, csource.RenderInfix("=", left, csource.FragmentOf(replacement)).Text)
	}
	if e := s.chained(text); e != nil {
		first := e.Operands[0].Unparen().Operands[0].Unparen().Fragment()
		return replaced(e, csource.RenderInfix(e.Op, first, csource.FragmentOf(replacement)).Text)
	}
	e, reason := s.expression(text)
	if reason == NotFound && replacement == ";" {
		e, reason = s.copied()
	}
	if reason != "" {
		return csource.Change{}, reason
	}
	text = strings.TrimSuffix(replacement, ";")
	switch {
	case replacement == ";":
		return deleted(e, "")
	case s.m.Replacer == "DELSTMT" && replacement != text && !isChained(e):
		return deleted(e, text)
	case text == trap && isUsed(e):
		// The IR has a part of an expression as a statement: a call that fills
		// a structure, ++x.
		text = "(" + trap + ", " + e.Fragment().Paren(csource.AssignmentPrecedence) + ")"
	case isPointerDifference(e) && takesNumbers[s.m.Replacer]:
		return csource.Change{}, Pointers
	case s.m.Matcher == "C" && isInner(e):
		// clang stores a constant into each variable of a = b = 0 by itself.
		text = "(" + text + ", " + e.Operands[1].Fragment().Paren(csource.AssignmentPrecedence) + ")"
	}
	return replaced(e, text)
}

// isAssembly reports a statement of inline assembly, which is no expression.
func (s search) isAssembly() bool {
	at := s.statement()
	return at != nil && at.Kind == csource.Asm && squeeze(at.Text()) == squeeze(s.m.Original)
}

// wholeStatement changes a statement that is no expression.
func (s search) wholeStatement() (csource.Change, Reason) {
	at := s.statement()
	if at == nil || squeeze(at.Text()) != squeeze(s.m.Original) {
		return csource.Change{}, NotFound
	}
	return orDirective(at.Replace(s.m.Replacement))
}

func (s search) returned(value string) (csource.Change, Reason) {
	at := s.statement()
	if at == nil || at.Kind != csource.Return || len(at.Exprs) != 1 {
		return csource.Change{}, NotFound
	}
	e := at.Exprs[0].Unparen()
	if !matches(e, strings.TrimPrefix(s.m.Original, "return "), loosely) {
		return csource.Change{}, NotFound
	}
	return replaced(e, value)
}

// computed finds the compound assignment that computes a text: x + y is not
// written in x += y.
func (s search) computed(text string) *csource.Expr {
	for _, e := range s.at() {
		if e.Kind != csource.CompoundAssign || len(e.Operands) != 2 {
			continue
		}
		sum := csource.RenderInfix(strings.TrimSuffix(e.Op, "="), e.Operands[0].Unparen().Fragment(), e.Operands[1].Unparen().Fragment())
		if withoutParens(squeeze(sum.Text)) == withoutParens(squeeze(text)) {
			return e
		}
	}
	return nil
}

// chained finds the second operator of a chain a && b && c by the text b && c,
// which is no expression there but may be taken for one: (a && b) && c is
// a && (b && c).
func (s search) chained(text string) *csource.Expr {
	for _, e := range s.at() {
		if e.Kind != csource.Logical || len(e.Operands) != 2 {
			continue
		}
		left := e.Operands[0].Unparen()
		if left.Kind != csource.Logical || left.Op != e.Op || len(left.Operands) != 2 {
			continue
		}
		tail := csource.RenderInfix(e.Op, left.Operands[1].Unparen().Fragment(), e.Operands[1].Unparen().Fragment())
		if withoutParens(squeeze(tail.Text)) == withoutParens(squeeze(text)) {
			return e
		}
	}
	return nil
}

// copied finds the assignment of a structure, which clang places at its right
// side.
func (s search) copied() (*csource.Expr, Reason) {
	for _, right := range s.starting() {
		e := right.Parent
		if e != nil && e.Kind == csource.Assignment && e.Operands[1] == right && e.Parent == nil && strings.Contains(s.m.Original, " = ") {
			return e, ""
		}
	}
	return nil, NotFound
}

// trap is what stands in the place of a statement that must not run.
const trap = "abort()"

func (s search) trapped() (csource.Change, Reason) {
	at := s.statement()
	if at == nil || at.Kind != csource.Return {
		return csource.Change{}, NotFound
	}
	return orDirective(at.Replace(trap + ";"))
}

// expression finds the expression of a text: at the mutant's place, where one
// begins there, around or below those. Of equal texts an exact one is better.
func (s search) expression(text string) (*csource.Expr, Reason) {
	at := s.at()
	starting := s.starting()
	var around, below []*csource.Expr
	for _, e := range slices.Concat(at, starting) {
		for outer := e.Parent; outer != nil; outer = outer.Parent {
			around = append(around, outer)
		}
		e.Walk(func(e *csource.Expr) bool { below = append(below, e); return true })
	}
	for _, how := range []strictness{exactly, loosely} {
		for _, where := range [][]*csource.Expr{at, starting, around, below, s.conditions()} {
			found := distinct(where, func(e *csource.Expr) bool { return matches(e, text, how) && isWhole(e) })
			switch {
			case len(found) == 1:
				return found[0], ""
			case len(found) > 1:
				return nil, Ambiguous
			}
		}
	}
	// The text was rebuilt from the IR and is spelled otherwise in the source;
	// the operator at the place tells the expression.
	found := distinct(at, func(e *csource.Expr) bool { return hasOperator(e, s.m.Matcher) })
	if len(found) == 1 {
		return found[0], ""
	}
	return nil, NotFound
}

// conditions is the condition of the statement at the place, or of the loop
// whose body that is: clang places some tests at a keyword or brace.
func (s search) conditions() []*csource.Expr {
	for at := s.statement(); at != nil; at = at.Parent {
		if at.Condition != nil {
			return []*csource.Expr{at.Condition}
		}
	}
	return nil
}

// isWhole leaves out the declared name of an initialisation, which is no
// expression.
func isWhole(e *csource.Expr) bool {
	return e.Parent == nil || e.Parent.Kind != csource.Initializer || e.Parent.Operands[0] != e
}

// distinct are the expressions that a test holds for, without those that only
// put parentheses around another one.
func distinct(es []*csource.Expr, holds func(*csource.Expr) bool) []*csource.Expr {
	var out []*csource.Expr
	for _, e := range es {
		if e = e.Unparen(); holds(e) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// strictness is what counts as the same text: white space never does,
// parentheses only exactly.
type strictness uint8

const (
	exactly strictness = iota
	loosely
)

// matches reports whether an expression is written as a text says, in the
// source or after macros were expanded.
func matches(e *csource.Expr, text string, how strictness) bool {
	same := func(written string) bool {
		written, text := squeeze(written), squeeze(text)
		if how == loosely {
			written, text = withoutParens(written), withoutParens(text)
		}
		if head, tail, cut := strings.Cut(text, ellipsis); cut {
			return len(written) > len(head)+len(tail) && strings.HasPrefix(written, head) && strings.HasSuffix(written, tail)
		}
		return written == text
	}
	if same(e.Text()) || same(e.Fragment().Text) {
		return true
	}
	if len(e.Operands) != 2 {
		return e.InMacro && same(e.Expanded())
	}
	switch e.Kind {
	case csource.Initializer: // `p = q` of `char *p = q`
		return same(e.Name + "=" + e.Operands[1].Unparen().Fragment().Text)
	case csource.Binary, csource.Logical, csource.Assignment, csource.CompoundAssign:
		left, right := e.Operands[0].Unparen().Fragment(), e.Operands[1].Unparen().Fragment()
		return same(csource.RenderInfix(e.Op, left, right).Text)
	}
	return e.InMacro && same(e.Expanded())
}

var (
	blanks = strings.NewReplacer(" ", "", "\t", "", "\n", "")
	parens = strings.NewReplacer("(", "", ")", "")
)

func squeeze(s string) string { return blanks.Replace(s) }

func withoutParens(s string) string { return parens.Replace(s) }

// operators are the operators of C by the fragments of mutants' types.
var operators = map[string]string{
	"ADD": "+", "SUB": "-", "MUL": "*", "DIV": "/", "MOD": "%", "PADD": "+", "PSUB": "-",
	"BITAND": "&", "BITOR": "|", "BITXOR": "^", "BITSHL": "<<", "BITSHR": ">>",
	"EQ": "==", "NEQ": "!=", "LT": "<", "GT": ">", "LE": "<=", "GE": ">=",
	"PEQ": "==", "PNEQ": "!=", "PLT": "<", "PGT": ">", "PLE": "<=", "PGE": ">=",
	"LEFTINC": "++", "RIGHTINC": "++", "LEFTDEC": "--", "RIGHTDEC": "--",
	"PLEFTINC": "++", "PRIGHTINC": "++", "PLEFTDEC": "--", "PRIGHTDEC": "--",
}

func hasOperator(e *csource.Expr, matcher string) bool {
	op, known := operators[matcher]
	if matcher == "BITNOT" && e.Kind == csource.Binary && e.Op == "^" {
		return true // x ^ -1
	}
	return known && e.Op == op && e.Kind != csource.Unary
}

// isInner reports an assignment that is the value of another one.
func isInner(e *csource.Expr) bool {
	if e.Kind != csource.Assignment || e.Parent == nil {
		return false
	}
	around := e.Parent
	for around.Kind == csource.Paren && around.Parent != nil {
		around = around.Parent
	}
	return around.Kind == csource.Assignment || around.Kind == csource.Initializer
}

// isChained reports an assignment whose value is that of another one.
func isChained(e *csource.Expr) bool {
	return e.Kind == csource.Assignment && isInner(e.Operands[1].Unparen())
}

// isPointerDifference reports p - q, which in the IR is arithmetic on numbers.
func isPointerDifference(e *csource.Expr) bool {
	isPointer := func(e *csource.Expr) bool { return strings.ContainsAny(e.TypeName, "*[") }
	return e.Kind == csource.Binary && e.Op == "-" && isPointer(e.Operands[0]) && isPointer(e.Operands[1])
}

// takesNumbers are the operators by fragment that C does not have for pointers.
var takesNumbers = map[string]bool{
	"NEG": true, "BITNOT": true, "ABS": true, "NEGABS": true,
	"ADD": true, "MUL": true, "DIV": true, "MOD": true,
	"BITAND": true, "BITOR": true, "BITXOR": true, "BITSHL": true, "BITSHR": true,
}

// replaced puts a text in the place of an expression. Of an initialisation
// only the value changes: the declarator is no expression.
func replaced(e *csource.Expr, text string) (csource.Change, Reason) {
	if e.Kind == csource.Initializer {
		value, ok := strings.CutPrefix(text, e.Name+" = ")
		if text == trap && len(e.Operands) == 2 && e.Operands[1].Kind != csource.InitList && e.Operands[1].Kind != csource.StringLiteral {
			value, ok = "("+trap+", "+e.Operands[1].Fragment().Paren(csource.AssignmentPrecedence)+")", true
		}
		if !ok || len(e.Operands) != 2 || e.Operands[1].Kind == csource.InitList && !strings.HasPrefix(value, "{") {
			return csource.Change{}, NotFound
		}
		e, text = e.Operands[1], value
	}
	text = csource.FragmentOf(text).Paren(e.Demand())
	return orDirective(e.Replace(text))
}

// deleted takes an expression away whose value the mutant does not need, but for
// the effects that rest says. What a call returns in memory is a variable's value or
// a result to C, but not to the IR: the variable is left uninitialised then.
func deleted(e *csource.Expr, rest string) (csource.Change, Reason) {
	if e.Kind == csource.Initializer {
		if needsValue(e) || rest != "" {
			return csource.Change{}, Declaration
		}
		return orDirective(e.DropInitializer())
	}
	var kept []string
	if rest == "" {
		kept = structures(e)
		rest = strings.Join(kept, ", ")
	}
	alone := e
	for alone.Parent != nil && alone.Parent.Kind == csource.Paren {
		alone = alone.Parent
	}
	around := alone.Parent
	switch {
	case around == nil:
		s := alone.Stmt
		if s == nil || s.Condition == alone || s.Kind != csource.ExprStmt && s.Kind != csource.For {
			return csource.Change{}, Needed
		}
		return orDirective(alone.Replace(rest))
	case kept != nil:
		return csource.Change{}, Needed
	case around.Kind == csource.Initializer || around.Kind == csource.Assignment && around.Operands[1] == alone:
		return deleted(around, rest)
	case around.Kind == csource.Comma, around.Kind == csource.Cast && around.TypeName == "void",
		around.Kind == csource.Conditional && around.Operands[0] != alone && !isStructure(around):
		return orDirective(e.Replace(csource.FragmentOf(nothing(rest)).Paren(e.Demand())))
	}
	return csource.Change{}, Needed
}

// nothing is an expression without a value, after some effects.
func nothing(effects string) string {
	if effects == "" {
		return "(void)0"
	}
	return "(void)(" + effects + ")"
}

// structures are the arguments of a call that are structures which another call
// returns. They go through memory, so that in the IR the inner call is a
// statement of its own, and stays.
func structures(call *csource.Expr) []string {
	var out []string
	if call.Kind != csource.Call {
		return nil
	}
	for _, argument := range call.Operands[1:] {
		argument = argument.Unparen()
		if argument.Kind == csource.Call && isStructure(argument) {
			out = append(out, argument.Fragment().Text)
		}
	}
	return out
}

// isUsed reports an expression whose value C takes for something.
func isUsed(e *csource.Expr) bool {
	if e.Kind == csource.Initializer || e.TypeName == "void" {
		return false
	}
	for e.Parent != nil && e.Parent.Kind == csource.Paren {
		e = e.Parent
	}
	s := e.Stmt
	return e.Parent != nil || s == nil || s.Condition == e || s.Kind != csource.ExprStmt && s.Kind != csource.For
}

func isStructure(e *csource.Expr) bool {
	return strings.HasPrefix(e.TypeName, "struct ") || strings.HasPrefix(e.TypeName, "union ")
}

// needsValue reports a declaration that is not valid without its initial
// value: an array takes its length from it.
func needsValue(e *csource.Expr) bool {
	declarator, _, _ := strings.Cut(e.Text(), "=")
	return strings.Contains(squeeze(declarator), "[]")
}

func orDirective(c csource.Change, ok bool) (csource.Change, Reason) {
	if !ok {
		return csource.Change{}, Directive
	}
	return c, ""
}
