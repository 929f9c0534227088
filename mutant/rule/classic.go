package rule

// preset is a preset of the rules that build adds.
func preset(name, doc string, build func(*builder)) Preset {
	return Preset{Name: name, Doc: doc, rules: func() []Rule {
		b := &builder{}
		build(b)
		return b.rules
	}}
}

func riener() Preset {
	return preset("riener", "the operators of Riener (2011, section 3.1): AOR, BOR, RCI, and IVI on values that are read", func(b *builder) {
		b.among("@1", "@2", aor...)
		b.among("@1", "@2", bor...)
		b.among("@1", "@2", ror...)
		b.add("V", "SUCC(V)", "PRED(V)", "CONSTVAL(0)")
	})
}

func selective() Preset {
	return Preset{
		Name: "e-selective",
		Doc:  "the sufficient operators of Offutt et al. (1996): ABS, AOR, LCR, ROR, UOI",
		rules: func() []Rule {
			return join([]*Set{absolute().Set(), arithmetic().Set(), logical().Set(), relational().Set(), unary().Set()}).Rules
		},
	}
}

func deletion() Preset {
	return preset("sdl", "statement deletion alone, jumps included", func(b *builder) {
		b.add("STMT", "DELSTMT")
		b.add("RETURN_BREAK_CONTINUE", "DELSTMT")
	})
}

func absolute() Preset {
	return preset("ABS", "absolute values: `a` becomes `abs(a)`, `-abs(a)`", func(b *builder) { b.add("@", "ABS(@)", "NEGABS(@)") })
}

func arithmetic() Preset {
	return preset("AOR", "arithmetic operators for one another: `a + b` becomes `a - b`, …", func(b *builder) { b.among("@1", "@2", aor...) })
}

func logical() Preset {
	return preset("LCR", "logical connectors for one another: `a && b` becomes `a || b`", func(b *builder) { b.among("@1", "@2", lor...) })
}

func relational() Preset {
	return preset("ROR", "comparisons for one another: `a < b` becomes `a <= b`, …", func(b *builder) {
		b.among("@1", "@2", ror...)
		b.among("A1", "@2", pointers...)
	})
}

func unary() Preset {
	return preset("UOI", "++ and -- where a variable is read: `x` becomes `++x`, `x--`, …", func(b *builder) {
		for _, step := range steps {
			b.add("V", one(step, "V"))
		}
		for _, step := range pointed {
			b.add("P", one(step, "P"))
		}
	})
}

func constants() Preset {
	return preset("CRCR", "numbers: `c` becomes `1`, `-1`, `0`, `c + 1`, `c - 1`, `-c`", func(b *builder) {
		b.add("C", "CONSTVAL(1)", "CONSTVAL(-1)", "CONSTVAL(0)", "ADD(C, 1)", "ADD(C, -1)", "NEG(C)")
	})
}

func compound() Preset {
	return preset("OAAA", "arithmetic assignments for one another: `x += a` becomes `x -= a`, …", func(b *builder) {
		for _, m := range aor {
			for _, r := range aor {
				if r != m {
					b.add(two(m+"ASSIGN", "V1", "@2"), two(r, "V1", "@2"))
				}
			}
		}
	})
}

func bitwise() Preset {
	return preset("OBBN", "`a & b` becomes `a | b` and the reverse", func(b *builder) { b.among("@1", "@2", "BITAND", "BITOR") })
}

// conditions negates by the comparison's own opposite.
func conditions() Preset {
	return preset("OCNG", "conditions negated: `if (p)` becomes `if (!p)`, `a < b` becomes `a >= b`", func(b *builder) {
		opposites := [][2]string{{"EQ", "NEQ"}, {"LT", "GE"}, {"GT", "LE"}}
		for _, o := range opposites {
			for k, m := range o {
				b.add(two(m, "@1", "@2"), two(o[1-k], "@1", "@2"))
			}
		}
		for _, o := range opposites {
			for k, m := range o {
				b.add(two("P"+m, "A1", "@2"), two("P"+o[1-k], "A1", "@2"))
			}
		}
		b.add("COND(@1)", "NOT(@1)")
		b.add("NOT(@1)", "OPERAND(@1)")
	})
}

func statements() Preset {
	return Preset{Name: "SSDL", Doc: "statements deleted: `n = 0;` becomes `;`", rules: deletion().rules}
}
