package rule

import (
	"fmt"
	"slices"
)

// builder makes rules from texts, named as Mart's generator names them.
type builder struct {
	rules []Rule
	seen  map[string]bool
}

// add makes the rules of one pattern. A rule that is there already, or one
// that puts in what it matches, is left out.
func (b *builder) add(pattern string, replacements ...string) {
	for _, r := range replacements {
		if r == pattern {
			continue
		}
		set, err := Parse("preset", fmt.Appendf(nil, "%s --> x, %s;", pattern, r))
		if err != nil {
			panic(err) // a preset is written wrongly, which the tests of this package show
		}
		rule := set.Rules[0]
		rule.Name = rule.MartName()
		if b.seen[rule.Name] {
			continue
		}
		if b.seen == nil {
			b.seen = map[string]bool{}
		}
		b.seen[rule.Name] = true
		b.rules = append(b.rules, rule)
	}
}

// among replaces each operator of a family by each other, with the operands in
// their order.
func (b *builder) among(first, second string, family ...string) {
	for _, m := range family {
		for _, r := range family {
			b.add(two(m, first, second), two(r, first, second))
		}
	}
}

func one(fragment, operand string) string { return fragment + "(" + operand + ")" }
func two(fragment, x, y string) string    { return fragment + "(" + x + ", " + y + ")" }

// The families as Mart's generator knows them.
var (
	aor       = []string{"ADD", "SUB", "MUL", "DIV", "MOD"}
	bor       = []string{"BITAND", "BITOR", "BITXOR", "BITSHL", "BITSHR"}
	ror       = []string{"EQ", "NEQ", "LT", "GT", "LE", "GE"}
	lor       = []string{"AND", "OR"}
	signs     = []string{"NEG", "BITNOT"}
	steps     = []string{"LEFTINC", "LEFTDEC", "RIGHTINC", "RIGHTDEC"}
	moves     = []string{"PADD", "PSUB"}
	pointers  = []string{"PEQ", "PNEQ", "PLT", "PGT", "PLE", "PGE"}
	pointed   = []string{"PLEFTINC", "PLEFTDEC", "PRIGHTINC", "PRIGHTDEC"}
	addThenAt = []string{"PADD_DEREF", "PSUB_DEREF"}
	atThenAdd = []string{"PDEREF_ADD", "PDEREF_SUB"}
	incThenAt = []string{"PLEFTINC_DEREF", "PLEFTDEC_DEREF", "PRIGHTINC_DEREF", "PRIGHTDEC_DEREF"}
	atThenInc = []string{"PDEREF_LEFTINC", "PDEREF_LEFTDEC", "PDEREF_RIGHTINC", "PDEREF_RIGHTDEC"}
	whole     = []string{"DELSTMT", "TRAPSTMT"}
)

// commutative are the scalar operators of which Mart makes one order only.
var commutative = []string{"ADD", "MUL", "BITAND", "BITOR", "BITXOR", "EQ", "NEQ"}

// combinations are the options of Mart's generator.
type combinations struct {
	// steps: scalar ++ and -- too, which the generator leaves out: it lists the
	// pointers' twice.
	steps bool
	// truths: each scalar operator also becomes 0 and 1, as since 2019.
	truths bool
}

// all makes the rules of Mart's generator: who may replace whom, with all
// operands that fit (create_mconf.py of its distribution; dissertation,
// table 8.1).
func (c combinations) all() []Rule {
	b := &builder{}
	for _, m := range slices.Concat(aor, bor, ror) {
		c.binary(b, m, "@1", "@2")
		b.add(two(m, "V1", "@2"), "ASSIGN(V1, @2)")
		b.add(two(m, "@1", "V2"), "ASSIGN(V2, @1)")
	}
	c.binary(b, "ASSIGN", "V1", "@2")
	for _, m := range lor {
		b.add(two(m, "@1", "@2"), slices.Concat([]string{"AND(@1, @2)", "OR(@1, @2)", "OPERAND(@1)", "OPERAND(@2)"}, c.constants(), whole)...)
	}
	for _, m := range signs {
		b.add(one(m, "@1"), slices.Concat([]string{"NEG(@1)", "BITNOT(@1)", "ABS(@1)", "OPERAND(@1)"}, c.constants(), whole)...)
	}
	if c.steps {
		c.increments(b)
	}
	b.add("@", "ABS(@)")
	b.add("C", "ADD(C, 1)", "ADD(C, -1)", "CONSTVAL(0)")
	c.pointers(b)
	c.dereferences(b)
	b.add("CALL", "SHUFFLEARGS(2)", "NEWCALLEE(dirname, basename)", "NEWCALLEE(basename, dirname)")
	b.add("SWITCH", "SHUFFLECASESDESTS(2)", "REMOVECASES(1)")
	b.add("RETURN_BREAK_CONTINUE", whole...)
	b.add("STMT", whole...)
	return b.rules
}

