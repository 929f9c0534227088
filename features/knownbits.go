package features

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/bits"
)

var knownBits = Family{
	Name: "knownbits",
	Doc: "Which bits of the mutated expression are always the same, by masks, shifts and products (analysis/bits), and what is left of the change then. " +
		"Old and new value and operands are those of the family range; columns are missing where they are no integers.",
	Columns: []Column{
		{Name: "bits_first_known", Unit: "share", Source: "own", Doc: "share of the bits of the first operand, or of a variable that is read, that are known"},
		{Name: "bits_first_zeros", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are zero: 1 for an even number, 2 for a multiple of four"},
		{Name: "bits_second_known", Unit: "share", Source: "own", Doc: "share of the bits of the second operand that are known"},
		{Name: "bits_second_zeros", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are zero"},
		{Name: "bits_overlap", Unit: "share", Source: "own", Doc: "share of the bits that may be one in both operands; where none is, their sum, or, and exclusive or are the same"},
		{Name: "bits_old_known", Unit: "share", Source: "own", Doc: "share of the bits of the old value that are known"},
		{Name: "bits_old_low", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are known: 1 when it is known whether it is even"},
		{Name: "bits_old_zeros", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are zero"},
		{Name: "bits_new_known", Unit: "share", Source: "own", Doc: "share of the bits of the new value that are known"},
		{Name: "bits_new_low", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are known"},
		{Name: "bits_new_zeros", Unit: "bits", Source: "own", Doc: "how many of its lowest bits are zero"},
		{Name: "bits_zeros_change", Unit: "bits", Source: "own", Doc: "how many low zeros the new value has more than the old one; below 0 where alignment is lost"},
		{Name: "bits_differ", Source: "own", Doc: "some bit is always another one: the change shows whenever the code is executed"},
		{Name: "bits_same", Source: "own", Doc: "the known bits show that the new value is the old one"},
	},
	Requires: []Requirement{changedRanges, alwaysBits},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if r := changedRanges.of(m); r != nil && r.old != nil {
			facts := alwaysBits.of(m.site.fn)
			fillBits(r, facts, facts.Instead(r.fn.replacement(r.edit)), row)
		}
	},
}

func fillBits(r *ranged, facts *bits.Facts, instead *bits.Scratch, row []float64) {
	operands := operandsOf(r.old)
	for k, v := range operands {
		if x := facts.Value(v); x.Width > 0 {
			row[2*k], row[2*k+1] = knownShare(x), float64(x.LowZeros())
		}
	}
	if len(operands) == 2 {
		if x, y := facts.Value(operands[0]), facts.Value(operands[1]); x.Width > 0 && x.Width == y.Width {
			row[4] = knownShare(bits.Known{One: x.May() & y.May(), Width: x.Width})
		}
	}
	old := facts.Value(r.old)
	if old.Width == 0 {
		return
	}
	row[5], row[6], row[7] = knownShare(old), float64(old.Low()), float64(old.LowZeros())
	if r.new == nil {
		return
	}
	changed := instead.Value(r.new)
	if changed.Width != old.Width {
		return
	}
	row[8], row[9], row[10] = knownShare(changed), float64(changed.Low()), float64(changed.LowZeros())
	row[11] = row[10] - row[7]
	row[12] = truth(old.Differs(changed))
	row[13] = truth(sameBits(r.old, r.new, instead))
}

func knownShare(x bits.Known) float64 { return float64(x.Count()) / float64(x.Width) }

// operandsOf is the at most two integers that a value is computed from, or the
// value itself where it is read from somewhere.
func operandsOf(v value.Value) []value.Value {
	switch inst := v.(type) {
	case *llir.InstLoad, *llir.InstCall, *llir.Param, constant.Constant:
		return []value.Value{v}
	case llir.Instruction:
		if user, ok := inst.(value.User); ok {
			var out []value.Value
			for _, slot := range user.Operands() {
				if len(out) < 2 {
					out = append(out, *slot)
				}
			}
			return out
		}
	}
	return nil
}

// sameBits reports that the known bits show two values to be the same: numbers,
// sums without carries, and masks that take or add nothing.
func sameBits(old, instead value.Value, of *bits.Scratch) bool {
	x, y := of.Value(old), of.Value(instead)
	if x.Never() || y.Never() {
		return false
	}
	if x.Count() == int(x.Width) && x == y {
		return true
	}
	if onlyAdds(old, of) && onlyAdds(instead, of) {
		a, b := operandsOf(old), operandsOf(instead)
		if sameValue(a[0], b[0]) && sameValue(a[1], b[1]) {
			return true
		}
	}
	return masks(old, instead, of) || masks(instead, old, of)
}

// onlyAdds reports a sum, or, or exclusive or of numbers without a common bit.
func onlyAdds(v value.Value, of *bits.Scratch) bool {
	switch v.(type) {
	case *llir.InstAdd, *llir.InstOr, *llir.InstXor:
		operands := operandsOf(v)
		return of.Value(operands[0]).May()&of.Value(operands[1]).May() == 0
	}
	return false
}

// masks reports that v is an operand of masked which the other operand leaves as
// it is, or is masked likewise as far as its bits may be one.
func masks(masked, v value.Value, of *bits.Scratch) bool {
	and, isAnd := masked.(*llir.InstAnd)
	if isAnd {
		if other, ok := v.(*llir.InstAnd); ok && sameValue(and.X, other.X) {
			a, b := of.Value(and.Y), of.Value(other.Y)
			return a.Count() == int(a.Width) && b.Count() == int(b.Width) && (a.One^b.One)&of.Value(and.X).May() == 0
		}
	}
	operands := operandsOf(masked)
	for k, operand := range operands {
		if len(operands) < 2 || !sameValue(operand, v) {
			continue
		}
		x, mask := of.Value(v), of.Value(operands[1-k])
		switch masked.(type) {
		case *llir.InstAnd:
			return x.May()&^mask.One == 0
		case *llir.InstOr:
			return mask.May()&^x.One == 0
		case *llir.InstAdd, *llir.InstXor:
			return mask.May() == 0
		}
	}
	return false
}

// sameValue: one register, or numbers that are equal.
func sameValue(a, b value.Value) bool {
	if a == b {
		return true
	}
	x, okX := a.(*constant.Int)
	y, okY := b.(*constant.Int)
	return okX && okY && x.Typ.Equal(y.Typ) && x.X.Cmp(y.X) == 0
}
