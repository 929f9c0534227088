package constraint

import (
	"testing"

	"github.com/winnow-mutants/winnow/analysis/op"
)

var relations = []relation{less, equal, less | equal, greater, less | greater, greater | equal}

const width = 5 // of the numbers that are tried

func numbers(yield func(int64) bool) {
	for x := int64(-1 << (width - 1)); x < 1<<(width-1); x++ {
		if !yield(x) {
			return
		}
	}
}

// variable is a term of which nothing is known.
func variable(t *terms, k int64, width uint) term { return t.leaf(isParam, 0, k, width, "") }

// Two constraints on one term with constants exclude each other exactly where no number of
// five width meets both (table V), with and without a sign.
func TestConstantsAreComparedExactly(t *testing.T) {
	terms := newTerms()
	x := variable(terms, 0, width)
	for _, r1 := range relations {
		for _, r2 := range relations {
			for signs := range 4 {
				for k1 := range numbers {
					for k2 := range numbers {
						c := terms.constraint(x, terms.number(k1, width), r1, signs&1 != 0)
						d := terms.constraint(x, terms.number(k2, width), r2, signs&2 != 0)
						met, alone := false, false
						for v := range numbers {
							first := holds(r1, v, k1, width, signs&1 != 0)
							alone = alone || first
							met = met || first && holds(r2, v, k2, width, signs&2 != 0)
						}
						if got := exclude(terms, &c, &d); got != !met && (alone && d.rel != never && len(intervalsOf(terms, &d)) > 0) {
							t.Fatalf("x %s %d and x %s %d (%d): excluded %v", r1, k1, r2, k2, signs, got)
						}
						if _, _, found := contradiction(terms, []constraint{c}); found == alone {
							t.Fatalf("x %s %d (%d): a contradiction of its own is %v", r1, k1, signs, found)
						}
					}
				}
			}
		}
	}
}

// Negation and partial negation, on two terms (tables III and IV): what is said to exclude
// each other is met by no two numbers, and all pairs of relations with nothing in common are
// found.
func TestNegations(t *testing.T) {
	terms := newTerms()
	x, y := variable(terms, 0, width), variable(terms, 1, width)
	for _, r1 := range relations {
		for _, r2 := range relations {
			for signs := range 4 {
				for _, turned := range []bool{false, true} {
					c := terms.constraint(x, y, r1, signs&1 != 0)
					d := terms.constraint(x, y, r2, signs&2 != 0)
					if turned {
						d = terms.constraint(y, x, r2.mirrored(), signs&2 != 0)
					}
					met := false
					for a := range numbers {
						for b := range numbers {
							met = met || holds(r1, a, b, width, signs&1 != 0) && holds(r2, a, b, width, signs&2 != 0)
						}
					}
					if got := exclude(terms, &c, &d); got == met {
						t.Errorf("x %s y and x %s y (%d): excluded %v", r1, r2, signs, got)
					}
				}
			}
		}
	}
}

// Each row of the table of splits holds of all numbers of five width: of those that wrap, or of
// those where nothing does.
func TestSplitsHold(t *testing.T) {
	for _, row := range splits {
		for x := range numbers {
			for y := range numbers {
				z, ok := row.code.Ints(x, y, width)
				exact := map[op.Code]int64{op.Add: x + y, op.Sub: x - y, op.Mul: x * y, op.SDiv: z}[row.code]
				if !ok || !row.wraps && z != exact || row.code == op.SDiv && z < 0 && x < 0 && y == -1 { // not defined
					continue
				}
				if !holds(row.rel, z, 0, width, false) {
					continue
				}
				some := false
				for _, alternative := range row.alternatives {
					all := true
					for _, h := range alternative {
						v := x
						if h.second {
							v = y
						}
						all = all && holds(h.rel, v, 0, width, false)
					}
					some = some || all
				}
				if !some {
					t.Errorf("%v %s 0 with %d and %d: no alternative holds", row.code, row.rel, x, y)
				}
			}
		}
	}
}

// A constraint on numbers that were widened, or on their difference with zero, is the same as
// the one that it is turned into.
func TestConstraintsInAnotherFormAreTheSame(t *testing.T) {
	const narrow = 3
	for _, widen := range []op.Code{op.ZExt, op.SExt} {
		for _, rel := range relations {
			for _, unsigned := range []bool{false, true} {
				for k := range numbers {
					terms := newTerms()
					x := variable(terms, 0, narrow)
					c := terms.constraint(terms.convert(widen, x, width), terms.number(k, width), rel, unsigned)
					for v := int64(-1 << (narrow - 1)); v < 1<<(narrow-1); v++ {
						wide := v
						if widen == op.ZExt {
							wide = int64(op.Unsigned(v, narrow))
						}
						if want, got := holds(rel, wide, k, width, unsigned), met(terms, c, map[term]int64{x: v}); want != got {
							t.Fatalf("%v of %d %s %d (unsigned %v): %v, want %v", widen, v, rel, k, unsigned, got, want)
						}
					}
				}
			}
		}
	}
	for _, rel := range []relation{equal, less | greater} {
		terms := newTerms()
		x, y := variable(terms, 0, width), variable(terms, 1, width)
		c := terms.constraint(terms.binary(op.Sub, x, y, width), terms.number(0, width), rel, false)
		for a := range numbers {
			for b := range numbers {
				if want, got := holds(rel, op.Wrap(a-b, width), 0, width, false), met(terms, c, map[term]int64{x: a, y: b}); want != got {
					t.Fatalf("%d - %d %s 0: %v", a, b, rel, got)
				}
			}
		}
	}
}

