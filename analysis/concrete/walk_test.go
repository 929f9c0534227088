package concrete_test

import (
	"fmt"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

const walked = `
int scanf(const char *, ...); int printf(const char *, ...); void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int total, kept[8], same = 3;
static int part(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 3 == 1) s += kept[i & 7]; else s = s + i; same = 3; } return s; }
static int count(int n) { if (n <= 0) return 1; total = total + n; return count(n - 1) + count(n - 3); }
static int upwards(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int n, x = 0, *p = &x;
  char name[20];
  if (scanf("%d %s", &n, name) < 2) return 1;
  for (int i = 0; i < n && i < 8; i++) { if (scanf("%d", &kept[i]) != 1) break; *p += part(kept[i] & 15); x = *p; printf("%d;", x & 12); }
  qsort(kept, 8, sizeof(int), upwards);
  printf("%d %s %d\n", x, name, kept[7]);
  if (n < 6) printf("%d %d\n", count(n), total + n * 0);
  printf("%d\n", 60 / (x - 12));
  return x > 40 ? 2 : 0;
}
`

// changesOf makes changes of many kinds of a function.
func changesOf(t *testing.T, own *concrete.Code, items *defuse.Code) (out []*concrete.Change) {
	t.Helper()
	add := func(at, last, result int, insts []llir.Instruction, term llir.Terminator, v value.Value) {
		scratch, ok := own.Scratch(op.Lower(items).Instead(insts, term), v, items.Items[at].Block)
		if !ok {
			t.Fatal("one instruction is too long")
		}
		out = append(out, &concrete.Change{In: own, Code: scratch, At: at, Last: last, Result: result})
	}
	for at := range items.Items {
		switch i := items.Items[at].Node().(type) {
		case *llir.InstAdd:
			sub := llir.NewSub(i.X, i.Y)
			swapped := llir.NewAdd(i.Y, i.X)
			more := llir.NewAdd(swapped, constant.NewInt(i.X.Type().(*types.IntType), 0))
			add(at, at+1, at, []llir.Instruction{sub}, nil, sub)
			add(at, at+1, at, []llir.Instruction{swapped, more}, nil, more) // the same
			add(at, at+1, at, nil, nil, i.X)
			for _, other := range []llir.Instruction{llir.NewOr(i.X, i.Y), llir.NewXor(i.X, i.Y), llir.NewSub(i.Y, i.X)} {
				add(at, at+1, at, []llir.Instruction{other}, nil, other.(value.Value))
			}
		case *llir.InstSRem:
			div := llir.NewSDiv(i.X, i.Y)
			add(at, at+1, at, []llir.Instruction{div}, nil, div)
		case *llir.InstSDiv:
			rem := llir.NewSRem(i.X, i.Y)
			zero := llir.NewSDiv(i.X, constant.NewInt(types.I32, 0))
			add(at, at+1, at, []llir.Instruction{rem}, nil, rem)
			add(at, at+1, at, []llir.Instruction{zero}, nil, zero)
		case *llir.InstICmp:
			for _, pred := range []enum.IPred{enum.IPredEQ, enum.IPredNE, enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE} {
				other := llir.NewICmp(pred, i.X, i.Y)
				add(at, at+1, at, []llir.Instruction{other}, nil, other)
			}
		case *llir.InstStore:
			add(at, at+1, -1, nil, nil, nil) // left out
			add(at, at+1, -1, []llir.Instruction{llir.NewStore(i.Src, i.Dst), llir.NewStore(i.Src, i.Dst)}, nil, nil)
		case *llir.InstCall:
			if i.Type().Equal(types.I32) {
				add(at, at+1, at, nil, nil, constant.NewInt(types.I32, 1))
			}
		case *llir.TermCondBr:
			add(at, at+1, -1, nil, llir.NewCondBr(i.Cond, i.TargetFalse.(*llir.Block), i.TargetTrue.(*llir.Block)), nil)
			add(at, at+1, -1, nil, llir.NewBr(i.TargetTrue.(*llir.Block)), nil)
		case *llir.TermRet:
			if i.X != nil {
				add(at, at+1, -1, nil, llir.NewRet(constant.NewInt(types.I32, 0)), nil)
			}
		}
	}
	return out
}

// A walk gives of each change what it shows when it is run from the beginning, and those
// of which it gives nothing show and leave what the original does.
func TestAWalkIsToRunEachChangeFromTheBeginning(t *testing.T) {
	m := compile(t, walked, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	var list []*concrete.Change
	for _, f := range m.Functions() {
		if own := root.Callee(f); own != nil {
			list = append(list, changesOf(t, own, defuse.Of(f))...)
		}
	}
	changes := concrete.NewChanges(list)
	var walker concrete.Walker
	var original, whole concrete.Path
	whole.Trace = true // which is run step by step
	describe := func(p *concrete.Path) string {
		return fmt.Sprint(p.Shown, p.Returned, p.Trapped, p.Length())
	}
	followed, same, paths := 0, 0, 0
	for seed := range uint64(24) {
		const limit = 8192
		root.Along(&original, seed, 0, limit)
		given := make([]bool, len(list))
		root.Walk(&walker, seed, changes, &original, limit, func(together []int, path *concrete.Path) {
			paths++
			for _, n := range together {
				if given[n] {
					t.Fatalf("seed %d, change %d is given twice", seed, n)
				}
				given[n] = true
				followed++
				root.AlongChanged(&whole, seed, 0, list[n], &original, limit)
				outer, local := whole.Outlives(path)
				if a, b := describe(&whole), describe(path); a != b || outer || local || whole.Differs != path.Differs || whole.Value() != path.Value() || fmt.Sprint(whole.Steps) != fmt.Sprint(path.Steps) {
					t.Fatalf("seed %d, change %d: from the beginning %s, walked %s, other memory: %v, %v", seed, n, a, b, outer, local)
				}
			}
		})
		for n := range list {
			if given[n] {
				continue
			}
			same++
			root.AlongChanged(&whole, seed, 0, list[n], &original, limit)
			outer, local := whole.Outlives(&original)
			if a, b := describe(&whole), describe(&original); a != b || outer || local || whole.Differs {
				t.Fatalf("seed %d, change %d: nothing is said of it, but it is %s, not %s; other memory: %v, %v", seed, n, a, b, outer, local)
			}
		}
	}
	if len(list) < 60 || followed < 500 || same < 300 || followed < paths+300 {
		t.Errorf("of %d changes %d runs were followed, on %d paths, and %d the same", len(list), followed, paths, same)
	}
}
