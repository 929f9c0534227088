package ub_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/ub"
)

// writer makes random C programs that C defines, whose statements say that they were come to:
// the line before each has "hit[n] = 1", with n in the order of the text.
type writer struct {
	rng  *rand.Rand
	b    strings.Builder
	hits int
}

func (w *writer) one(of ...string) string { return of[w.rng.IntN(len(of))] }

func (w *writer) say(format string, args ...any) {
	fmt.Fprintf(&w.b, "hit[%d] = 1;\n"+format+"\n", append([]any{w.hits}, args...)...)
	w.hits++
}

func (w *writer) statement(depth int) {
	k, v := w.rng.IntN(4), w.one("x", "y", "z")
	switch w.rng.IntN(14) {
	case 0:
		w.say("%s = (%s + %d) %% 1000;", v, w.one("x", "y", "z"), w.rng.IntN(9))
	case 1:
		w.say("%s = a[%d];", v, k)
	case 2:
		w.say("a[%d] = %s %% 50;", k, v)
	case 3:
		w.say("%s = %s / %d;", v, w.one("x", "y", "z"), 1+w.rng.IntN(6))
	case 4:
		w.say("u = (u << %d) + (u >> %d);", w.rng.IntN(8), 24+w.rng.IntN(8))
	case 5:
		w.say("p = &a[%d];", k)
		w.say("*p = %s %% 9;", v)
	case 6:
		w.say("q = 0;")
		w.say("q = a;")
		w.say("%s = %s;", v, w.one("q[1]", "used(q)", "*q"))
	case 7:
		w.say("m = malloc(%s);", w.one("sizeof *m", "2 * sizeof *m"))
		w.say("*m = %d;", w.rng.IntN(9))
		w.say("%s = *m;", v)
		w.say("free(m);")
	case 8:
		w.say("%s = 2147483647;", v)
		w.say("%s = %s - %d;", v, v, 1+w.rng.IntN(3))
		w.say("%s = %s %% 100;", v, v)
	case 9:
		w.say("%s = %d;", v, 1+w.rng.IntN(3))
		w.say("z = (z %% 100) / %s;", v)
	case 10:
		w.say("if (%s > %d) {", v, w.rng.IntN(4))
		w.block(depth)
		w.b.WriteString("} else {\n")
		w.block(depth)
		w.b.WriteString("}\n")
	case 11:
		w.say("for (int i = 0; i < %d; i++) {", 1+w.rng.IntN(4))
		w.say("a[i] = (a[i] + %s) %% 60;", v)
		w.block(depth)
		w.b.WriteString("}\n")
	case 12:
		w.say("%s = %d;", v, w.rng.IntN(4))
		w.block(depth)
		w.say("if (%s >= 0 && %s < 4) {", v, v)
		w.say("z = a[%s];", v)
		w.b.WriteString("}\n")
	default:
		w.say("%s = used(%s);", v, w.one("a", "&a[2]", "&x"))
	}
}

func (w *writer) block(depth int) {
	if depth > 0 {
		w.statement(depth - 1)
	}
}

func (w *writer) program() string {
	w.b.WriteString("static int hit[200];\nvoid *malloc(unsigned long);\nvoid free(void *);\nint printf(const char *, ...);\n" +
		"static int used(int *p) {\nint n = *p;\nreturn n % 7;\n}\n" +
		"int main(void) {\nint x = 1, y = 2, z = 3, a[4] = {5, 6, 7, 8}, *p = a, *q = a, *m;\nunsigned u = 9;\n")
	for range 6 {
		w.statement(2)
	}
	fmt.Fprintf(&w.b, "for (int i = 0; i < %d; i++)\nprintf(\"%%d\", hit[i]);\n", w.hits)
	w.b.WriteString("printf(\" %d %d %d %u %d %d\\n\", x, y, z, u, *p, *q);\nreturn 0;\n}\n")
	return w.b.String()
}

// TestSanitizersConfirmDefiniteVerdictsOnGeneratedPrograms runs each mutant that is Definite and
// whose statement the program comes to: clang's sanitizers have to end it.
func TestSanitizersConfirmDefiniteVerdictsOnGeneratedPrograms(t *testing.T) {
	confirmed := 0
	for _, seed := range deep.Sample(t, 1, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
		text := (&writer{rng: rand.New(rand.NewPCG(seed, 24))}).program()
		file := filepath.Join(t.TempDir(), "program.c")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		all, source := judgeFile(t, file)
		var definite []*judged
		texts := []string{text}
		patcher := patch.New(source)
		for i := range all {
			if all[i].Grade != ub.Definite || hitOf(text, all[i].Mutant.Line) < 0 {
				continue
			}
			_, changed, err := patcher.Mutated(&all[i].Mutant)
			if none := (*patch.NoCounterpart)(nil); errors.As(err, &none) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			definite, texts = append(definite, &all[i]), append(texts, string(changed))
		}
		run := together(t, texts)
		original, err := run(0)
		if err != nil {
			t.Fatalf("seed %d: the program itself: %v\n%s\n%s", seed, err, original, text)
		}
		for i, j := range definite {
			if original[hitOf(text, j.Mutant.Line)] != '1' {
				continue
			}
			if out, err := run(i + 1); err == nil {
				t.Errorf("seed %d, line %d: %s: %s, but the program runs without a report\n%s\n%s", seed, j.Mutant.Line, j.change(), j.Verdict, out, text)
			}
			confirmed++
		}
	}
	if confirmed == 0 {
		t.Error("no mutant was run")
	}
}

