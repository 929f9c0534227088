package concrete_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/schemata"
)

// Whatever a divisor was computed from, a path that divides by it comes to an end.
func TestADivisorThatWasReadThroughAUnionEndsNoPath(t *testing.T) {
	m := compile(t, `int scanf(const char *, ...); int printf(const char *, ...);
union u { unsigned i; float f; };
static unsigned pun(float f) { union u v; v.f = f; return 3000000000u / v.i + 7u % v.i; }
int main(void) { float f; if (scanf("%f", &f) != 1) return 1; printf("%u\n", pun(f)); return 0; }
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	for seed := range uint64(64) {
		var p concrete.Path
		if root.Along(&p, seed, 0, 4096); !p.Returned && !p.Trapped {
			t.Errorf("seed %d: the path neither returns nor traps", seed)
		}
	}
}

// odd are programs with what few have: computed goto, integers of 128 bits, a float read as an
// integer; each with inputs.
var odd = []struct {
	source string
	inputs []string
}{
	{`static int dispatch(const char *p) { static void *t[] = {&&inc, &&dbl, &&end}; int v = 1; goto *t[*p++ - '0'];
inc: v += 1; goto *t[*p++ - '0']; dbl: v *= 2; goto *t[*p++ - '0']; end: return v; }
int main(void) { char b[99]; if (scanf("%98s", b) != 1) return 1; printf("%d\n", dispatch(b)); return 0; }
`, []string{"2", "0012", "01010112"}},
	{`static __int128 wide(long a, long b) { return (__int128)a * b + 1; }
int main(void) { long a, b; if (scanf("%ld%ld", &a, &b) != 2) return 1; printf("%lld %ld\n", (long long)wide(a, b), (long)(wide(a, b) >> 64)); return 0; }
`, []string{"3 4", "-9000000000000 7000000000001", "9223372036854775807 -9223372036854775807"}},
	{`static long wide(long a, long b) { __int128 w = (__int128)a * b; return (long)(w / 7); }
int main(void) { long a, b; if (scanf("%ld%ld", &a, &b) != 2) return 1; printf("%ld\n", wide(a, b)); return 0; }
`, []string{"3 5", "-123456789012345 98765", "5000000000 5000000000"}},
	{`union u { unsigned i; float f; };
static unsigned pun(float f) { union u v; v.f = f; return 3000000000u / v.i; }
int main(void) { float f; if (scanf("%f", &f) != 1) return 1; printf("%u\n", pun(f)); return 0; }
`, []string{"1", "-3.25", "1e-30", "0.1"}},
}

func TestOddProgramsShowWhatTheMachineShows(t *testing.T) {
	for _, o := range odd {
		source := "#include <stdio.h>\n" + o.source
		program, root := built(t, source), concrete.OfFunction(find(t, compile(t, source, "").Functions(), "main"))
		for _, input := range o.inputs {
			command := exec.Command(program)
			command.Stdin = strings.NewReader(input)
			want, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			var p concrete.Path
			root.AlongGiven(&p, &concrete.Given{Text: []byte(input)}, nil, 10_000)
			if !p.Returned || p.Guessed || len(p.Shown) != 2 || p.Shown[0] != concrete.HashOf(string(want)) {
				t.Errorf("of %q the machine makes %q, a path something else (returned: %v, guessed: %v):\n%s", input, want, p.Returned, p.Guessed, o.source)
			}
		}
	}
}

// A program that puns memory shows the same on the machine, on a path in its quick form and
// one by one, and as a meta-mutant of which no mutant is selected.
func TestProgramsThatPunMemoryShowTheSameEverywhere(t *testing.T) {
	const inFile = 8 // programs that are compiled together, since starting a compiler takes longest
	programs := make([]uint64, deep.Count(12, 200))
	for k := range programs {
		programs[k] = uint64(k)
	}
	shown := map[string]bool{}
	for seeds := range slices.Chunk(programs, inFile) {
		source := puns(seeds, 40)
		native, m := built(t, source), compile(t, source, "")
		root := concrete.OfFunction(find(t, m.Functions(), "main"))
		wants := map[uint64]string{}
		for _, seed := range seeds {
			want := outputOf(t, native, seed)
			wants[seed], shown[want] = want, true
			for _, trace := range []bool{false, true} {
				if line, n := firstOther(root, seed, want, trace); n >= 0 {
					t.Fatalf("seed %d, one by one: %v: line %d is another than the machine's %q of\n%s", seed, trace, n, line, source)
				}
			}
		}
		mutants := metaMutant(t, m)
		for _, seed := range seeds {
			if got := outputOf(t, mutants, seed); got != wants[seed] {
				t.Fatalf("seed %d: the meta-mutant shows\n%s\nthe machine\n%s\nof\n%s", seed, got, wants[seed], source)
			}
		}
	}
	if len(shown) < len(programs)-1 {
		t.Errorf("%d programs show only %d different texts", len(programs), len(shown))
	}
}

// firstOther is the first line that a path of a program shows different, and its number; -1 for
// none.
func firstOther(root *concrete.Code, seed uint64, want string, trace bool) (string, int) {
	p := concrete.Path{Trace: trace}
	root.AlongGiven(&p, &concrete.Given{Text: fmt.Append(nil, seed)}, nil, 1<<20)
	n := 0
	for line := range strings.Lines(want) {
		if n >= len(p.Shown) || p.Shown[n] != concrete.HashOf(line) {
			return line, n
		}
		n++
	}
	if !p.Returned || p.Guessed || p.Value() != 0 || len(p.Shown) != n+1 {
		return "end", n
	}
	return "", -1
}

// outputOf is what a file of programs shows when it runs one of them.
func outputOf(t *testing.T, file string, seed uint64) string {
	t.Helper()
	command := exec.Command(file)
	command.Stdin = strings.NewReader(fmt.Sprint(seed))
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// everyMutant is which of the mutants of a program its meta-mutant has, one in so many.
const everyMutant = 40

// metaMutant is the program of a module, which is changed, with some mutants, of which none is
// selected.
func metaMutant(t *testing.T, m *ir.Module) string {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	r := operator.Generate(m, operator.Options{})
	var some []mutant.Mutant
	for k := 0; k < len(r.Mutants); k += everyMutant {
		some = append(some, r.Mutants[k])
	}
	schemata.Build(m, some, schemata.Options{Sites: r.Sites, Define: true, StandAlone: true})
	dir := t.TempDir()
	text, runtime, program := filepath.Join(dir, "program.ll"), filepath.Join(dir, "runtime.c"), filepath.Join(dir, "program")
	for name, content := range map[string]string{
		text:    m.String(),
		runtime: "int winnow_selector; long long winnow_fuel = 1ll << 60; void winnow_out_of_fuel(void) {}\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := tools.Link(context.Background(), program, []string{text, runtime}, []string{"-O0", "-w", "-lm"}); err != nil {
		t.Fatal(err)
	}
	return program
}
