// Package sat decides whether clauses can hold together: conflict-driven clause learning
// (Marques-Silva and Sakallah, "GRASP", 1999) with two watched literals and activities
// (Moskewicz et al., "Chaff", 2001), clause deletion by glue (Audemard and Simon, "Predicting
// Learnt Clauses Quality", 2009) and Luby's restarts.
//
// It is incremental: clauses may be added between questions, and a question may assume
// literals. Its limit is a number of conflicts, not of seconds, so that the same questions
// get the same answers on every machine: that is why it is not one of the solvers that
// others wrote in Go, which know only clocks.
package sat

import "slices"

// Lit is a variable, from 0, times 2, plus 1 where it is negated.
type Lit uint32

// Not is the other literal of the variable.
func (l Lit) Not() Lit { return l ^ 1 }

// Var is the literal's variable.
func (l Lit) Var() int { return int(l >> 1) }

// Answer is what a question came to.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota // the limit was met
	Sat
	Unsat
)

func (a Answer) String() string { return [...]string{"unknown", "sat", "unsat"}[a] }

const (
	unset int8 = 0
	yes   int8 = 1
	no    int8 = -1
)

type clause struct {
	lits    []Lit
	learnt  bool
	glue    int
	deleted bool
}

type watch struct {
	c     *clause
	other Lit // of the clause: where it is true there is nothing to do
}

// Solver holds clauses. The zero Solver has none.
type Solver struct {
	clauses, learnts []*clause
	watches          [][]watch // by literal: clauses that watch its negation
	values           []int8    // by literal
	phase            []bool    // by variable: the last value was false
	level            []int
	reason           []*clause
	trail            []Lit
	limits           []int // of the trail, by level
	head             int
	activity         []float64
	step             float64
	order            heap
	// among are the variables to decide: those of the question's round; see Among.
	among  []uint32
	round  uint32
	seen   []bool
	broken bool
	// Log, unless it is nil, is told of all clauses.
	Log *Log
	// Stop, unless it is nil, says that a question is to be given up: it is asked at times.
	Stop func() bool
	// Conflicts counts those of all questions.
	Conflicts int
	model     []int8
	nextClean int
}

// Variable makes a new variable, and returns the literal that it is true.
func (s *Solver) Variable() Lit {
	v := len(s.level)
	s.watches = append(s.watches, nil, nil)
	s.values = append(s.values, unset, unset)
	s.phase = append(s.phase, true)
	s.level = append(s.level, 0)
	s.reason = append(s.reason, nil)
	s.activity = append(s.activity, 0)
	s.seen = append(s.seen, false)
	s.among = append(s.among, s.round)
	s.order.add(v, s.activity)
	return Lit(2 * v)
}

// Variables is how many there are.
func (s *Solver) Variables() int { return len(s.level) }

// Add adds a clause.
func (s *Solver) Add(lits ...Lit) {
	s.Log.given(lits)
	s.backTo(0)
	if s.broken {
		return
	}
	own := slices.Clone(lits)
	slices.Sort(own)
	kept := own[:0]
	for k, l := range own {
		switch {
		case s.values[l] == yes || k+1 < len(own) && own[k+1] == l.Not():
			return
		case s.values[l] == no || len(kept) > 0 && kept[len(kept)-1] == l:
		default:
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		s.broken = true
	case 1:
		s.assign(kept[0], nil)
		s.broken = s.propagate() != nil
	default:
		c := &clause{lits: kept}
		s.clauses = append(s.clauses, c)
		s.watch(c)
	}
}

func (s *Solver) watch(c *clause) {
	s.watches[c.lits[0].Not()] = append(s.watches[c.lits[0].Not()], watch{c, c.lits[1]})
	s.watches[c.lits[1].Not()] = append(s.watches[c.lits[1].Not()], watch{c, c.lits[0]})
}

func (s *Solver) assign(l Lit, because *clause) {
	s.values[l], s.values[l.Not()] = yes, no
	v := l.Var()
	s.level[v], s.reason[v] = len(s.limits), because
	s.trail = append(s.trail, l)
}

func (s *Solver) backTo(level int) {
	if len(s.limits) <= level {
		return
	}
	from := s.limits[level]
	for _, l := range s.trail[from:] {
		v := l.Var()
		s.values[l], s.values[l.Not()] = unset, unset
		s.phase[v] = l&1 == 1
		if s.among[v] == s.round {
			s.order.add(v, s.activity)
		}
	}
	s.trail, s.limits, s.head = s.trail[:from], s.limits[:level], from
}

// propagate assigns what follows, and returns a clause that cannot hold, or nil.
func (s *Solver) propagate() *clause {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		list := s.watches[l]
		kept := list[:0]
		for i := 0; i < len(list); i++ {
			w := list[i]
			if s.values[w.other] == yes {
				kept = append(kept, w)
				continue
			}
			c := w.c
			if c.deleted {
				continue
			}
			if c.lits[0] == l.Not() {
				c.lits[0], c.lits[1] = c.lits[1], c.lits[0]
			}
			first := c.lits[0]
			if s.values[first] == yes {
				kept = append(kept, watch{c, first})
				continue
			}
			if s.watchAnother(c) {
				continue
			}
			kept = append(kept, watch{c, first})
			if s.values[first] == no {
				kept = append(kept, list[i+1:]...)
				s.watches[l] = kept
				s.head = len(s.trail)
				return c
			}
			s.assign(first, c)
		}
		s.watches[l] = kept
	}
	return nil
}