// hitOf is the number that says that the statement of a line was come to; -1 for other lines.
func hitOf(text string, line int) int {
	n := -1
	if lines := strings.Split(text, "\n"); line > 1 && line <= len(lines) {
		if _, err := fmt.Sscanf(lines[line-2], "hit[%d] = 1;", &n); err != nil {
			return -1
		}
	}
	return n
}

// together builds programs as one, checked by sanitizers, and returns what runs one of them.
func together(t *testing.T, texts []string) func(k int) ([]byte, error) {
	t.Helper()
	var all, cases strings.Builder
	all.WriteString("#define NULL ((void *)0)\n")
	for k, text := range texts {
		for _, name := range []string{"main", "used", "hit"} {
			fmt.Fprintf(&all, "#undef %s\n#define %s %s_%d\n", name, name, name, k)
		}
		all.WriteString(text)
		fmt.Fprintf(&cases, "case %d: return main_%d();\n", k, k)
	}
	fmt.Fprintf(&all, "#undef main\nint atoi(const char *);\nint main(int argc, char **argv) { switch (atoi(argv[1])) {\n%s} return 99; }\n", &cases)
	dir := t.TempDir()
	file, program := filepath.Join(dir, "all.c"), filepath.Join(dir, "all")
	if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "clang-14", "-w", "-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", program, file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(k int) ([]byte, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		run := exec.CommandContext(ctx, program, fmt.Sprint(k))
		run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
		return run.CombinedOutput()
	}
}

// Names and the layout of the text say nothing of what a program does.
func TestVerdictsStayWhenAProgramIsRenamedAndReformatted(t *testing.T) {
	text := (&writer{rng: rand.New(rand.NewPCG(3, 24))}).program()
	other := strings.NewReplacer(";\n", ";", "{\n", "{", "}\n", "}\n\n", " = ", "\n=\t", "used", "somewhere", "hit", "seen", "u = ", "u = ").Replace(text)
	before, after := judge(t, text), judge(t, other)
	if len(before) != len(after) || len(before) < 100 {
		t.Fatalf("%d and %d mutants", len(before), len(after))
	}
	for i := range before {
		if a, b := before[i].Verdict, after[i].Verdict; a.Grade != b.Grade || a.Category != b.Category || a.Analysis != b.Analysis {
			t.Errorf("%s is %s %q, and %s %q as %s", before[i].change(), a.Grade, a, b.Grade, b, after[i].change())
		}
	}
}

// What was found out of the mutants before is used again: alone, and in the other order, each gets
// the same verdict.
func TestAVerdictDoesNotRestOnTheMutantsBefore(t *testing.T) {
	found := 0
	for _, seed := range deep.Sample(t, 2, []uint64{6, 5, 7, 8, 9, 10}) {
		text := (&writer{rng: rand.New(rand.NewPCG(seed, 24))}).program()
		judgeText(t, text, operator.Options{}, func(j *ub.Judge, f *llir.Func, mutants []mutant.Mutant) []ub.Verdict {
			together := j.Of(f, mutants)
			turned := slices.Clone(mutants)
			slices.Reverse(turned)
			backwards := j.Of(f, turned)
			slices.Reverse(backwards)
			for i, v := range together {
				if backwards[i] != v {
					t.Errorf("seed %d: %s -> %s is %s %q, and %s %q in the other order", seed, mutants[i].Original, mutants[i].Replacement, v.Grade, v, backwards[i].Grade, backwards[i])
				}
				if v.Grade != ub.Unproven {
					found++
				}
			}
			for i := 0; i < len(mutants); i += deep.Count(7, 1) {
				if alone := j.Of(f, mutants[i:i+1])[0]; alone != together[i] {
					t.Errorf("seed %d: %s -> %s is %s %q, and %s %q alone", seed, mutants[i].Original, mutants[i].Replacement, together[i].Grade, together[i], alone.Grade, alone)
				}
			}
			return together
		})
	}
	if found < 200 {
		t.Errorf("%d verdicts: too few", found)
	}
}
