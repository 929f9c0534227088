package predict_test

import (
	"fmt"

	"github.com/winnow-mutants/winnow/predict"
)

// Order mutants by scores of one's own: a strategy needs no program.
func ExampleStrategy_Order() {
	mutants := []predict.Score{
		{ID: "a", Fault: .1, Kill: .9},
		{ID: "b", Fault: .6, Kill: .2},
		{ID: "c", Fault: .4, Kill: .8},
	}
	for _, strategy := range []predict.Strategy{predict.FaRM, predict.PredKillable} {
		order, err := strategy.Order(mutants, 1)
		if err != nil {
			panic(err)
		}
		fmt.Print(strategy.Name, ":")
		for _, at := range order {
			fmt.Print(" ", mutants[at].ID)
		}
		fmt.Println()
	}
	// Output:
	// farm: b c a
	// predkillable: a c b
}

func ExampleLookup() {
	strategy, err := predict.Lookup("winnow")
	if err != nil {
		panic(err)
	}
	fmt.Println(strategy.Name == predict.Default.Name, strategy.Randomized)
	// Output: true false
}
