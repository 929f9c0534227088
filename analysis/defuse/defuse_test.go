package defuse_test

import (
	"slices"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/defuse"
)

const source = `int g(int, int);
int f(int n, int m) {
  if (n > m) return g(n + n, m);
  return n;
}`

func TestItemsRunThroughTheBlocksInOrder(t *testing.T) {
	code := defuse.Of(analysistest.Function(t, source, "f"))
	i := 0
	for k, b := range code.Func.Blocks {
		if code.First[k] != i {
			t.Errorf("block %d starts at %d, want %d", k, code.First[k], i)
		}
		for _, inst := range b.Insts {
			if n, ok := code.Number(inst); !ok || n != i || code.Items[i].Block != k {
				t.Errorf("instruction %d of block %d is item %d", i, k, n)
			}
			i++
		}
		if n, ok := code.Number(b.Term); !ok || n != i || code.Terminator(k) != i {
			t.Errorf("the terminator of block %d is item %d, want %d", k, n, i)
		}
		i++
	}
	if len(code.Items) != i || code.First[len(code.Func.Blocks)] != i {
		t.Errorf("%d items, want %d", len(code.Items), i)
	}
}

func TestUsesAndUsersMirrorEachOther(t *testing.T) {
	code := defuse.Of(analysistest.Function(t, source, "f"))
	links := 0
	for user, uses := range code.Uses {
		for _, def := range uses {
			links++
			if !slices.Contains(code.Users[def], user) {
				t.Errorf("%d uses %d, which does not know", user, def)
			}
			if v := code.Items[def].Value(); !slices.Contains(code.Operands[user], v) {
				t.Errorf("%d uses %v, which is no operand", user, v)
			}
		}
	}
	for def, users := range code.Users {
		links -= len(users)
		if !slices.IsSorted(users) {
			t.Errorf("the users of %d are %v", def, users)
		}
	}
	if links != 0 {
		t.Errorf("%d more uses than users", links)
	}
}

func TestDebugMarkersUseNothing(t *testing.T) {
	code := defuse.Of(analysistest.Function(t, source, "f"))
	for i, item := range code.Items {
		call, ok := item.Inst.(*llir.InstCall)
		if !ok {
			continue
		}
		if callee := call.Callee.Ident(); callee == "@llvm.dbg.declare" && len(code.Uses[i]) > 0 {
			t.Errorf("a debug marker uses %v", code.Uses[i])
		}
	}
}
