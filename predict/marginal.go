package predict

import (
	"cmp"
	"math"
	"slices"
)

// MarginalRule is a greedy order: the next mutant i is the one with the largest
//
//	p(killable) · p(late) · p(reveals) · Π over those before (1 - likeness to i)
//
// where probabilities that no model gave are left out, and p(late) where none gave p(reveals), and p(killable) is given the tests at
// hand that the mutant has survived. A mutant that ends the program wherever it is reached is
// worth a hundredth: a test for any other of its statement kills it, too, and who reads it learns
// no more than that the statement is to be reached. One for which a call was looked for that
// tells it, as in a library, and none found, is worth half of one that shows its reader what to test, though it is
// killed as often (docs/results/first-twenty.md). It is maximal marginal relevance (Carbonell and Goldstein
// 1998) as a product, so that a mutant's worth never grows.
type MarginalRule struct {
	// Statement, Function, Trial and Kind are how alike two mutants are that have these in
	// common, from 0 to 1. A kind is what is replaced by what; those of a trial show the same first difference on each of the inputs that
	// were drawn for both, and some difference at all.
	Statement, Function, Trial, Kind float64
	// PerStatement bounds the mutants of a statement among the first FirstScreen.
	PerStatement int
}

// FirstScreen is how many mutants are shown at first.
const FirstScreen = 20

// mostPicked are picked as a set. Who reads more has written tests meanwhile, and asks again:
// the others are compared with those of their statement only.
const mostPicked = 200

// Strategy makes r a Strategy of that name and description.
func (r MarginalRule) Strategy(name, doc string) Strategy {
	return Strategy{Name: name, Doc: doc, Prepare: fixed(r.Order)}
}

// Order returns the positions of scores in the order of the rule; ties go to the lower id.
func (r MarginalRule) Order(scores []Score) []int {
	m := newMarginal(r, scores)
	m.pick(min(mostPicked, len(scores)))
	m.rest()
	for k, at := range m.out {
		m.out[k] = m.ids[at]
	}
	return m.out
}

// marginal is an order of a MarginalRule in the making. Mutants are numbered in the order of
// their ids, so that the first of equals is the one of the lowest id.
type marginal struct {
	rule  MarginalRule
	ids   []int     // position of a mutant in scores
	alone []float64 // logarithm of its worth
	now   []float64 // the same, beside those that were picked; -Inf of these
	axes  [4]axis   // statement, function, trial, kind
	out   []int
}

func newMarginal(r MarginalRule, scores []Score) *marginal {
	m := &marginal{rule: r, ids: byID(scores), out: make([]int, 0, len(scores))}
	m.alone = logWorth(scores, m.ids)
	m.now = slices.Clone(m.alone)
	type function struct{ file, name string }
	type trial struct {
		of          function
		entry, kind uint64
	}
	at := func(i int) *Score { return &scores[m.ids[i]] }
	m.axes[0] = newAxis(len(scores), r.Statement, func(i int) (place, bool) { return place{at(i).File, at(i).Statement}, true })
	m.axes[1] = newAxis(len(scores), r.Function, func(i int) (function, bool) { return function{at(i).File, at(i).Function}, true })
	m.axes[2] = newAxis(len(scores), r.Trial, func(i int) (trial, bool) {
		t, ofProgram := at(i).Told()
		k := trial{entry: t.Entry, kind: t.Kind}
		if !ofProgram {
			k.of = function{at(i).File, at(i).Function}
		}
		return k, t.Kind != 0
	})
	m.axes[3] = newAxis(len(scores), r.Kind, func(i int) ([2]string, bool) { return [2]string{at(i).Matcher, at(i).Replacer}, true })
	return m
}

