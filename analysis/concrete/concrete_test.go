package concrete_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

func compile(t *testing.T, source, passes string) *ir.Module {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if passes != "" {
		if text, err = tools.Optimize(context.Background(), "program.ll", text, passes); err != nil {
			t.Fatal(err)
		}
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWhatIsRunIsWhatTheOptimiserFolds runs code without inputs and compares the
// result with LLVM's own constant folding of it.
func TestWhatIsRunIsWhatTheOptimiserFolds(t *testing.T) {
	source := ""
	expressions := []string{
		"a + b * c", "a / b % c", "-a / b", "-a % b", "a << b >> 1", "-a >> b", "(unsigned)-a >> b", "(unsigned)-a / b", "(unsigned)-a % 7u",
		"a & b | c ^ ~a", "a < b", "-a < b", "(unsigned)-a < b", "a == b", "a != b", "a >= 17", "b <= 3", "(char)(a * 20)", "(unsigned char)(a * 20)",
		"(short)70000 + a", "d * a", "(int)(d / 4 - a)", "d < a", "d != 2.5", "-d > 0", "!a", "!(a - 17)", "(long)a * 2000000000", "2147483647 + a",
		"(unsigned long)-a >> 3", "v[1] + v[2]", "*(v + 2)", "p[-1]",
	}
	for i, e := range expressions {
		source += fmt.Sprintf("long f%d(void) { int a = 17, b = 3, c = 5, v[3]; double d = 2.5; v[1] = 8; v[2] = 9; int *p = v + 2; (void)b; (void)c; (void)d; (void)p; return %s; }\n", i, e)
	}
	run, folded := compile(t, source, ""), compile(t, source, "mem2reg,sroa,instcombine,simplifycfg")
	for i, f := range folded.Functions() {
		result, ok := f.Blocks[0].Term.(*llir.TermRet).X.(*constant.Int)
		if !ok {
			t.Errorf("%s is not folded: %v", expressions[i], f.Blocks[0].Term)
			continue
		}
		code := defuse.Of(run.Functions()[i])
		c := concrete.OfFunction(code.Func)
		var r concrete.Run
		for seed := range uint64(9) {
			c.Start(&r, seed)
			last := code.First[1] - 1
			c.Items(&r, 0, last)
			at, _ := code.Number(code.Items[last].Term.(*llir.TermRet).X)
			if got := r.Result(at); r.Trapped || got != result.X.Int64() {
				t.Errorf("%s is %d (trap: %v), folded %v", expressions[i], got, r.Trapped, result.X)
			}
		}
	}
}

const branching = `int g(int n, int *p, int k) { int r = n / k; if (n > 3) r = *p; return r; }
`

func TestTheSameSeedGivesTheSameRunAndZeroTraps(t *testing.T) {
	f := compile(t, branching, "").Functions()[0]
	code := defuse.Of(f)
	c := concrete.OfFunction(code.Func)
	targets := map[int64]bool{}
	for seed := range uint64(40) {
		var a, b concrete.Run
		c.Start(&a, seed)
		c.Start(&b, seed)
		c.Items(&a, 0, code.First[1])
		c.Items(&b, 0, code.First[1])
		if !a.Same(&b) {
			t.Fatalf("seed %d gives two runs", seed)
		}
		if seed%8 == 0 && !a.Trapped {
			t.Errorf("seed %d divides zero by zero", seed)
		}
		if concrete.Corner(seed) != (seed%8 < 3) {
			t.Errorf("corner of %d", seed)
		}
		targets[a.Target] = true
	}
	if !targets[1] || !targets[2] || !targets[-1] {
		t.Errorf("the branch and the trap are not all seen: %v", targets)
	}
}

func TestReplacedCodeDiffersOnlyWhereItComputesAnotherValue(t *testing.T) {
	f := compile(t, "int h(int n, int k) { int r = n < k; return r; }\n", "").Functions()[0]
	code := defuse.Of(f)
	c := concrete.OfFunction(code.Func)
	at := -1
	for i := range code.Items {
		if _, ok := code.Items[i].Inst.(*llir.InstICmp); ok {
			at = i
		}
	}
	cmp := code.Items[at].Inst.(*llir.InstICmp)
	same := llir.NewICmp(cmp.Pred, cmp.X, cmp.Y)
	swapped := llir.NewICmp(cmp.Pred, cmp.Y, cmp.X)
	for name, instead := range map[string]struct {
		insts  []llir.Instruction
		result value.Value
		differ bool
	}{
		"the same":  {[]llir.Instruction{same}, same, false},
		"swapped":   {[]llir.Instruction{swapped}, swapped, true},
		"a literal": {nil, constant.True, true},
	} {
		scratch, ok := c.Scratch(op.Lower(code).Instead(instead.insts, nil), instead.result, 0)
		if !ok {
			t.Fatal(name)
		}
		differ := false
		for seed := range uint64(32) {
			var a, b concrete.Run
			c.Start(&a, seed)
			c.Items(&a, 0, code.First[1])
			c.Start(&b, seed)
			c.Items(&b, 0, at)
			c.Replace(&b, scratch, at)
			c.Items(&b, at+1, code.First[1])
			differ = differ || !a.Same(&b)
		}
		if differ != instead.differ {
			t.Errorf("%s: differs %v", name, differ)
		}
	}
	if _, ok := c.Scratch(op.Lower(code).Instead(make([]llir.Instruction, 100), nil), nil, 0); ok {
		t.Error("code without end is run")
	}
}
