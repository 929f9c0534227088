package mutant

// Leaving is what became of a mutant on one test by the time that the function was left
// in which it first made a difference, as far as the test was followed
// (features.CompareAtExits): bits, and in the upper ones how many memory cells that outlive the
// function had another value then, and how many of its own variables. 0 says that nothing is known.
type Leaving uint64

// What a leaving may be like.
const (
	LeavingKnown    Leaving = 1 << 0
	LeavingTrapped  Leaving = 1 << 1 // the mutant divided by zero, or used an address near null
	LeavingStays    Leaving = 1 << 2 // it was still in the function after twice the time, or only one of the two ended the program
	LeavingReturned Leaving = 1 << 3 // it returned another value

	leavingCells, leavingLocals = 8, 32
	mostLeavingCells            = 1<<(leavingLocals-leavingCells) - 1
)

// With is a leaving with so many cells that outlive the function, and local variables, that
// differ.
func (l Leaving) With(cells, locals int) Leaving {
	return l&(1<<leavingCells-1) | Leaving(min(cells, mostLeavingCells))<<leavingCells | Leaving(min(locals, mostLeavingCells))<<leavingLocals
}

// Cells is how many memory cells differ that outlive the function.
func (l Leaving) Cells() int { return int(l>>leavingCells) & mostLeavingCells }

// Locals is how many of the function's own variables differ.
func (l Leaving) Locals() int { return int(l >> leavingLocals) }

// Differs says that the difference got out of the function.
func (l Leaving) Differs() bool { return l&(1<<leavingLocals-1)&^LeavingKnown != 0 }
