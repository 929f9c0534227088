package predict

import (
	"cmp"
	"math"
	"slices"
)

// Afforded is what a budget buys.
type Afforded struct {
	// Picked says of each mutant whether it is bought, Count how many are.
	Picked []bool
	Count  int
	// Spent is what those cost together, Total what all would.
	Spent, Total float64
	// LostRevelation is the share of all expected revelation that the other
	// mutants hold, LostKillable that of the expected number of killable mutants;
	// NaN where the mutants have no such probabilities.
	LostRevelation, LostKillable float64
}

// Afford buys mutants until the budget is spent, those with the most expected
// revelation for their cost first: the greedy rule for the knapsack problem, whose
// loss against the best choice is less than the value of one mutant (Dantzig,
// "Discrete-variable extremum problems" (1957)). cost is what it takes to run each
// mutant, in the unit of the budget; a mutant that costs nothing is always bought,
// and one that does not fit any more leaves room for cheaper ones behind it.
//
// The value of a mutant is Score.Reveal, else Fault, else Kill, whichever the
// mutants have first; without any, all are worth the same.
func Afford(scores []Score, cost []float64, budget float64) Afforded {
	worth := worthOf(scores)
	order := byID(scores) // ties go to the lower id
	rate := func(i int) float64 {
		if cost[i] == 0 {
			return math.Inf(1)
		}
		return worth(&scores[i]) / cost[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rate(b), rate(a)) })
	out := Afforded{Picked: make([]bool, len(scores))}
	for _, i := range order {
		out.Total += cost[i]
		if cost[i] == 0 || out.Spent+cost[i] <= budget {
			out.Picked[i] = true
			out.Spent += cost[i]
			out.Count++
		}
	}
	out.LostRevelation = out.lost(scores, hasReveal, func(s *Score) float64 { return s.Reveal })
	out.LostKillable = out.lost(scores, hasKill, func(s *Score) float64 { return s.Kill })
	return out
}

func worthOf(scores []Score) func(*Score) float64 {
	known := func(p float64) float64 {
		if math.IsNaN(p) {
			return 0
		}
		return p
	}
	switch {
	case slices.ContainsFunc(scores, hasReveal):
		return func(s *Score) float64 { return s.Reveal }
	case slices.ContainsFunc(scores, hasFault):
		return func(s *Score) float64 { return known(s.Fault) }
	case slices.ContainsFunc(scores, hasKill):
		return func(s *Score) float64 { return known(s.Kill) }
	}
	return func(*Score) float64 { return 1 }
}

// lost is the share of a sum of probabilities that is not bought.
func (a *Afforded) lost(scores []Score, has func(Score) bool, value func(*Score) float64) float64 {
	lost, all := 0.0, 0.0
	for i := range scores {
		if !has(scores[i]) {
			continue
		}
		p := value(&scores[i])
		all += p
		if !a.Picked[i] {
			lost += p
		}
	}
	if all == 0 {
		return math.NaN()
	}
	return lost / all
}
