package rank

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// survivors are the places of the mutants that no test kills and that some test may kill, in their order; all where no
// test was run on any. Those without a verdict are counted. What the tests did with the others is told to the strategy
// and to the report: how many of them come to a mutant and do not kill it.
func (r *ranking) survivors() ([]int, error) {
	all := make([]int, len(r.scores))
	for i := range all {
		all[i] = i
	}
	if !r.opts.Survivors {
		return all, nil
	}
	kills, err := r.from.Kills()
	if err != nil || kills == nil {
		return all, err
	}
	known, err := r.from.Proofs()
	if err != nil {
		return nil, err
	}
	proved, examples := known.Proved(), known.Examples()
	callsKnown := false
	for _, example := range examples {
		callsKnown = callsKnown || example.Evidence == dataset.InterpretedCall
	}
	row := make(map[string]int, len(kills.Mutants()))
	for m, id := range kills.Mutants() {
		row[id] = m
	}
	left := all[:0]
	r.out.Suite = &report.SuiteRun{Tests: len(kills.Tests())}
	r.tests = make([]*report.Seen, len(r.scores))
	for i := range r.scores {
		id := r.scores[i].ID
		m, ran := row[id]
		if !ran {
			return nil, fmt.Errorf("the kills say nothing of mutant %s: the tables are of different runs", id)
		}
		if _, ok := proved[id]; ok && kills.Verdict(m) == matrix.Survived {
			r.out.LeftOut.Equivalent++
			continue
		}
		seen := &report.Seen{Tests: len(kills.Tests()), Reached: kills.Reached(m).Count(), Infected: kills.Infected(m).Count(), Told: examples[id].Reason, Given: examples[id].Given}
		r.out.Suite.Mutants++
		switch kills.Verdict(m) {
		case matrix.Killed:
			r.out.LeftOut.Killed++
			r.out.Suite.Killed++
			continue
		case matrix.Unknown:
			r.out.Suite.Undecided++
			continue
		}
		if r.out.Suite.Survived++; seen.Reached == 0 {
			r.out.Suite.Unreached++
		}
		switch example, known := examples[id]; {
		case example.Evidence == dataset.Interpreted:
			r.scores[i].Looked = predict.InputFound
		case known:
			r.scores[i].Looked = predict.CallFound
		case callsKnown: // it was among those of which calls were looked for, or the time was up
			r.scores[i].Looked = predict.NoCall
		}
		r.scores[i].Since = r.opts.Since[id]
		r.scores[i].Survived = survivedBy(kills, m) + r.scores[i].Since
		r.tests[i] = seen
		left = append(left, i)
	}
	r.out.Total = len(left)
	return left, r.besides(kills, row)
}

// besides gives the mutants that the tests let live the probability that another test kills them, by the model's
// part of survivors, where it has one. row are the mutants' numbers in the kills, by id.
func (r *ranking) besides(kills *kill.Matrix, row map[string]int) error {
	model, err := survivor.New(r.opts.Model)
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	suite := &survivor.Suite{}
	for i := range r.scores {
		m := row[r.scores[i].ID]
		suite.Kills, suite.Unknown = append(suite.Kills, kills.Killed(m)), append(suite.Unknown, kills.Unknown(m))
		suite.Reached, suite.Infected = append(suite.Reached, kills.Reached(m)), append(suite.Infected, kills.Infected(m))
	}
	return model.Give(r.scores, suite)
}

// without are all places but some, which are in their order.
func (r *ranking) without(some []int) []int {
	var out []int
	for i := range r.scores {
		if _, in := slices.BinarySearch(some, i); !in {
			out = append(out, i)
		}
	}
	return out
}

// untried tells the strategy which tests infect the mutants, that are yet to be run on them.
func (r *ranking) untried() error {
	if r.opts.Infecting == nil {
		return nil
	}
	infecting, err := r.opts.Infecting()
	for i := range r.scores {
		s := &r.scores[i]
		s.Untried, s.Infecting = true, infecting[s.ID]
	}
	return err
}

// survivedBy is how many tests a mutant is known to have survived although they make it
// compute something else, as far as that was looked at.
func survivedBy(kills *kill.Matrix, mutant int) int {
	survived := kills.Infected(mutant).Clone()
	survived.AndNot(kills.Unknown(mutant))
	return survived.Count()
}

// orderOf has the strategy order the mutants at some places.
func (r *ranking) orderOf(places []int) ([]int, error) {
	trusted := r.trusted()
	scores := make([]predict.Score, len(places))
	for k, place := range places {
		scores[k] = trusted[place]
	}
	order, err := r.opts.Strategy.Order(scores, r.opts.Seed)
	for k, at := range order {
		order[k] = places[at]
	}
	return order, err
}
