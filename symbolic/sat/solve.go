package sat

// betweenStops is after how many decisions Stop is asked.
const betweenStops = 64

// Solve says whether the clauses can hold with some literals, within so many conflicts.
func (s *Solver) Solve(conflicts int, assumed ...Lit) Answer {
	s.backTo(0)
	if s.broken || s.propagate() != nil {
		s.broken = true
		return Unsat
	}
	if s.nextClean == 0 {
		s.nextClean = 2_000
	}
	end := s.Conflicts + conflicts
	for restart := 1; ; restart++ {
		answer := s.search(s.Conflicts+100*luby(restart), end, assumed)
		if answer != Unknown || s.Conflicts >= end || s.stopped() {
			if answer == Sat {
				s.model = append(s.model[:0], s.values...)
			}
			s.backTo(0)
			return answer
		}
		s.backTo(0)
	}
}

// Among says which variables the next questions are about: others are not decided. It is
// for clauses that define each variable by earlier ones, so that what holds for those that
// a question depends on can be gone on with.
func (s *Solver) Among(variables []Lit) {
	s.backTo(0)
	s.round++
	s.order.clear()
	for _, l := range variables {
		v := l.Var()
		s.among[v] = s.round
		if s.values[l] == unset {
			s.order.add(v, s.activity)
		}
	}
}

// luby is Luby's sequence: 1 1 2 1 1 2 4 …
func luby(i int) int {
	for k := 1; ; k++ {
		switch {
		case i == 1<<k-1:
			return 1 << (k - 1)
		case i < 1<<k-1:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

func (s *Solver) stopped() bool { return s.Stop != nil && s.Stop() }

// search goes on until an answer, a number of conflicts to restart at, the last, or Stop.
func (s *Solver) search(restart, end int, assumed []Lit) Answer {
	for decisions := 1; ; decisions++ {
		if decisions%betweenStops == 0 && s.stopped() {
			return Unknown
		}
		if conflict := s.propagate(); conflict != nil {
			s.Conflicts++
			if len(s.limits) == 0 {
				s.broken = true
				return Unsat
			}
			s.learn(s.analyse(conflict))
			s.step /= 0.95
			if len(s.learnts) > s.nextClean {
				s.clean()
				s.nextClean += 500
			}
			continue
		}
		if s.Conflicts >= restart || s.Conflicts >= end {
			return Unknown
		}
		next, ok := s.next(assumed)
		switch {
		case !ok:
			return Unsat // an assumption is false
		case next == none:
			return Sat
		}
		s.limits = append(s.limits, len(s.trail))
		if s.values[next] == unset {
			s.assign(next, nil)
		}
	}
}

const none = ^Lit(0)

// next is the literal to decide: an assumption, or the most active variable; none where
// all are assigned, false where an assumption does not hold.
func (s *Solver) next(assumed []Lit) (Lit, bool) {
	if n := len(s.limits); n < len(assumed) {
		return assumed[n], s.values[assumed[n]] != no
	}
	for {
		v, ok := s.order.pop(s.activity)
		if !ok {
			return none, true
		}
		l := Lit(2 * v)
		if s.values[l] != unset {
			continue
		}
		if s.phase[v] {
			l = l.Not()
		}
		return l, true
	}
}

// True says that a literal is true in the model of the last question, which was Sat. What
// was made since is false.
func (s *Solver) True(l Lit) bool { return int(l) < len(s.model) && s.model[l] == yes }

// heap has variables, the most active first.
type heap struct {
	list []int
	at   []int // by variable, from 1; 0 is not in the heap
}

func (h *heap) clear() {
	for _, v := range h.list {
		h.at[v] = 0
	}
	h.list = h.list[:0]
}

func (h *heap) add(v int, activity []float64) {
	for v >= len(h.at) {
		h.at = append(h.at, 0)
	}
	if h.at[v] > 0 {
		return
	}
	h.list = append(h.list, v)
	h.at[v] = len(h.list)
	h.up(v, activity)
}

func (h *heap) up(v int, activity []float64) {
	if h.at[v] == 0 {
		return
	}
	i := h.at[v] - 1
	for i > 0 {
		parent := (i - 1) / 2
		if activity[h.list[parent]] >= activity[v] {
			break
		}
		h.put(i, h.list[parent])
		i = parent
	}
	h.put(i, v)
}

func (h *heap) put(i, v int) { h.list[i], h.at[v] = v, i+1 }

func (h *heap) pop(activity []float64) (int, bool) {
	if len(h.list) == 0 {
		return 0, false
	}
	top, last := h.list[0], h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	h.at[top] = 0
	if top == last {
		return top, true
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h.list) {
			break
		}
		if child+1 < len(h.list) && activity[h.list[child+1]] > activity[h.list[child]] {
			child++
		}
		if activity[h.list[child]] <= activity[last] {
			break
		}
		h.put(i, h.list[child])
		i = child
	}
	h.put(i, last)
	return top, true
}
