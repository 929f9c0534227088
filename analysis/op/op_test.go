package op_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// Integers of up to 64 bits and wider ones are computed by two ways, which agree where
// both can be asked: at four bits on all operands.
func TestNarrowAndWideArithmeticAgree(t *testing.T) {
	const width = 4
	for code := op.Add; code <= op.AShr; code++ {
		for x := int64(-8); x < 8; x++ {
			for y := int64(-8); y < 8; y++ {
				narrow, ok := code.Ints(x, y, width)
				wide, okWide := code.Wides(big.NewInt(x), big.NewInt(y), width)
				if ok != okWide || ok && narrow != wide.Int64() {
					t.Fatalf("%d of %d and %d is %d (%v), of wide numbers %v (%v)", code, x, y, narrow, ok, wide, okWide)
				}
			}
		}
	}
}

func TestComparisonsReadIntegersWithAndWithoutSign(t *testing.T) {
	for _, c := range []struct {
		p    enum.IPred
		x, y int64
		want bool
	}{
		{enum.IPredSLT, -1, 0, true}, {enum.IPredULT, -1, 0, false}, {enum.IPredUGT, -1, 127, true},
		{enum.IPredULE, 3, 3, true}, {enum.IPredSGE, -4, -3, false}, {enum.IPredUGE, -4, -3, false}, {enum.IPredNE, 1, -1, true},
	} {
		if got := op.Holds(c.p, c.x, c.y, 8); got != c.want {
			t.Errorf("%v of %d and %d is %v", c.p, c.x, c.y, got)
		}
	}
}

// Sizes and offsets are those that the compiler computes.
func TestTheLayoutOfDataIsThatOfTheCompiler(t *testing.T) {
	m := analysistest.Module(t, `#include <stddef.h>
struct small { char c; short s; };
struct mixed { char c; double d; int i; char t[3]; };
struct nested { struct mixed m; char last; long double wide; _Bool flag; };
struct __attribute__((packed)) tight { char c; int i; struct small s; };
struct fields { unsigned a : 3, b : 11; int : 0; signed char c : 4; };
union any { char text[7]; int i; double d; };
struct wide { char c; __int128 w; };
struct small v0; struct mixed v1; struct nested v2; struct tight v3; struct fields v4; union any v5; struct wide v6; struct mixed v7[3][2];
unsigned long sizes[] = {sizeof v0, sizeof v1, sizeof v2, sizeof v3, sizeof v4, sizeof v5, sizeof v6, sizeof v7};
unsigned long offsets[] = {offsetof(struct nested, m), offsetof(struct nested, last), offsetof(struct nested, wide), offsetof(struct nested, flag)};
`)
	globals := map[string]*llir.Global{}
	for _, g := range m.LLVM.Globals {
		globals[g.Name()] = g
	}
	numbers := func(name string) (out []int64) {
		for _, e := range globals[name].Init.(*constant.Array).Elems {
			out = append(out, e.(*constant.Int).X.Int64())
		}
		return out
	}
	for k, want := range numbers("sizes") {
		if got := op.SizeOf(globals[fmt.Sprint("v", k)].ContentType); got != want {
			t.Errorf("v%d takes %d bytes, the compiler says %d", k, got, want)
		}
	}
	nested := globals["v2"].ContentType.(*types.StructType)
	members := op.Members(nested)
	for _, want := range numbers("offsets") {
		if len(members) > 0 && members[0] != want {
			t.Errorf("a member of %v is at %d, the compiler says %d", nested, members[0], want)
		}
		for len(members) > 0 && members[0] <= want {
			members = members[1:]
		}
	}
}

