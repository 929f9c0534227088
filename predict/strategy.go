package predict

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Score is what a strategy may know of a mutant.
type Score struct {
	// ID names the mutant; strategies break ties by it. Selector is its number
	// in the meta-mutant.
	ID       string
	Selector int32

	// Fault and Kill are probabilities in [0, 1]: that the mutant is killed
	// only by tests that reveal a fault, and that some test kills it. NaN where
	// no model gave one.
	Fault, Kill float64

	// Reveal is the probability that analysing the mutant reveals a fault: that
	// some test kills it, and that a test drawn from those that do reveals. 0
	// where no model gave one.
	Reveal float64
	// Late is the probability that some test kills the mutant, given that the
	// tests a tester picks first have not: what separates survivors from mutants
	// that are hard to kill, where Kill separates them from those that die anyway.
	// 0 where no model gave one.
	Late float64

	// Program and Own are what trials of the program, and of the mutant's function, showed
	// of it. Survived is how many of the tests at hand reach the mutant, or infect it
	// where that is known, and do not kill it. Untried says that the mutant is yet to be run
	// on the tests at hand, of which Infecting infect it.
	Program, Own Trial
	Survived     int
	// Another is the probability that another test kills the mutant, which those at hand let live, by what these
	// did (package experiment/survivor); 0 where no model says. Since are those of Survived that it has not seen.
	Another   float64
	Since     int
	Untried   bool
	Infecting int
	// Looked is what came of looking for what tells the mutant from the original.
	Looked Looked

	// Features is the mutant's feature row and Columns the names of its values,
	// shared by all mutants; nil where they are not known. NaN is missing.
	Features []float64
	Columns  []string

	// Statement numbers the statement the mutant changes, within its module.
	Statement int
	File      string
	Function  string
	Line      int // from 1; 0 where unknown

	// Operator is the operator family; Matcher and Replacer are the fragments
	// matched and put in its place, e.g. ADD and SUB.
	Operator, Matcher, Replacer string
}

// Looked is what came of looking for an input of the program that tells a mutant from the original, or, where
// none can be looked for, as in a library, for a call of its function.
type Looked uint8

// The values of Looked.
const (
	NotLooked Looked = iota
	InputFound
	NoInput
	CallFound
	NoCall
)

// Needs says which probabilities a strategy reads.
type Needs uint8

// The values of Needs. They are bits: NeedsBoth is NeedsFault and NeedsKill.
const (
	NeedsNone   Needs = 0
	NeedsFault  Needs = 1
	NeedsKill   Needs = 2
	NeedsBoth   Needs = NeedsFault | NeedsKill
	NeedsReveal Needs = 4
	NeedsLate   Needs = 8
	needsAll          = NeedsBoth | NeedsReveal | NeedsLate
)

// Strategy is a rule that orders the mutants of one program. It is a constant
// value; to add one, write its file and list it in All.
type Strategy struct {
	// Name is what users type and what reports print.
	Name string
	// Aliases are other spellings that Lookup accepts.
	Aliases []string
	// Doc says in one sentence what comes first, and where the rule is from.
	Doc string
	// NeedsModel says which probabilities the rule reads.
	NeedsModel Needs
	// NeedsFeatures says that the rule reads feature rows, NeedsColumns names those
	// columns without which it cannot rank.
	NeedsFeatures bool
	NeedsColumns  []string
	// Randomized says that orders are drawn from rng, so that one of them is one
	// sample.
	Randomized bool
	// Prepare looks at the scores and returns the rule that orders them: called
	// once for many orders of the same scores, it does what all have in common.
	Prepare func(scores []Score) Rule
}

// Rule orders the scores that it was prepared for. It returns their positions,
// best first, each exactly once, in a slice that is not to be changed. The result
// depends on the set of scores and on the state of rng, never on the order in
// which the scores are given. Mutants without a probability that the rule reads
// come last. rng may be nil where the strategy is not randomized.
type Rule func(rng *rand.Rand) []int

// Rank orders scores once.
func (s Strategy) Rank(scores []Score, rng *rand.Rand) []int { return s.Prepare(scores)(rng) }

