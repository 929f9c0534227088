package concrete

import (
	"fmt"
	"maps"
	"slices"
)

// QuickForms is how many quick forms there are, that of what has none included.
const QuickForms = int(quickBranch) + 1

// QuickForms counts the operations of a function by their quick form; 0 is none.
func (c *Code) QuickForms() map[int]int {
	by := map[int]int{}
	for i := range c.quick {
		by[int(c.quick[i].code)]++
	}
	return by
}

// InputFunctions are the functions of the library that read, in order.
func InputFunctions() []string { return slices.Sorted(maps.Keys(inputFunctions)) }

// HashOf is how a path shows a text.
func HashOf(text string) uint64 { return hashOf([]byte(text)) }

// Stepwise has a path run every operation one by one.
func (p *Path) Stepwise() { p.stepwise = true }

// NoCircles has a path go to its limit although it goes in circles.
func (p *Path) NoCircles() { p.circle.ignored = true }

// Circles says that the path was seen to go in circles.
func (p *Path) Circles() bool { return p.circle.closed }

// Scribble fills, writes or makes up anew some bytes of a block that a path is given, as a number says.
func (p *Path) Scribble(at int64, what, n, x int64) {
	switch what {
	case 0:
		p.fillMemory(firstHeap+at, x, n)
	case 1:
		p.remake(firstHeap+at, uint64(x))
	default:
		size := uint8(1) << (n & 3)
		p.store(firstHeap+at, kind(8*size).wrap(x), kind(8*size), size)
	}
}

// ReadTwice reads so many bytes of the block at once, and put together byte by byte, each with whether it
// had to guess.
func (p *Path) ReadTwice(at int64, size uint8, float bool) (out [2]string) {
	as := kind(8 * size)
	if float {
		as, size = kindFloat, 8
	}
	for k, read := range []func(int64, kind, uint8) int64{p.assemble, p.read} {
		p.Guessed = false
		x := read(firstHeap+at, as, size)
		out[k] = fmt.Sprint(x, p.Guessed)
	}
	return out
}
