package grammar

import (
	"math"
	"strconv"
	"strings"
)

// number changes an integer or a decimal within the range that is seen at its
// place: to a bound or beside one, by one, to any other, to one that is near 0 more
// often than not, or to one that is seen there.
var number = Mutator{
	Name: "number",
	Doc:  "another number of the range seen at that place, its bounds more often than others",
	apply: func(e *editor) bool {
		p, ok := pickOne(e.draw, e.places(func(_ *lineRule, s *slot) bool {
			return s.kind != Word && s.least < s.most
		}))
		if !ok {
			return false
		}
		s, word := e.g.lines[p.class].slot(p.column), e.word(p)
		if s.kind == Decimal {
			*word = e.decimal(s, *word)
		} else {
			*word = strconv.FormatInt(e.integer(s, *word), 10)
		}
		return true
	},
}

func (e *editor) integer(s *slot, before string) int64 {
	least, most := int64(s.least), int64(s.most)
	v, _ := integer(before)
	switch e.draw.IntN(8) {
	case 0:
		v = least
	case 1:
		v = most
	case 2:
		v = least + 1
	case 3:
		v = most - 1
	case 4:
		v += int64(1 - 2*e.draw.IntN(2))
	case 5:
		v = least + e.draw.Int64N(most-least+1)
	case 6:
		// As likely to have one digit as the most.
		size := math.Log1p(float64(most - least))
		v = least + int64(math.Expm1(e.draw.Float64()*size))
	default:
		v, _ = integer(s.values[e.draw.IntN(len(s.values))])
	}
	return min(max(v, least), most)
}

// decimal keeps the number of digits behind the point.
func (e *editor) decimal(s *slot, before string) string {
	if e.draw.IntN(3) == 0 {
		return s.values[e.draw.IntN(len(s.values))]
	}
	_, fraction, _ := strings.Cut(before, ".")
	return strconv.FormatFloat(s.least+e.draw.Float64()*(s.most-s.least), 'f', len(fraction), 64)
}
