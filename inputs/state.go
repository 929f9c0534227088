package inputs

import "github.com/winnow-mutants/winnow/internal/stream"

// Value is a form that is drawn by a key, again the same when it is asked for again.
type Value[T int64 | float64] struct {
	Form
	draw func(p *Profile, seed, h uint64) T
}

// Of is the value of a key.
func (v *Value[T]) Of(seed, key uint64) T {
	return v.draw(profileOf(seed), seed, stream.Mix(seed, key))
}

// state is what a function finds that is run by itself: parameters, cells of memory that
// nobody has written, and what calls give that are not known. It need not be one that the
// program comes to.
func state() Channel {
	return Channel{
		Name: "state", Doc: "what a function finds that is run by itself: its parameters, memory, and results of calls that are not known",
		Forms: []Form{Integer.Form, Byte.Form, Truth.Form, Real.Form, Address.Form},
	}
}

// Integer is a whole number.
var Integer = &Value[int64]{
	Form{Name: "integer", Doc: "a number of the profile's state", Asks: "reads a whole number of more than 8 bits"},
	func(p *Profile, seed, h uint64) int64 {
		if p.repeats {
			return p.Held.at(repeated(seed))
		}
		return p.Held.at(h >> 8)
	},
}

// Byte is a character in typical profiles: most bytes of programs are.
var Byte = &Value[int64]{
	Form{Name: "byte", Doc: "a character from ' ' to '~'; in corners an integer", Asks: "reads 8 bits"},
	func(p *Profile, seed, h uint64) int64 {
		if p.Corner {
			return Integer.draw(p, seed, h)
		}
		return ' ' + int64(h>>20%('~'-' '+1))
	},
}

// Truth is 0 or 1.
var Truth = &Value[int64]{
	Form{Name: "truth", Doc: "0 or 1, the last bit of an integer", Asks: "reads 1 bit"},
	func(p *Profile, seed, h uint64) int64 { return Integer.draw(p, seed, h) & 1 },
}

// Real is a number with a fraction that every width of floating point holds, so that what
// is computed of it does not depend on the width.
var Real = &Value[float64]{
	Form{Name: "real", Doc: "an integer, in half of those of typical profiles with a half more", Asks: "reads a floating-point number"},
	func(p *Profile, seed, h uint64) float64 {
		f := float64(Integer.draw(p, seed, h))
		if !p.Corner && h>>40%2 == 0 {
			f += .5
		}
		return f
	},
}

// The addresses of a state are above those near null, which trap, and below those that the
// interpreter gives to what it knows. There are so many objects that two pointers seldom
// meet (one pair in 4,096), and they lie so far apart that the fields of one do not reach
// into the next, unless it is larger than objectSize.
const (
	firstObject = 1 << 24
	objects     = 4096
	objectSize  = 1024
)

// Address is that of an object of which nothing is known.
var Address = &Value[int64]{
	Form{Name: "address", Doc: "that of one of 4,096 objects of 1,024 bytes; in the first profile null", Asks: "reads a pointer"},
	func(p *Profile, _, h uint64) int64 {
		if p.null {
			return 0
		}
		return firstObject + int64(h%objects)*objectSize
	},
}
