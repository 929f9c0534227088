package concrete

import (
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
