package dataflow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/ir"
)

// sourcesOn lists the lines whose writes the reads on one line may see; 0
// stands for parameters, which are written where the function starts.
func sourcesOn(t *testing.T, source string, line int) string {
	t.Helper()
	code := defuse.Of(analysistest.Function(t, source, "f"))
	flow := Of(code, cfg.New(code.Func))
	var lines []int
	for i, item := range code.Items {
		if ir.PositionOf(item.Node()).Line != line {
			continue
		}
		for w := range flow.Sources(i).Each {
			lines = append(lines, ir.PositionOf(code.Items[w].Node()).Line)
		}
	}
	slices.Sort(lines)
	return strings.Trim(fmt.Sprint(slices.Compact(lines)), "[]")
}

func TestTheAliasRuleIsTheDocumentedOne(t *testing.T) {
	for _, c := range []struct{ what, body, want string }{
		{"an assignment ends earlier ones", "int x = 1;\nx = 2;\nuse(x);//", "3"},
		{"both arms reach the join", "int x = 1;\nif (n)\nx = 2;\nuse(x);//", "2 4"},
		{"a loop carries to itself", "int x = n;\nwhile (n > x) //", "2 4"},
		{"scanf writes what it is given", "int m, k;\nscanf(\"%d\", &m);\nscanf(\"%d\", &k);\nprintf(\"%d\", m);//", "3"},
		{"printf writes nothing", "int m = 1; int *p = &m;\nprintf(\"%p\", &m);\nm = 3;\nprintf(\"%d\", m);\nuse(m);//", "4"},
		{"an unknown function may write what it is given", "int m = 1;\ng(&m);\nuse(m);//", "2 3"},
		{"and keep it", "int m = 1;\ng(&m);\nm = 2;\nuse(0);\nn = m;//", "4 5"},
		{"it does not know other slots", "int m = 1;\nuse(0);\nn = m;//", "2"},
		{"it knows globals", "total = 1;\nuse(0);\nuse(total);//", "2 3"},
		{"a library function does not", "total = 1;\nputs(\"\");\nuse(total);//", "2"},
		{"a store through a pointer may hit what is exposed", "int m = 1, k = 1; int *p = &m;\n*p = 2;\nuse(k);\nuse(m);//", "2 3 4"},
		{"and nothing else", "int m = 1, k = 1; int *p = &m;\n*p = 2;\nn = k;//", "2"},
		{"elements of an array are one object", "int a[4];\na[0] = 1;\na[1] = 2;\nuse(a[3]);//", "3 4"},
		{"what strchr returns lies in its argument", "char s[9]; gets(s);\nchar *p = strchr(s, 65);\n*p = 0;\nputs(s);//", "2 4"},
		{"string literals do not change", "char *s;\ng(&n);\nputs(\"abc\");//", ""},
		{"structures are copied by memcpy", "struct S a, b; a.x = 1;\nb = a;\nuse(b.x);//", "3"},
	} {
		source := "#include <stdio.h>\n#include <string.h>\nstruct S { int x, y[9]; }; int total; void g(int *); void use(int); char *gets(char *);\nvoid f(int n) {\n#line 2\n" + c.body
		line := 2 + strings.Count(c.body, "\n")
		if strings.HasSuffix(c.body, "while (n > x) //") {
			source, line = strings.Replace(source, "while (n > x) //", "while (n > x)\nx++;", 1), line+1
		} else {
			source = strings.TrimSuffix(source, "//")
		}
		if got := sourcesOn(t, source+"\n}\n", line); got != c.want {
			t.Errorf("%s: line %d may read lines %q, want %q", c.what, line, got, c.want)
		}
	}
}

// program returns a random function that stores to, loads from and passes on a
// few slots and a global.
func program(rng *rand.Rand) *llir.Func {
	m := llir.NewModule()
	unknown := m.NewFunc("unknown", types.Void, llir.NewParam("p", types.I32Ptr))
	f := m.NewFunc("f", types.Void, llir.NewParam("c", types.I1))
	objects := []value.Value{m.NewGlobalDef("global", constant.NewInt(types.I32, 0))}
	blocks := make([]*llir.Block, 1+rng.IntN(6))
	for i := range blocks {
		blocks[i] = f.NewBlock(fmt.Sprintf("b%d", i))
	}
	for range 3 {
		objects = append(objects, blocks[0].NewAlloca(types.I32))
	}
	pointer := blocks[0].NewAlloca(types.I32Ptr)
	any := func() value.Value { return objects[rng.IntN(len(objects))] }
	for _, b := range blocks {
		for range rng.IntN(5) {
			switch rng.IntN(6) {
			case 0, 1:
				b.NewStore(constant.NewInt(types.I32, 1), any())
			case 2:
				b.NewLoad(types.I32, any())
			case 3:
				b.NewStore(any(), pointer)
			case 4:
				p := b.NewLoad(types.I32Ptr, pointer)
				b.NewStore(b.NewLoad(types.I32, p), p)
			case 5:
				b.NewCall(unknown, any())
			}
		}
		switch to := func() *llir.Block { return blocks[rng.IntN(len(blocks))] }; rng.IntN(3) {
		case 0:
			b.NewRet(nil)
		case 1:
			b.NewBr(to())
		case 2:
			b.NewCondBr(f.Params[0], to(), to())
		}
	}
	return f
}

