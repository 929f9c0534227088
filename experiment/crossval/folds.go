package crossval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Folds deals items into k folds and returns each item's fold, from 0. Items
// of one group always share a fold. The folds are about equally large: groups
// are dealt largest first, each to the smallest fold, those of equal size in
// an order drawn from seed. The folds depend on the groups and their sizes,
// not on the order of the items.
func Folds(groups []string, k int, seed uint64) ([]int, error) {
	size := map[string]int{}
	for _, g := range groups {
		size[g]++
	}
	if k < 2 || k > len(size) {
		return nil, fmt.Errorf("%d folds of %d groups: want at least 2 folds and no more than groups", k, len(size))
	}
	var names []string
	for g := range size {
		names = append(names, g)
	}
	slices.Sort(names)
	stream.New(seed, "evaluate/folds").Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(size[b], size[a]) })

	held := make([]int, k)
	fold := map[string]int{}
	for _, g := range names {
		smallest := 0
		for f := range held {
			if held[f] < held[smallest] {
				smallest = f
			}
		}
		fold[g] = smallest
		held[smallest] += size[g]
	}
	out := make([]int, len(groups))
	for i, g := range groups {
		out[i] = fold[g]
	}
	return out, nil
}
