package released_test

import (
	"fmt"

	"github.com/winnow-mutants/winnow/models/released"
)

func ExampleOpen() {
	for _, name := range released.Names() {
		model, err := released.Open(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(model.Card.Name, "knows faults:", model.Card.Faults > 0)
	}
	// Output:
	// codeflaws knows faults: true
	// codeflaws-dynamic knows faults: true
	// projects knows faults: false
}
