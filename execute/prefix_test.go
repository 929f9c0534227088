//go:build linux

package execute_test

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
)

func TestAPrefixIsTheWorkBeforeASiteIsFirstReached(t *testing.T) {
	e := start(t, link(t, "prefix.c"), arguments("0"), execute.Options{})
	base := originals(t, e)
	for parts, want := range map[int][]int64{
		2: {200, 200, 200, 400, -1},
		4: {100, 100, 200, 300, -1},
		8: {50, 100, 200, 300, -1},
	} {
		got, err := e.Prefixes(t.Context(), base, 0, parts)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %d parts the prefixes are %v, want %v", parts, got, want)
		}
	}
}
