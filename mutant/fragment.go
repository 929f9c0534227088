package mutant

// The fragments of Mart's language (dissertation, section 8.1 and table 8.1;
// the 67 names that its tool registers) and four of our own, marked below. A
// mutant's Matcher and Replacer are taken from these two closed lists, which
// features and models rely on: a new name goes to the end of a list and changes
// the feature schema.

// Matchers returns the fragments that operators match, in a fixed order.
func Matchers() []string { return append([]string(nil), matchers...) }

// Replacers returns the fragments that operators put in, in a fixed order.
func Replacers() []string { return append([]string(nil), replacers...) }

// both are the fragments that can be matched and can replace.
var both = []string{
	"NEG", "BITNOT",
	"ADD", "SUB", "MUL", "DIV", "MOD",
	"BITAND", "BITOR", "BITXOR", "BITSHL", "BITSHR",
	"EQ", "NEQ", "LT", "GT", "LE", "GE",
	"AND", "OR", "ASSIGN",
	"LEFTINC", "LEFTDEC", "RIGHTINC", "RIGHTDEC",
	"PADD", "PSUB",
	"PLEFTINC", "PLEFTDEC", "PRIGHTINC", "PRIGHTDEC",
	"PEQ", "PNEQ", "PLT", "PGT", "PLE", "PGE",
	"PADD_DEREF", "PSUB_DEREF", "PDEREF_ADD", "PDEREF_SUB",
	"PLEFTINC_DEREF", "PLEFTDEC_DEREF", "PRIGHTINC_DEREF", "PRIGHTDEC_DEREF",
	"PDEREF_LEFTINC", "PDEREF_LEFTDEC", "PDEREF_RIGHTINC", "PDEREF_RIGHTDEC",
}

var (
	// COND is ours: the truth test of a value that is no comparison, `if (p)`.
	// NOT is ours: logical negation, which Mart's code knows but does not offer.
	matchers = append(append([]string(nil), both...),
		"@", "C", "V", "A", "P", "STMT", "RETURN_BREAK_CONTINUE", "CALL", "SWITCH", "NOT", "COND")
	// SUCC and PRED are not fragments of Mart: value plus and minus one, as in
	// Riener's IVI, without the side effect of ++ and --.
	replacers = append(append([]string(nil), both...),
		"ABS", "OPERAND", "CONSTVAL", "DELSTMT", "TRAPSTMT", "NEWCALLEE", "SHUFFLEARGS",
		"SHUFFLECASESDESTS", "REMOVECASES", "NOT", "SUCC", "PRED")
)
