package constraint

import (
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	symbolic "github.com/winnow-mutants/winnow/symbolic/term"
)

// writtenRelations are those of C.
var writtenRelations = map[string]relation{"==": equal, "!=": less | greater, "<": less, "<=": less | equal, ">": greater, ">=": greater | equal}

// assume takes for granted what is assumed of the function's arguments (the global assertions of
// Offutt and Pan), as far as it compares arguments with numbers or with each other: these are
// facts wherever control is. What is assumed of an array is one of each element that is read of it (their array
// extension). What is assumed at lines is for stages that follow control.
func (f *function) assume(all []assume.Assumption) error {
	known, err := execute.Prepare(symbolic.NewPool(), f.code, nil)
	if err != nil {
		return nil // nothing is understood, and nothing assumed
	}
	mine, err := known.Assume(all)
	if err != nil {
		return err
	}
	for k := range mine {
		if mine[k].Function == "" {
			continue
		}
		for _, n := range mine[k].Condition.Conjuncts() {
			if array, _ := n.Array(); array != "" { // of one at most: Assume has looked
				for item := range f.code.Ops {
					if e, ok := known.ElementAt(item); ok && e.Array == array && f.before[f.code.Code.Items[item].Block] != nil {
						f.assumption(n, func(name string) (term, bool, bool) {
							if name == array+assume.Each {
								return f.values[item], e.Unsigned, true
							}
							return f.argument(name, known)
						})
					}
				}
				continue
			}
			f.assumption(n, func(name string) (term, bool, bool) { return f.argument(name, known) })
		}
	}
	return nil
}

// assumption makes a fact of a condition, with what its names stand for, if it is such a comparison.
func (f *function) assumption(n *assume.Node, of func(name string) (a term, unsigned, ok bool)) {
	if c, ok := f.comparison(n, of); ok {
		c.assumed = true
		f.assumed = append(f.assumed, c)
	}
}

func (f *function) comparison(n *assume.Node, of func(name string) (a term, unsigned, ok bool)) (constraint, bool) {
	rel, ok := writtenRelations[n.Op]
	if !ok {
		return constraint{}, false
	}
	x, y := n.Args[0], n.Args[1]
	a, aUnsigned, aIs := of(x.Name)
	b, bUnsigned, bIs := of(y.Name)
	switch {
	case aIs && bIs && f.width(a) == f.width(b) && aUnsigned == bUnsigned:
		return f.constraint(a, b, rel, aUnsigned), true
	case aIs && isNumeral(y):
		return f.withNumber(a, numeral(y), rel, aUnsigned)
	case bIs && isNumeral(x):
		return f.withNumber(b, numeral(x), rel.mirrored(), bUnsigned)
	}
	return constraint{}, false
}

func isNumeral(n *assume.Node) bool {
	if n.Op == "-" && len(n.Args) == 1 {
		n = n.Args[0]
	}
	return n.Op == "" && n.Name == ""
}

func numeral(n *assume.Node) int64 {
	if n.Op == "-" {
		return -n.Args[0].Number
	}
	return n.Number
}

// withNumber compares an argument with a number that it can be.
func (f *function) withNumber(a term, k int64, rel relation, unsigned bool) (constraint, bool) {
	width := f.width(a)
	fits := op.Wrap(k, width) == k
	if unsigned {
		fits = k >= 0 && (width >= 64 || uint64(k)>>width == 0)
	}
	return f.constraint(a, f.number(k, width), rel, unsigned), fits
}

// argument is a parameter that is an integer, by its name.
func (f *function) argument(name string, known *execute.Function) (a term, unsigned, ok bool) {
	if name == "" {
		return 0, false, false
	}
	for k, p := range f.code.Code.Func.Params {
		if t := op.TypeOf(p.Type()); p.Name() == name && t.Class == op.Int && t.Bits <= 64 && t.Bits > 1 {
			return f.leaf(isParam, 0, int64(k), uint(t.Bits), name), known.Unsigned(name), true
		}
	}
	return 0, false, false
}