// meets reports, by walking every path from a writer, that some path reaches
// the reader before a write of the whole object.
func meets(m *memory, g *cfg.Graph, object, writer, reader int) bool {
	seen := map[int]bool{}
	touches := func(i int) (reads, whole bool) {
		for _, a := range m.accesses[i] {
			if a.object == object || a.object == anywhere && m.exposed[object] {
				reads, whole = reads || a.reads, whole || a.whole
			}
		}
		return reads, whole
	}
	var walk func(i int) bool
	walk = func(i int) bool { // arrived before item i
		if seen[i] {
			return false
		}
		seen[i] = true
		reads, whole := touches(i)
		if reads && i == reader {
			return true
		}
		return !whole && follow(m, g, i, walk)
	}
	return follow(m, g, writer, walk)
}

func follow(m *memory, g *cfg.Graph, i int, walk func(int) bool) bool {
	block := m.code.Items[i].Block
	if i != m.code.Terminator(block) {
		return walk(i + 1)
	}
	return slices.ContainsFunc(g.Succs[block], func(s int) bool { return walk(m.code.First[s]) })
}

func TestSourcesAgreeWithWalkingEveryPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	pairs := 0
	for range 400 {
		code := defuse.Of(program(rng))
		g := cfg.New(code.Func)
		flow, m := Of(code, g), newMemory(code)
		for _, r := range flow.Readers {
			for _, w := range flow.Writers {
				want := false
				for object := range m.objects {
					for _, a := range m.accesses[w] {
						writes := a.writes && (a.object == object || a.object == anywhere && m.exposed[object])
						want = want || writes && meets(m, g, object, w, r)
					}
				}
				got := flow.Sources(r).Has(w)
				if got != want || flow.Sinks(w).Has(r) != want {
					t.Fatalf("%v\nwriter %d, reader %d: %v, want %v", code.Func.LLString(), w, r, got, want)
				}
				if want {
					pairs++
				}
			}
		}
	}
	if pairs < 2000 {
		t.Errorf("only %d dependences in all programs", pairs)
	}
}

func TestEqualSetsAreOneSet(t *testing.T) {
	code := defuse.Of(analysistest.Function(t, "int f(int n) { int x = n; int y = x + x; return y - x; }", "f"))
	flow := Of(code, cfg.New(code.Func))
	var ofX []*Set
	for _, r := range flow.Readers {
		if load, ok := code.Items[r].Inst.(*llir.InstLoad); ok && load.Src.Ident() == "%x" {
			ofX = append(ofX, flow.Sources(r))
		}
	}
	if len(ofX) != 3 || ofX[0] != ofX[1] || ofX[1] != ofX[2] {
		t.Errorf("three reads of x have the sets %p", ofX)
	}
	if len(ofX[0].Items()) != 1 {
		t.Errorf("x is written once, not at %v", ofX[0].Items())
	}
}

// BenchmarkAGeneratedFunction is 50,000 instructions of stores and loads
// through unknown pointers and calls, in one loop.
func BenchmarkAGeneratedFunction(b *testing.B) {
	m := llir.NewModule()
	unknown := m.NewFunc("unknown", types.Void)
	f := m.NewFunc("f", types.Void, llir.NewParam("p", types.I32Ptr))
	head, end := f.NewBlock("head"), f.NewBlock("end")
	end.NewRet(nil)
	block := head
	for i := range 10000 {
		block.NewStore(block.NewLoad(types.I32, f.Params[0]), f.Params[0])
		block.NewLoad(types.I32, f.Params[0])
		block.NewCall(unknown)
		if i%10 == 9 {
			next := f.NewBlock(fmt.Sprintf("b%d", i))
			block.NewBr(next)
			block = next
		}
	}
	block.NewCondBr(constant.True, head, end)
	for b.Loop() {
		code := defuse.Of(f)
		Of(code, cfg.New(f))
	}
}