// fixed prepares a rule without chance.
func fixed(rank func(scores []Score) []int) func(scores []Score) Rule {
	return func(scores []Score) Rule {
		order := rank(scores)
		return func(*rand.Rand) []int { return order }
	}
}

// ErrNoScores is wrapped by the error of Order when a strategy needs
// probabilities or features that no mutant has.
var ErrNoScores = errors.New("the mutants have no scores")

// Order ranks scores with a random stream of its own, drawn from seed and the
// strategy's name, so that the same call always gives the same order. It fails as
// Ready does.
func (s Strategy) Order(scores []Score, seed uint64) ([]int, error) {
	if err := s.Ready(scores); err != nil {
		return nil, err
	}
	return s.Rank(scores, stream.New(seed, "predict/rank/"+s.Name)), nil
}

// Ready reports what the strategy lacks to rank these mutants: a model whose
// scores no mutant has, or features.
func (s Strategy) Ready(scores []Score) error {
	if len(scores) == 0 {
		return nil
	}
	for _, need := range []struct {
		bit  Needs
		what string
		has  func(Score) bool
	}{{NeedsFault, "fault revelation", hasFault}, {NeedsKill, "killability", hasKill}, {NeedsReveal, "revelation", hasReveal}, {NeedsLate, "late kills", hasLate}} {
		if s.NeedsModel&need.bit != 0 && !slices.ContainsFunc(scores, need.has) {
			return fmt.Errorf("rank by %s: %w of %s; score them with a model that gives it, or use a strategy without one, such as random", s.Name, ErrNoScores, need.what)
		}
	}
	if s.NeedsFeatures && scores[0].Features == nil {
		return fmt.Errorf("rank by %s: %w: their features are not known; compute them, or use a strategy without them, such as random", s.Name, ErrNoScores)
	}
	for _, name := range s.NeedsColumns {
		if !slices.Contains(scores[0].Columns, name) {
			return fmt.Errorf("rank by %s: %w: the features lack the column %q; give tests to run, or use a strategy without it, such as random", s.Name, ErrNoScores, name)
		}
	}
	return nil
}

func hasFault(s Score) bool  { return !math.IsNaN(s.Fault) }
func hasKill(s Score) bool   { return !math.IsNaN(s.Kill) }
func hasReveal(s Score) bool { return s.Reveal > 0 }
func hasLate(s Score) bool   { return s.Late > 0 }

// shuffled prepares the rule that puts scores in a uniformly random order. It
// starts from the order of the ids, so that the order of the input cannot be
// seen in the result. A new slice is returned each time.
func shuffled(scores []Score) Rule {
	start := byID(scores)
	return func(rng *rand.Rand) []int {
		order := slices.Clone(start)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order
	}
}

// preferring prepares a random order in which those scores come first that satisfy
// the first condition, and among these, as among the others, those that satisfy the
// second, and so on.
func preferring(conditions ...func(*Score) bool) func(scores []Score) Rule {
	return func(scores []Score) Rule {
		shuffle := shuffled(scores)
		unmet := make([]int, len(scores)) // a bit for each condition, the first one highest
		for i := range scores {
			for _, in := range conditions {
				unmet[i] <<= 1
				if !in(&scores[i]) {
					unmet[i]++
				}
			}
		}
		return func(rng *rand.Rand) []int { return byGroup(shuffle(rng), unmet, 1<<len(conditions)) }
	}
}

// byGroup sorts positions by group[position], which is below groups, and keeps the
// order within a group.
func byGroup(order, group []int, groups int) []int {
	next := make([]int, groups+1) // where the group's next position goes
	for _, g := range group {
		next[g+1]++
	}
	for g := range groups {
		next[g+1] += next[g]
	}
	out := make([]int, len(order))
	for _, i := range order {
		out[next[group[i]]] = i
		next[group[i]]++
	}
	return out
}

// first moves the positions whose score satisfies in before the others and
// keeps the order within both halves.
func first(order []int, scores []Score, in func(*Score) bool) []int {
	out := make([]int, 0, len(order))
	var rest []int
	for _, i := range order {
		if in(&scores[i]) {
			out = append(out, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(out, rest...)
}
