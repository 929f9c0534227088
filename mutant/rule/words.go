package rule

// both makes fragments that can be matched and can replace.
func both(family string, operands []string, words ...string) []Fragment {
	var out []Fragment
	for k := 0; k < len(words); k += 2 {
		out = append(out, Fragment{Name: words[k], Family: family, Matches: true, Replaces: true, Operands: operands, Doc: words[k+1]})
	}
	return out
}

var (
	anyTwo       = []string{"@", "@"}
	anyOne       = []string{"@"}
	addressPlus  = []string{"A", "@"}
	pointersBoth = []string{"A", "@A"}
	onePointer   = []string{"P"}
	oneVariable  = []string{"V"}
)

var arithmeticFragments = both("arithmetic", anyTwo,
	"ADD", "`a + b`", "SUB", "`a - b`", "MUL", "`a * b`", "DIV", "`a / b`", "MOD", "`a % b`")

var bitwiseFragments = both("bitwise", anyTwo,
	"BITAND", "`a & b`", "BITOR", "`a | b`", "BITXOR", "`a ^ b`", "BITSHL", "`a << b`", "BITSHR", "`a >> b`")

var relationalFragments = append(both("relational", anyTwo,
	"EQ", "`a == b`", "NEQ", "`a != b`", "LT", "`a < b`", "GT", "`a > b`", "LE", "`a <= b`", "GE", "`a >= b`"),
	both("relational", pointersBoth,
		"PEQ", "`p == q`", "PNEQ", "`p != q`", "PLT", "`p < q`", "PGT", "`p > q`", "PLE", "`p <= q`", "PGE", "`p >= q`")...)

var logicalFragments = both("logical", anyTwo, "AND", "`a && b`", "OR", "`a || b`")

var negationFragments = append(both("negation", anyOne,
	"NEG", "`-a`", "BITNOT", "`~a`", "NOT", "`!a` (not one of Mart's)"),
	Fragment{Name: "COND", Family: "negation", Matches: true, Operands: anyOne,
		Doc: "the truth test of a value that is no comparison, `if (p)` (not one of Mart's)"})

var incrementFragments = append(both("increment", oneVariable,
	"LEFTINC", "`++x`", "LEFTDEC", "`--x`", "RIGHTINC", "`x++`", "RIGHTDEC", "`x--`"),
	both("increment", onePointer,
		"PLEFTINC", "`++p`", "PLEFTDEC", "`--p`", "PRIGHTINC", "`p++`", "PRIGHTDEC", "`p--`")...)

var assignmentFragments = append(both("assignment", []string{"V", "@"}, "ASSIGN", "`x = a`"),
	compoundOnly("ADD", "+="), compoundOnly("SUB", "-="), compoundOnly("MUL", "*="), compoundOnly("DIV", "/="), compoundOnly("MOD", "%="))

// compoundOnly makes the fragment of an arithmetic operator where it is written
// as an assignment.
func compoundOnly(operator, symbol string) Fragment {
	return Fragment{Name: operator + "ASSIGN", Type: operator, Family: "arithmetic", Matches: true, Operands: []string{"V", "@"},
		Doc: "`x " + symbol + " a` (not one of Mart's, to whom it is " + operator + " as well)"}
}

// atomFragments are the operand classes, which can be matched by themselves.
var atomFragments = []Fragment{
	{Name: "@", Family: "variable", Matches: true, Doc: "any expression with the value of a number: `a + f(b)`"},
	{Name: "V", Family: "variable", Matches: true, Doc: "a variable that is read: `x`"},
	{Name: "C", Family: "literal", Matches: true, Doc: "a number: `10`"},
	{Name: "A", Family: "pointer", Matches: true, Doc: "any expression with the value of an address: `&a[i]`, `p + 1`"},
	{Name: "P", Family: "pointer", Matches: true, Doc: "a pointer variable that is read: `p`"},
}