// An access says how many bytes it touches and where they lie, and nothing of what the
// type of its address points to.
func TestAccessesAreLoweredToBytes(t *testing.T) {
	f := analysistest.Function(t, `struct mixed { char c; double d; int i[4]; };
int scanf(const char *, ...);
static struct mixed table[5];
int f(struct mixed *p, long k, struct mixed whole) {
  table[k].i[2] = 7;
  p[1].d = 2.5;
  *(unsigned short *)&table[3].i[1] = 9;
  return scanf("%d", &p->i[k]) + whole.c;
}
`, "f")
	code := op.Lower(defuse.Of(f))
	var got []string
	for i := range code.Ops {
		if o := &code.Ops[i]; o.Code == op.Store && o.Args[1].IsNumber() {
			at := code.PlaceOf(o.Args[0], nil)
			name := "?"
			if at.Object != nil {
				name = at.Object.Ident()
			}
			got = append(got, fmt.Sprint(o.Type.Size(), " at ", name, " + ", at.Offset, at.Strides))
		}
	}
	want := []string{"4 at @table + 24 [32]", "8 at ? + 40 []", "2 at @table + 116 []"}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("stores of %q, want %q", got, want)
	}
	calls := 0
	for i := range code.Ops {
		if o := &code.Ops[i]; o.Code == op.Call {
			calls++
			if o.Library == nil || o.Library.Name != "scanf" {
				t.Errorf("a call of %v", o.Callee)
			}
		}
	}
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

// What takes the place of code uses the function's values and its own.
func TestAReplacementUsesTheFunctionsValuesAndItsOwn(t *testing.T) {
	f := analysistest.Function(t, "int f(int n) { return n + 1; }\n", "f")
	code := op.Lower(defuse.Of(f))
	var sum *llir.InstAdd
	for _, inst := range f.Blocks[0].Insts {
		if add, ok := inst.(*llir.InstAdd); ok {
			sum = add
		}
	}
	product := llir.NewMul(sum.X, sum.Y)
	twice := llir.NewAdd(product, product)
	r := code.Instead([]llir.Instruction{product, twice}, llir.NewRet(twice))
	if a := r.Ops[0].Args[0]; a.Kind != op.Item || code.Ops[a.X].Code != op.Load {
		t.Errorf("the product is of %+v", a)
	}
	if a := r.Ops[1].Args; a[0].Kind != op.Scratch || a[0].X != 0 || a[1] != a[0] {
		t.Errorf("the sum is of %+v", a)
	}
	if last := r.Ops[2]; last.Code != op.Return || last.Args[0] != r.Operand(twice) {
		t.Errorf("the end is %+v", last)
	}
	// Results are looked for in another way where there are many.
	chain := []llir.Instruction{product}
	for k := range 99 {
		chain = append(chain, llir.NewAdd(chain[k].(value.Value), product))
	}
	r = code.Instead(chain, nil)
	for k := 1; k < len(chain); k++ {
		if a := r.Ops[k].Args; a[0].Kind != op.Scratch || a[0].X != int64(k-1) || a[1].Kind != op.Scratch || a[1].X != 0 {
			t.Errorf("sum %d is of %+v", k, a)
		}
		if a := r.Operand(chain[k].(value.Value)); a.Kind != op.Scratch || a.X != int64(k) {
			t.Errorf("sum %d is %+v to what comes behind", k, a)
		}
	}
	if a := r.Operand(sum.X); a.Kind != op.Item {
		t.Errorf("the function's value is %+v", a)
	}
}

func TestConstantsThatAreComputedOfAddressesAreKnownAsFarAsTheyCanBe(t *testing.T) {
	const source = `static struct s { char c[12]; } table[9]; static char other[4];
long apart(void) { return &table[7] - table; }
long back(void) { return table - &table[7]; }
long bytes(void) { return (long)&table[2] - (long)table; }
long moved(void) { return (long)&table[2] + 5; }
long two(void) { return (long)table - (long)other; }
long thrice(void) { return (long)table * 3; }`
	for name, want := range map[string]op.Operand{
		"apart": {Kind: op.Number, X: 7}, "back": {Kind: op.Number, X: -7}, "bytes": {Kind: op.Number, X: 24},
		"moved": {Kind: op.Symbol, X: 29}, "two": {Kind: op.Unknown}, "thrice": {Kind: op.Unknown},
	} {
		f := op.Lower(defuse.Of(analysistest.Function(t, source, name)))
		got := f.Ops[f.Code.Terminator(0)].Args[0]
		if got.Kind != want.Kind || got.Kind != op.Unknown && got.X != want.X {
			t.Errorf("%s gives %v %d, want %v %d", name, got.Kind, got.X, want.Kind, want.X)
		}
	}
}