// A sum of characters is compared by moving its numbers, since it cannot wrap; one of numbers
// that may is left.
func TestNumbersMoveWhereNothingWraps(t *testing.T) {
	const narrow = 3
	for _, code := range []op.Code{op.Add, op.Sub, op.Mul} {
		for _, rel := range relations {
			for k := range numbers {
				for other := range numbers {
					terms := newTerms()
					x, y := variable(terms, 0, narrow), variable(terms, 1, narrow)
					wide, unknown := terms.convert(op.SExt, x, width), variable(terms, 2, width)
					for _, sum := range []term{terms.binary(code, wide, terms.number(other, width), width),
						terms.binary(code, wide, terms.convert(op.SExt, y, width), width), terms.binary(code, unknown, terms.number(other, width), width)} {
						c := terms.constraint(sum, terms.number(k, width), rel, false)
						for v := int64(-4); v < 4; v++ {
							for _, w := range []int64{-4, -1, 0, 3} {
								values := map[term]int64{x: v, y: w, unknown: op.Wrap(4*v+w, width)}
								if want, got := holds(rel, numberOf(terms, sum, values), k, width, false), met(terms, c, values); want != got {
									t.Fatalf("%s %s %d with %v: %v, want %v", terms.text(sum), rel, k, values, got, want)
								}
							}
						}
					}
				}
			}
		}
	}
}

// met evaluates a constraint.
func met(t *terms, c constraint, values map[term]int64) bool {
	if c.rel == never || c.rel == always {
		return c.rel == always
	}
	a, b := numberOf(t, c.a, values), numberOf(t, c.b, values)
	return holds(c.rel, a, b, t.width(c.a), c.unsigned)
}

func numberOf(t *terms, x term, values map[term]int64) int64 {
	f := t.forms[x]
	switch {
	case f.leaf == isNumber:
		return f.k
	case f.leaf != 0:
		return values[x]
	case f.code == op.ZExt:
		return int64(op.Unsigned(numberOf(t, f.a, values), t.width(f.a)))
	case f.code == op.SExt:
		return numberOf(t, f.a, values)
	}
	z, _ := f.code.Ints(numberOf(t, f.a, values), numberOf(t, f.b, values), uint(f.width))
	return z
}

// What is said of two different terms holds wherever they differ: every pair of operators, on
// all numbers of three width.
func TestTemplatesHoldWhereTheResultsDiffer(t *testing.T) {
	codes := []op.Code{op.Add, op.Sub, op.Mul, op.SDiv, op.UDiv, op.SRem, op.URem, op.And, op.Or, op.Xor, op.Shl, op.LShr, op.AShr}
	const width = 3
	f := &function{terms: newTerms()}
	x, y := variable(f.terms, 0, width), variable(f.terms, 1, width)
	var all []term
	for _, code := range codes {
		all = append(all, f.binary(code, x, y, width), f.binary(code, y, x, width), f.binary(code, x, f.number(3, width), width))
	}
	negative := f.compare(x, f.number(0, width), less, false)
	all = append(all, x, y, f.number(0, width), f.number(-2, width),
		f.terms.add(form{code: op.Select, a: negative, b: f.binary(op.Sub, f.number(0, width), x, width), c: x, width: width}))
	for _, a := range all {
		for _, b := range all {
			clauses := f.differ(a, b, 3)
			for v := int64(-4); v < 4; v++ {
				for w := int64(-4); w < 4; w++ {
					values := map[term]int64{x: v, y: w}
					one, defined := f.of(a, values)
					other, alsoDefined := f.of(b, values)
					if !defined || !alsoDefined || one == other {
						continue
					}
					some := false
					for _, clause := range clauses {
						all := true
						for _, c := range clause {
							all = all && f.holds(c, values)
						}
						some = some || all
					}
					if !some {
						t.Fatalf("%s and %s differ with %d and %d, where no clause of %v holds", f.text(a), f.text(b), v, w, clauses)
					}
				}
			}
		}
	}
}

// of is a term's value, and whether it has one.
func (f *function) of(x term, values map[term]int64) (int64, bool) {
	form := f.forms[x]
	if form.leaf != 0 {
		return numberOf(f.terms, x, values), true
	}
	if form.code == op.Select {
		c, _ := f.of(form.a, values)
		if c != 0 {
			return f.of(form.b, values)
		}
		return f.of(form.c, values)
	}
	a, okA := f.of(form.a, values)
	b, okB := f.of(form.b, values)
	if form.code == op.CompareInts {
		if holds(form.rel, a, b, f.width(form.a), form.unsigned) {
			return 1, okA && okB
		}
		return 0, okA && okB
	}
	if shiftsTooFar(form.code, b, uint(form.width)) {
		return 0, false
	}
	z, ok := form.code.Ints(a, b, uint(form.width))
	return z, ok && okA && okB
}

func (f *function) holds(c constraint, values map[term]int64) bool {
	if c.rel == never || c.rel == always {
		return c.rel == always
	}
	a, okA := f.of(c.a, values)
	b, okB := f.of(c.b, values)
	return !okA || !okB || holds(c.rel, a, b, f.width(c.a), c.unsigned)
}