// valueFragments put in a value.
var valueFragments = []Fragment{
	{Name: "ABS", Family: "absolute", Replaces: true, Operands: anyOne, Doc: "the absolute value: `abs(a)`"},
	{Name: "NEGABS", Type: "NEG", Family: "absolute", Replaces: true, Operands: anyOne, Doc: "the negated absolute value: `-abs(a)` (not one of Mart's)"},
	{Name: "OPERAND", Family: "operand", Replaces: true, Operands: []string{"@A"}, Doc: "one of the operands alone: `a` for `a + b`"},
	{Name: "CONSTVAL", Family: "constant", Replaces: true, Operands: []string{number}, Doc: "the given number: `0`"},
	{Name: "SUCC", Family: "neighbour", Replaces: true, Operands: anyOne, Doc: "the value plus one, without a side effect: `x + 1` (not one of Mart's)"},
	{Name: "PRED", Family: "neighbour", Replaces: true, Operands: anyOne, Doc: "the value minus one, without a side effect: `x - 1` (not one of Mart's)"},
}

var pointerFragments = append(both("pointer", addressPlus, "PADD", "`p + i`, `&a[i]`", "PSUB", "`p - i`"),
	Fragment{Name: "INDEX", Type: "PADD", Family: "pointer", Matches: true, Operands: anyOne,
		Doc: "an index that is no variable, number or sum, `a[f(i)]` (not one of Mart's, to whom it is part of PADD)"})

var dereferenceFragments = append(append(both("dereference", addressPlus,
	"PADD_DEREF", "`*(p + i)`, `a[i]`", "PSUB_DEREF", "`*(p - i)`", "PDEREF_ADD", "`*p + i`", "PDEREF_SUB", "`*p - i`"),
	both("dereference", onePointer,
		"PLEFTINC_DEREF", "`*++p`", "PLEFTDEC_DEREF", "`*--p`", "PRIGHTINC_DEREF", "`*p++`", "PRIGHTDEC_DEREF", "`*p--`")...),
	both("dereference", onePointer,
		"PDEREF_LEFTINC", "`++*p`", "PDEREF_LEFTDEC", "`--*p`", "PDEREF_RIGHTINC", "`(*p)++`", "PDEREF_RIGHTDEC", "`(*p)--`")...)

var callFragments = []Fragment{
	{Name: "CALL", Family: "argument", Matches: true, Doc: "a call of a function: `f(a, b)`"},
	{Name: "SHUFFLEARGS", Family: "argument", Replaces: true, Operands: []string{number}, Doc: "that many arguments of one type exchanged: `f(b, a)`"},
	{Name: "NEWCALLEE", Family: "argument", Replaces: true, Operands: []string{function, function}, Doc: "the second function called instead of the first: `g(a, b)`"},
}

var switchFragments = []Fragment{
	{Name: "SWITCH", Family: "switch", Matches: true, Doc: "a `switch` statement"},
	{Name: "SHUFFLECASESDESTS", Family: "switch", Replaces: true, Operands: []string{number}, Doc: "that many cases lead to each other's code: `case 1:` and `case 2:` exchanged; of more than 32 cases only neighbours, but for Mart's sets"},
	{Name: "REMOVECASES", Family: "switch", Replaces: true, Operands: []string{number}, Doc: "that many cases dropped, whose values go to the default: `/* case 1: */`"},
}

var statementFragments = []Fragment{
	{Name: "STMT", Family: "statement", Matches: true, Doc: "any statement: `n = 0;`"},
	{Name: "RETURN_BREAK_CONTINUE", Family: "jump", Matches: true, Doc: "a jump: `return x;`, `break;`, `continue;`, `goto out;`"},
	{Name: "DELSTMT", Family: "statement", Replaces: true, Doc: "no statement: `;`"},
	{Name: "TRAPSTMT", Family: "statement", Replaces: true, Doc: "the end of the program: `abort();`"},
}
