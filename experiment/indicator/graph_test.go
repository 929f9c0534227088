package indicator

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTheGraphLeadsFromEachClassToAllThatItSubsumesAndHasNoShortcut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		kills := randomKills(rng, rng.IntN(14), 1+rng.IntN(6))
		classes := Classes(kills)
		graph := Graph(classes)
		var minimal []Class
		for i := range classes {
			reached := leadsTo(graph, i)
			for j := range classes {
				subsumes := i != j && classes[i].Kill.IsSubset(classes[j].Kill)
				if slices.Contains(reached, j) != subsumes {
					t.Fatalf("%v: from class %d one comes to %v", classes, i, reached)
				}
			}
			for _, j := range graph[i] {
				for _, k := range graph[i] {
					if slices.Contains(leadsTo(graph, k), j) {
						t.Fatalf("%v: %d to %d is a shortcut past %d", classes, i, j, k)
					}
				}
			}
			if !slices.ContainsFunc(graph, func(to []int) bool { return slices.Contains(to, i) }) {
				minimal = append(minimal, classes[i])
			}
		}
		if subsuming := SubsumingClasses(kills); len(subsuming) != len(minimal) {
			t.Fatalf("%v: %d classes without one above, %d subsuming ones", classes, len(minimal), len(subsuming))
		}
	}
}

func leadsTo(graph [][]int, from int) []int {
	var out []int
	todo := slices.Clone(graph[from])
	for len(todo) > 0 {
		next := todo[0]
		todo = append(todo[1:], graph[next]...)
		if !slices.Contains(out, next) {
			out = append(out, next)
		}
	}
	return out
}
