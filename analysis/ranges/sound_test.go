package ranges_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
)

// writer makes random C functions of four variables that end: loops count fuel.
type writer struct {
	rng *rand.Rand
	b   strings.Builder
	see int
}

func (w *writer) variable() string { return string("xyzu"[w.rng.IntN(4)]) }

// expression has values that no sum of a few leaves the type of.
func (w *writer) expression(depth int) string {
	if depth == 0 || w.rng.IntN(3) == 0 {
		if w.rng.IntN(2) == 0 {
			return fmt.Sprint(w.rng.IntN(20) - 6)
		}
		return w.variable()
	}
	x, y := w.expression(depth-1), w.expression(depth-1)
	return fmt.Sprintf([]string{"(%s + %s)", "(%s - %s)", "(%s & %s)", "(%s | %s)", "(%s ^ %s)", "(%s > %s)", "(%s %% (%s & 7 | 1))", "(%s / (%s & 3 | 2))",
		"(char)(%s + %s)", "(int)((unsigned)(%s) >> (%s & 7))", "(%s >= 0 && %s < 9)", "(%s < 3 ? 5 : %s)", "((unsigned char)%s - %s)"}[w.rng.IntN(13)], x, y)
}

func (w *writer) statements(depth int) {
	for range 1 + w.rng.IntN(3) {
		switch k := w.rng.IntN(9); {
		case k < 3 || depth == 0:
			// Bounded, so that nothing overflows.
			fmt.Fprintf(&w.b, "%s = %s %% 1000;\n", w.variable(), w.expression(2))
		case k == 3:
			fmt.Fprintf(&w.b, "%s%s;\n", w.variable(), []string{"++", "--"}[w.rng.IntN(2)])
		case k == 4:
			fmt.Fprintf(&w.b, "a[%s & 3] = (short)%s;\n", w.variable(), w.variable())
		case k == 5:
			fmt.Fprintf(&w.b, "if (%s) {\n", w.expression(2))
			w.statements(depth - 1)
			w.b.WriteString("} else {\n")
			w.statements(depth - 1)
			w.b.WriteString("}\n")
		case k == 6:
			fmt.Fprintf(&w.b, "while (fuel-- > 0 && %s < %s) {\n", w.variable(), w.expression(1))
			w.statements(depth - 1)
			w.b.WriteString("}\n")
		case k == 7:
			v := w.variable()
			fmt.Fprintf(&w.b, "for (%s = %d; %s < %d && fuel > 0; %s += %d) { fuel--;\n", v, w.rng.IntN(5), v, w.rng.IntN(30), v, 1+w.rng.IntN(3))
			w.statements(depth - 1)
			w.b.WriteString("}\n")
		default:
			fmt.Fprintf(&w.b, "switch (%s) { case 1: case 4:\n", w.variable())
			w.statements(depth - 1)
			w.b.WriteString("break; default:\n")
			w.statements(depth - 1)
			w.b.WriteString("}\n")
		}
		for _, e := range []string{w.variable(), w.expression(2), "a[" + w.variable() + " & 3]"} {
			fmt.Fprintf(&w.b, "see(%d, %s);\n", w.see, e)
			w.see++
		}
	}
}

// TestEveryValueOfARunLiesInItsRange runs random programs, which report the
// values that they compute.
func TestEveryValueOfARunLiesInItsRange(t *testing.T) {
	const programs, runs = 60, 12
	w := &writer{rng: rand.New(rand.NewPCG(5, 1))}
	w.b.WriteString("int printf(const char *, ...);\nvoid see(int id, long x) __attribute__((const));\n")
	for k := range programs {
		fmt.Fprintf(&w.b, "void f%d(int x, int y) {\nint z = 1, fuel = 60; short a[4] = {0, 2}; unsigned char u = y;\n", k)
		w.statements(3)
		w.b.WriteString("}\n")
	}
	source := w.b.String()
	shown := strings.Replace(source, " __attribute__((const));", ";", 1) +
		"void see(int id, long x) { printf(\"%d %ld\\n\", id, x); }\nint main(void) { int xs[] = {0, 1, -1, 7, -300, 999}, i;\nfor (i = 0; i < " + fmt.Sprint(runs) + "; i++) {\n"
	for k := range programs {
		shown += fmt.Sprintf("f%d(xs[i %% 6], xs[(i / 2 + 1) %% 6]);\n", k)
	}
	shown += "}\nreturn 0; }\n"
	dir := t.TempDir()
	file, program := filepath.Join(dir, "shown.c"), filepath.Join(dir, "shown")
	if err := os.WriteFile(file, []byte(shown), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("clang-14", "-w", "-O0", "-fwrapv", file, "-o", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	found, where := map[int64]string{}, map[int64][2]int64{}
	for _, f := range analysistest.Module(t, source).Functions() {
		for id, x := range seen(t, f) {
			found[id], where[id] = f.Name(), [2]int64{x.Lo, x.Hi}
		}
	}
	narrow := 0
	for _, line := range lines {
		var id, x int64
		if _, err := fmt.Sscan(line, &id, &x); err != nil {
			t.Fatal(err)
		}
		at, ok := where[id]
		if !ok {
			t.Fatalf("see %d is not in the program", id)
		}
		if x < at[0] || x > at[1] {
			t.Errorf("%s: see %d is %d, outside of %v", found[id], id, x, at)
		}
		if at[1]-at[0] < 1<<20 {
			narrow++
		}
	}
	if len(lines) < 2000 || narrow*2 < len(lines) {
		t.Errorf("%d values, %d of narrow ranges: too few", len(lines), narrow)
	}
}
