package predict

import (
	"cmp"
	binary "container/heap"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// group is mutants of one statement that the same inputs show.
type group struct {
	members             []int32 // the best first
	statement, function int32
	program, own        Trial
	killable, rate      float64
	hidden              bool    // no input shows them
	left                float64 // killable members that are not expected to be killed yet
}

// cover is an order of a CouplingRule in the making.
type cover struct {
	rule    CouplingRule
	scores  []Score
	groups  []*group
	targets []*group
	taken   map[int32]int // mutants picked, by statement
}

func newCover(r CouplingRule, scores []Score) *cover {
	c := &cover{rule: r, scores: scores, taken: map[int32]int{}}
	type function struct{ file, name string }
	type key struct {
		statement    int32
		program, own uint64
		entry        uint64
		survived     int
		alone        int // from 1, of a mutant that no input shows: nothing says that it is like others
	}
	functions, groups := map[function]int32{}, map[key]*group{}
	statement, _ := places(scores)
	for _, i := range byID(scores) {
		s := &scores[i]
		k := key{int32(statement[i]), s.Program.Shown, s.Own.Shown, s.Program.Entry, s.Survived, 0}
		t, _ := s.best()
		if t.Shown == 0 {
			k.alone = i + 1
		}
		g := groups[k]
		if g == nil {
			f := function{s.File, s.Function}
			if _, seen := functions[f]; !seen {
				functions[f] = int32(len(functions))
			}
			g = &group{statement: k.statement, function: functions[f], program: s.Program, own: s.Own, rate: rate(t), hidden: t.Shown == 0}
			groups[k], c.groups = g, append(c.groups, g)
		}
		g.members = append(g.members, int32(i))
	}
	for _, g := range c.groups {
		c.complete(g)
	}
	c.targets = drawn(c.groups, mostTargets)
	return c
}

// complete puts a group's best member first, and sums up what its members are worth.
func (c *cover) complete(g *group) {
	slices.SortStableFunc(g.members, func(a, b int32) int { return cmp.Compare(c.likeness(b), c.likeness(a)) })
	for _, m := range g.members {
		g.killable += c.scores[m].killable() / float64(len(g.members))
	}
	g.rate *= g.killable / shownKillable
	g.left = float64(len(g.members)) * g.killable
}

// likeness is how much a mutant is like a fault, and killable.
func (c *cover) likeness(m int32) float64 {
	s := &c.scores[m]
	if v := s.Fault * s.Kill; v == v {
		return v
	}
	return 0
}

// drawn are so many of the groups, by chance, with the weight of all.
func drawn(groups []*group, most int) []*group {
	if len(groups) <= most {
		return groups
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	rng := stream.New(1, "predict/coupling")
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	out := make([]*group, most)
	for i := range out {
		out[i] = groups[order[i]]
	}
	return out
}

// candidate is a group that may be picked from, and its gain as it was computed last.
type candidate struct {
	group *group
	gain  float64
	at    int // when that was
	place int
}

type candidates []*candidate

func (c candidates) Len() int { return len(c) }
func (c candidates) Less(i, j int) bool {
	if c[i].gain != c[j].gain {
		return c[i].gain > c[j].gain
	}
	return c[i].place < c[j].place
}
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *candidates) Push(x any)   { *c = append(*c, x.(*candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// pick picks so many mutants as a set.
func (c *cover) pick(most int) []int {
	var open candidates
	for place, g := range drawn(c.groups, mostCandidates) {
		open = append(open, &candidate{g, c.gain(g), 0, place})
	}
	binary.Init(&open)
	var out []int
	var put []*candidate // those whose statements have enough on the first screen
	bound := c.rule.PerStatement
	for len(out) < most && len(open)+len(put) > 0 {
		if len(open) == 0 || len(out) == FirstScreen {
			for _, p := range put {
				binary.Push(&open, p)
			}
			put, bound = nil, len(c.scores)
		}
		top := open[0]
		switch {
		case c.taken[top.group.statement] >= bound:
			put = append(put, binary.Pop(&open).(*candidate))
		case !c.rule.Alone && top.at < len(out):
			top.gain, top.at = c.gain(top.group), len(out)
			binary.Fix(&open, 0)
		default:
			out = append(out, c.take(top.group))
			if len(top.group.members) == 0 {
				binary.Pop(&open)
			}
		}
	}
	return out
}

// take takes the best member of a group.
func (c *cover) take(g *group) int {
	m := g.members[0]
	g.members = g.members[1:]
	c.taken[g.statement]++
	for _, t := range c.targets {
		t.left *= 1 - g.killable*c.rule.kills(g, t)
	}
	return int(m)
}

// gain is what picking a mutant of a group is expected to add.
func (c *cover) gain(g *group) float64 {
	sum := 0.0
	for _, t := range c.targets {
		sum += t.left * c.rule.kills(g, t)
	}
	if c.rule.Like != 0 {
		sum *= math.Pow(c.likeness(g.members[0])+.001, c.rule.Like)
	}
	if g.hidden {
		return math.Pow(g.killable, c.rule.Hidden) * sum
	}
	return g.killable * sum
}

// rest are the mutants that were not picked: statement by statement in rounds, the best
// first.
func (c *cover) rest(picked []int) []int {
	done := make([]bool, len(c.scores))
	for _, i := range picked {
		done[i] = true
	}
	var left []int
	value := make([]float64, len(c.scores))
	statement, size := places(c.scores)
	for _, i := range byID(c.scores) {
		if !done[i] {
			value[i] = c.scores[i].killable() * (1 + c.likeness(int32(i)))
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	round, taken := make([]int, len(c.scores)), make([]int, len(size))
	for _, i := range left {
		round[i] = taken[statement[i]]
		taken[statement[i]]++
	}
	slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(round[a], round[b]) })
	return left
}