// watchAnother finds a literal to watch instead of the second.
func (s *Solver) watchAnother(c *clause) bool {
	for k := 2; k < len(c.lits); k++ {
		if s.values[c.lits[k]] != no {
			c.lits[1], c.lits[k] = c.lits[k], c.lits[1]
			to := c.lits[1].Not()
			s.watches[to] = append(s.watches[to], watch{c, c.lits[0]})
			return true
		}
	}
	return false
}

// analyse learns a clause from a conflict, with the level to go back to.
func (s *Solver) analyse(conflict *clause) ([]Lit, int) {
	learnt := []Lit{0}
	var cleared []int
	open, at := 0, len(s.trail)-1
	var l Lit
	for c, first := conflict, true; ; first = false {
		for k, q := range c.lits {
			if !first && k == 0 {
				continue
			}
			v := q.Var()
			if s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			cleared = append(cleared, v)
			s.bump(v)
			if s.level[v] == len(s.limits) {
				open++
			} else {
				learnt = append(learnt, q)
			}
		}
		for !s.seen[s.trail[at].Var()] {
			at--
		}
		l = s.trail[at]
		at--
		if open--; open == 0 {
			break
		}
		c = s.reason[l.Var()]
		if c.lits[0] != l { // the literal that it gave is the first
			k := slices.Index(c.lits, l)
			c.lits[0], c.lits[k] = c.lits[k], c.lits[0]
		}
	}
	learnt[0] = l.Not()
	learnt = s.minimise(learnt)
	for _, v := range cleared {
		s.seen[v] = false
	}
	back := 0
	for k := 1; k < len(learnt); k++ {
		if lv := s.level[learnt[k].Var()]; lv > back {
			back = lv
			learnt[1], learnt[k] = learnt[k], learnt[1]
		}
	}
	return learnt, back
}

// minimise drops literals that follow from others of the clause.
func (s *Solver) minimise(learnt []Lit) []Lit {
	kept := learnt[:1]
	for _, l := range learnt[1:] {
		c := s.reason[l.Var()]
		follows := c != nil
		if follows {
			for _, q := range c.lits {
				if q.Var() != l.Var() && !s.seen[q.Var()] && s.level[q.Var()] > 0 {
					follows = false
					break
				}
			}
		}
		if !follows {
			kept = append(kept, l)
		}
	}
	return kept
}

func (s *Solver) bump(v int) {
	if s.step == 0 {
		s.step = 1
	}
	if s.activity[v] += s.step; s.activity[v] > 1e100 {
		for k := range s.activity {
			s.activity[k] *= 1e-100
		}
		s.step *= 1e-100
	}
	s.order.up(v, s.activity)
}

// learn adds what was learnt, and goes on with it.
func (s *Solver) learn(lits []Lit, back int) {
	s.Log.learnt(lits)
	levels := map[int]bool{}
	for _, l := range lits {
		levels[s.level[l.Var()]] = true
	}
	s.backTo(back)
	if len(lits) == 1 {
		s.assign(lits[0], nil)
		return
	}
	c := &clause{lits: slices.Clone(lits), learnt: true, glue: len(levels)}
	s.learnts = append(s.learnts, c)
	s.watch(c)
	s.assign(lits[0], c)
}

// clean deletes half of what was learnt, the worst.
func (s *Solver) clean() {
	slices.SortStableFunc(s.learnts, func(a, b *clause) int {
		if a.glue != b.glue {
			return a.glue - b.glue
		}
		return len(a.lits) - len(b.lits)
	})
	kept := s.learnts[:0]
	for k, c := range s.learnts {
		isReason := s.values[c.lits[0]] == yes && s.reason[c.lits[0].Var()] == c
		if k < len(s.learnts)/2 || c.glue <= 2 || isReason {
			kept = append(kept, c)
			continue
		}
		c.deleted = true
	}
	s.learnts = kept
}
