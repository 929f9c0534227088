package crossval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/subject"
)

func TestAGroupIsNeverOnBothSidesOfAFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		groups := make([]string, 2+rng.IntN(60))
		distinct := map[string]bool{}
		for i := range groups {
			groups[i] = fmt.Sprint("g", rng.IntN(20))
			distinct[groups[i]] = true
		}
		if len(distinct) < 2 {
			continue
		}
		k := 2 + rng.IntN(len(distinct)-1)
		folds, err := Folds(groups, k, rng.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		foldOf, held := map[string]int{}, make([]int, k)
		for i, g := range groups {
			if f, seen := foldOf[g]; seen && f != folds[i] {
				t.Fatalf("group %s is in folds %d and %d", g, f, folds[i])
			}
			foldOf[g] = folds[i]
			held[folds[i]]++
		}
		if slices.Min(held) == 0 {
			t.Fatalf("%d folds of %d groups: one is empty: %v", k, len(distinct), held)
		}
		largest := map[string]int{}
		for _, g := range groups {
			largest[g]++
		}
		limit := 0
		for _, n := range largest {
			limit = max(limit, n)
		}
		if slices.Max(held)-slices.Min(held) > limit {
			t.Fatalf("folds of %v differ by more than the largest group, %d", held, limit)
		}
	}
}

func TestTwoFaultsOfOneProblemShareAFold(t *testing.T) {
	subjects := []subject.Subject{{Program: "a1", Problem: "a"}, {Program: "b1", Problem: "b"}, {Program: "a2", Problem: "a"}, {Program: "c"}}
	var groups []string
	for i := range subjects {
		groups = append(groups, subject.ByProblem(&subjects[i]))
	}
	for seed := range uint64(20) {
		folds, err := Folds(groups, 3, seed)
		if err != nil || folds[0] != folds[2] || folds[0] == folds[1] || folds[1] == folds[3] {
			t.Fatalf("folds %v, %v", folds, err)
		}
	}
	if subject.ByProblem(&subjects[3]) != subject.ByProgram(&subjects[3]) || subject.ByProgram(&subjects[0]) == subject.ByProgram(&subjects[2]) {
		t.Error("programs without problem group by program")
	}
}

func TestFoldsDependOnTheSeedAndNotOnTheOrderOfTheItems(t *testing.T) {
	groups := make([]string, 40)
	for i := range groups {
		groups[i] = fmt.Sprint("g", i/2)
	}
	one, _ := Folds(groups, 5, 1)
	same, _ := Folds(groups, 5, 1)
	other, _ := Folds(groups, 5, 2)
	if !slices.Equal(one, same) || slices.Equal(one, other) {
		t.Error("the seed does not decide the folds")
	}
	slices.Reverse(groups)
	reversed, _ := Folds(groups, 5, 1)
	slices.Reverse(reversed)
	if !slices.Equal(one, reversed) {
		t.Error("the order of the items changes the folds")
	}
}

func TestFoldsThatCannotBeFilledAreRefused(t *testing.T) {
	for _, k := range []int{-1, 0, 1, 3} {
		if _, err := Folds([]string{"a", "b", "a"}, k, 1); err == nil {
			t.Errorf("%d folds of 2 groups were made", k)
		}
	}
}
