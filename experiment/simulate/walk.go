package simulate

import (
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
)

// Cost is a way to count what it took to reveal a fault (dissertation, section
// 6.5.4).
type Cost int

const (
	// Selected counts the mutants of the ranking down to the one whose test
	// revealed the fault, those included that earlier tests had killed by then.
	Selected Cost = iota
	// Analysed counts the mutants that were looked at: those a test was picked
	// for, and those that nothing kills, which somebody had to find out.
	Analysed
	// Required counts the tests that were picked.
	Required

	costs int = iota
)

var costNames = [costs]string{"mutants selected", "mutants analysed", "tests required"}

// Costs lists the three, in the order of their values.
func Costs() []Cost { return []Cost{Selected, Analysed, Required} }

func (c Cost) String() string { return costNames[c] }

// spent is what one walk down a ranking cost until the fault was revealed, by
// Cost; all zero when it was not.
type spent [costs]int

func (s spent) revealed() bool { return s[Selected] > 0 }

// board is a subject laid out for many walks.
type board struct {
	killers  [][]int32     // by mutant: the tests that kill it
	killedBy []matrix.Bits // by test: the mutants it kills
	reveals  matrix.Bits
	dead     matrix.Bits // scratch: the mutants killed so far
	reaching []int       // by mutant: how many tests reach it; nil where unknown
	runs     int         // executions of mutants in the latest walk
}

func newBoard(s *subject.Subject) *board {
	b := &board{
		killers:  make([][]int32, len(s.Kills)),
		killedBy: make([]matrix.Bits, s.Tests()),
		reveals:  s.Reveals,
		dead:     matrix.NewBits(len(s.Kills)),
	}
	for test := range b.killedBy {
		b.killedBy[test] = matrix.NewBits(len(s.Kills))
	}
	for _, reached := range s.Reached {
		b.reaching = append(b.reaching, reached.Count())
	}
	for m, kill := range s.Kills {
		for test := range kill.All() {
			b.killers[m] = append(b.killers[m], int32(test))
			b.killedBy[test].Set(m)
		}
	}
	return b
}

// walk follows a ranking: each mutant that is still alive costs an analysis;
// if something kills it, a random one of its killing tests is picked and kills
// all it can. The walk ends with the first picked test that reveals the fault,
// or with the ranking.
func (b *board) walk(order []int, rng *rand.Rand) spent {
	b.dead.AndNot(b.dead)
	b.runs = 0
	analysed, required := 0, 0
	for rank, m := range order {
		if b.dead.Get(m) {
			continue
		}
		analysed++
		if b.reaching != nil {
			b.runs += b.reaching[m]
		}
		killers := b.killers[m]
		if len(killers) == 0 {
			continue
		}
		test := int(killers[rng.IntN(len(killers))])
		required++
		if b.reveals.Get(test) {
			return spent{Selected: rank + 1, Analysed: analysed, Required: required}
		}
		b.dead.Or(b.killedBy[test])
	}
	return spent{}
}