func (c combinations) constants() []string {
	if c.truths {
		return []string{"CONSTVAL(0)", "CONSTVAL(1)"}
	}
	return nil
}

// binary replaces a scalar operator by the others and by its operands.
func (c combinations) binary(b *builder, m, x, y string) {
	pattern := two(m, x, y)
	for _, r := range slices.Concat(aor, bor, ror) {
		if r == m {
			continue
		}
		b.add(pattern, two(r, x, y))
		if !slices.Contains(commutative, r) {
			b.add(pattern, two(r, y, x))
		}
	}
	for _, r := range []string{"ABS", "NEG", "BITNOT", "OPERAND"} {
		b.add(pattern, one(r, x), one(r, y))
	}
	b.add(pattern, c.constants()...)
	b.add(pattern, whole...)
}

// increments are the rules with scalar ++ and --.
func (c combinations) increments(b *builder) {
	for _, step := range steps {
		for _, m := range slices.Concat(aor, bor, ror) {
			b.add(two(m, "V1", "@2"), one(step, "V1"))
			b.add(two(m, "@1", "V2"), one(step, "V2"))
		}
		b.add("ASSIGN(V1, @2)", one(step, "V1"))
		b.add("ASSIGN(V1, V2)", one(step, "V2"))
		for _, m := range signs {
			b.add(one(m, "V1"), one(step, "V1"))
		}
		b.add("V", one(step, "V"))
		for _, r := range slices.Concat(steps, []string{"NEG", "BITNOT", "ABS", "OPERAND"}) {
			b.add(one(step, "V1"), one(r, "V1"))
		}
		b.add(one(step, "V1"), whole...)
	}
}

func (c combinations) pointers(b *builder) {
	b.add("A", "CONSTVAL(0)")
	for _, step := range pointed {
		b.add("P", one(step, "P"))
		for _, r := range pointed {
			b.add(one(step, "P1"), one(r, "P1"))
		}
		b.add(one(step, "P1"), "OPERAND(P1)")
		b.add(one(step, "P1"), whole...)
	}
	for _, m := range moves {
		b.add(two(m, "A1", "@2"), slices.Concat([]string{"PADD(A1, @2)", "PSUB(A1, @2)", "OPERAND(A1)", "OPERAND(@2)"}, whole)...)
		for _, step := range pointed {
			b.add(two(m, "P1", "@2"), one(step, "P1"))
		}
	}
	for _, m := range pointers {
		for _, r := range pointers {
			b.add(two(m, "A1", "@2"), two(r, "A1", "@2"))
		}
		b.add(two(m, "A1", "@2"), slices.Concat([]string{"OPERAND(A1)", "OPERAND(@2)"}, whole)...)
	}
}

// dereferences exchange what is done before a dereference with what is done
// after it.
func (c combinations) dereferences(b *builder) {
	exchange := func(binaries, unaries, forBinaries, forUnaries []string) {
		for _, m := range binaries {
			for _, r := range forBinaries {
				b.add(two(m, "A1", "@2"), two(r, "A1", "@2"))
			}
			b.add(two(m, "A1", "@2"), whole...)
			for _, r := range forUnaries {
				b.add(two(m, "P1", "@2"), one(r, "P1"))
			}
		}
		for _, m := range unaries {
			for _, r := range forUnaries {
				b.add(one(m, "P1"), one(r, "P1"))
			}
			b.add(one(m, "P1"), whole...)
		}
	}
	exchange(addThenAt, incThenAt, atThenAdd, atThenInc)
	exchange(atThenAdd, atThenInc, addThenAt, incThenAt)
}