// logWorth is the logarithm of what each mutant is worth alone. What no model gave of any is
// left out; who lacks what others have is worth next to nothing. Where the tests at hand are yet
// to be run, those that infect a mutant say more of what lives than the model's p(late), which is
// of tests that nobody knows. Nor does it count where no model knows of faults: among the first
// mutants of real projects it puts more that no test kills (docs/results/learning.md).
func logWorth(scores []Score, ids []int) []float64 {
	late, reveal := slices.ContainsFunc(scores, hasLate), slices.ContainsFunc(scores, hasReveal)
	out := make([]float64, len(ids))
	for i, k := range ids {
		s := &scores[k]
		out[i] = logOf(s.killable())
		if fragment(s.Replacer) == "TRAPSTMT" {
			out[i] += logOf(.01)
		}
		if s.Looked == NoCall {
			out[i] += logOf(notCalled)
		}
		if late && reveal && !s.Untried {
			out[i] += logOf(s.Late)
		}
		if reveal {
			out[i] += logOf(s.Reveal)
		}
	}
	return out
}

// loss is the logarithm of 1 - likeness.
func loss(likeness float64) float64 { return math.Log1p(-min(likeness, 0.999999)) }

// logOf is the logarithm of a probability, of which less than a billionth is not told apart.
func logOf(p float64) float64 { return math.Log(max(p, 1e-9)) }

// axis is one thing that mutants may have in common.
type axis struct {
	group   []int32   // by mutant; -1 has nothing in common with others
	members [][]int32 // by group
	taken   []int     // mutants picked, by group
	each    float64   // what one picked mutant takes from the logarithm of the others' worth
}

func newAxis[K comparable](mutants int, likeness float64, key func(i int) (K, bool)) axis {
	a := axis{group: make([]int32, mutants), each: loss(likeness)}
	known := map[K]int32{}
	for i := range mutants {
		k, some := key(i)
		if !some {
			a.group[i] = -1
			continue
		}
		g, seen := known[k]
		if !seen {
			g = int32(len(a.members))
			known[k], a.members = g, append(a.members, nil)
		}
		a.group[i], a.members[g] = g, append(a.members[g], int32(i))
	}
	a.taken = make([]int, len(a.members))
	return a
}

// pick picks so many mutants as a set. Of a million it looks at all for each: that takes a
// second in all.
func (m *marginal) pick(most int) {
	statements := &m.axes[0]
	for len(m.out) < most {
		first := len(m.out) < FirstScreen && m.rule.PerStatement > 0
		best, spare := -1, -1 // spare is of a statement that has enough
		for i, v := range m.now {
			switch full := first && statements.taken[statements.group[i]] >= m.rule.PerStatement; {
			case math.IsInf(v, -1):
			case full && (spare < 0 || v > m.now[spare]):
				spare = i
			case !full && (best < 0 || v > m.now[best]):
				best = i
			}
		}
		if best < 0 {
			best = spare
		}
		m.take(best)
	}
}

// take lists a mutant, and takes from those like it what it has in common with them.
func (m *marginal) take(i int) {
	m.out = append(m.out, i)
	m.alone[i], m.now[i] = math.Inf(-1), math.Inf(-1)
	for k := range m.axes {
		if g := m.axes[k].group[i]; g >= 0 {
			m.axes[k].taken[g]++
		}
	}
	for k := range m.axes {
		g := m.axes[k].group[i]
		if g < 0 || m.axes[k].each == 0 {
			continue
		}
		for _, j := range m.axes[k].members[g] {
			m.now[j] = m.worth(int(j))
		}
	}
}

// worth is the logarithm of what a mutant is worth beside those that were picked.
func (m *marginal) worth(i int) float64 {
	v := m.alone[i]
	for k := range m.axes {
		if g := m.axes[k].group[i]; g >= 0 {
			v += float64(m.axes[k].taken[g]) * m.axes[k].each
		}
	}
	return v
}

// rest lists the others. The mutants of a statement only lose by each other, the best first,
// so that sorting is enough.
func (m *marginal) rest() {
	var left []int
	for i, v := range m.now {
		if !math.IsInf(v, -1) {
			left = append(left, i)
		}
	}
	byWorth := func(a, b int) int { return cmp.Or(cmp.Compare(m.now[b], m.now[a]), cmp.Compare(a, b)) }
	slices.SortFunc(left, byWorth)
	statements := &m.axes[0]
	before := make([]int, len(statements.members))
	for _, i := range left {
		m.now[i] += float64(before[statements.group[i]]) * statements.each
		before[statements.group[i]]++
	}
	slices.SortFunc(left, byWorth)
	m.out = append(m.out, left...)
}
