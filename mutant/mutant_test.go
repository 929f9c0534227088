package mutant_test

import (
	"slices"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

func TestTheFragmentsAreDistinctAndInNobodysReach(t *testing.T) {
	for name, list := range map[string]func() []string{"matchers": mutant.Matchers, "replacers": mutant.Replacers} {
		all := list()
		sorted := slices.Sorted(slices.Values(all))
		if len(slices.Compact(sorted)) != len(all) {
			t.Errorf("a fragment occurs twice among the %s", name)
		}
		all[0] = "CHANGED"
		if list()[0] == "CHANGED" {
			t.Errorf("a caller can change the %s", name)
		}
	}
}

func TestACopyHasOperandsOfItsOwn(t *testing.T) {
	one, two := constant.NewInt(types.I32, 1), constant.NewInt(types.I32, 2)
	callee := llir.NewFunc("f", types.I32, llir.NewParam("a", types.I32))
	call := llir.NewCall(callee, &llir.Arg{Value: one})
	twin := mutant.CopyOf(call).(*llir.InstCall)
	twin.Args[0].(*llir.Arg).Value = two
	if call.Args[0].(*llir.Arg).Value != value.Value(one) {
		t.Error("a change of the copy's argument reached the original")
	}
	add := llir.NewAdd(one, one)
	mutant.CopyOf(add).(*llir.InstAdd).X = two
	if add.X != value.Value(one) {
		t.Error("a change of the copy's operand reached the original")
	}
}

func TestACopyOnMutatedCodePromisesNothing(t *testing.T) {
	add := llir.NewAdd(constant.NewInt(types.I32, 1), constant.NewInt(types.I32, 2))
	add.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNSW}
	shift := llir.NewAShr(add, constant.NewInt(types.I32, 1))
	shift.Exact = true
	code := &mutant.Code{Prefix: "m7"}
	if twin := code.Copy(add).(*llir.InstAdd); len(twin.OverflowFlags) > 0 {
		t.Error("nsw is kept")
	}
	if twin := code.Copy(shift).(*llir.InstAShr); twin.Exact {
		t.Error("exact is kept")
	}
	if len(add.OverflowFlags) == 0 || !shift.Exact {
		t.Error("the original lost its flags")
	}
	if code.Insts[0].(value.Named).Name() == code.Insts[1].(value.Named).Name() {
		t.Error("two results of one name")
	}
}

// A whole id names its mutant also where others begin with it, which are the same change elsewhere.
func TestAnIDIsFoundByItsBeginning(t *testing.T) {
	ids := []string{"a1f0", "a1f0-1", "b2", "a2"}
	for id, want := range map[string][2]int{
		"a1f0": {0, -1}, "a1f0-1": {1, -1}, "a1f0-": {1, -1}, "b": {2, -1}, "a": {0, 1}, "c": {-1, -1}, "": {-1, -1}, "a1f0-12": {-1, -1},
	} {
		if at, other := mutant.Find(ids, id); at != want[0] || other != want[1] {
			t.Errorf("%q: %d and %d, want %v", id, at, other, want)
		}
	}
}

func TestACopySaysOfWhichMutantItIsOne(t *testing.T) {
	for id, want := range map[string]string{"a1-x1": "a1", "a1-x12-3": "a1-3", "a1": "", "a1-3": ""} {
		if first, is := mutant.CopiedFrom(id); is != (want != "") || is && first != want {
			t.Errorf("%s: %s, %v", id, first, is)
		}
	}
}
