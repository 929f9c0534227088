package concrete_test

import (
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

const readers = headers + `
static int sum;
static void add(long x) { sum = (sum * 31 + (int)(x & 0xffff)) & 0xff; }
static void text(const char *s) { while (*s) add(*s++); add(1); }
int main(int argc, char **argv) {
  int n = 0, got, a = 0, b = 0; long long wide = 0; double d = 0; char word[40], line[40], c = 0, bracket[40] = "";
  add(argc);
  got = scanf("%d", &n); add(got); add(n);
  got = scanf("%d:%d", &a, &b); add(got); add(a); add(b);
  got = scanf("%lld %lf", &wide, &d); add(got); add((long)wide); add((long)(d * 100));
  got = scanf("%3s", word); add(got); if (got == 1) text(word);
  got = scanf(" %c", &c); add(got); add(c);
  got = getchar(); add(got);
  got = scanf("%[a-c]", bracket); add(got); text(bracket);
  got = scanf("%*[^\n]"); add(got);
  got = scanf("\n"); add(got);
  if (fgets(line, 8, stdin)) text(line); else add(77);
  if (fgets(line, sizeof line, stdin)) text(line); else add(78);
  while (scanf("%d", &n) == 1) add(n);
  while ((got = getchar()) != EOF) add(got);
  return sum;
}
`

// A program reads of a given input what it reads when it is run.
func TestAGivenInputIsReadAsByTheProgram(t *testing.T) {
	program := built(t, readers)
	root := concrete.OfFunction(find(t, compile(t, readers, "").Functions(), "main"))
	for _, input := range []string{
		"", "\n", "7", "-12\n3:4\n123456789012 -2.75e1 abcdef x\nabcabd rest\n\nlong line here\nnext\n1 2 3 four",
		"+5 3 :4 5 1. abcd\n\n", "12 1:x 3 .5 word y z", "0x10 1:1", "1 2:3 4 5.5E+1 ab c\r\nab\r\n", "9 8:7 6 5 4 3 2 1 0",
		"1\n2:3\n4 5\nabc\nd\nccba\nq\nlast line without an end", "- 3", "1 2:+3 99999999999999999999 1 a b", strings.Repeat("11 ", 60),
	} {
		command := exec.Command(program)
		command.Stdin = strings.NewReader(input)
		var status *exec.ExitError
		if err := command.Run(); err != nil && !errors.As(err, &status) {
			t.Fatal(err)
		}
		var p concrete.Path
		root.AlongGiven(&p, &concrete.Given{Text: []byte(input)}, nil, 20000)
		if want := command.ProcessState.ExitCode(); !p.Returned || p.Value()&255 != int64(want) || p.Guessed {
			t.Errorf("of %q a path makes %d (returned: %v, guessed: %v), the program %d", input, p.Value()&255, p.Returned, p.Guessed, want)
		}
	}
}

// What is different when a function is left is counted, and what is lost in it is not.
func TestAWalkToTheExitsTellsWhatGetsOutOfAFunction(t *testing.T) {
	m := compile(t, `int scanf(const char *, ...); int printf(const char *, ...);
static int total, other, table[4];
static int lost(int n) { int dead = n + 1; dead = 0; return dead; }
static int kept(int n) { return n + 2; }
static void writes(int n) { total = n + 3; table[n & 3] = n + 3; other = 5; }
static void points(int *p, int n) { *p = n + 4; }
static int traps(int n) { return 10 / (n + 5); }
static int spins(int n) { int s = 0; while (s < n + 6) s++; return s; }
static int masks(int n) { return (n + 7) & 0; }
int main(void) {
  int n, x = 0;
  while (scanf("%d", &n) == 1) { printf("%d", lost(n) + kept(n) + traps(n) + spins(n) + masks(n)); writes(n); points(&x, n); }
  return x + n + 8;
}
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	var list []*concrete.Change
	var names []string
	for _, f := range m.Functions() {
		own := root.Callee(f)
		if own == nil {
			continue
		}
		items := defuse.Of(f)
		for at := range items.Items {
			// n + k becomes n - k, of which n + 5 is a division by zero for 5.
			add, ok := items.Items[at].Inst.(*llir.InstAdd)
			if !ok || f.Name() == "spins" && len(names) > 0 && names[len(names)-1] == "spins" || f.Name() == "main" {
				continue
			}
			sub := llir.NewSub(add.X, add.Y)
			scratch, ok := own.Scratch(op.Lower(items).Instead([]llir.Instruction{sub}, nil), sub, items.Items[at].Block)
			if !ok {
				t.Fatal("one instruction is too long")
			}
			list, names = append(list, &concrete.Change{In: own, Code: scratch, At: at, Last: at + 1, Result: at}), append(names, f.Name())
		}
	}
	var walker concrete.Walker
	got := map[string]concrete.Leaving{}
	root.WalkToExits(&walker, &concrete.Given{Text: []byte("5 2 3\n")}, concrete.NewChanges(list), 4096, func(n int, how concrete.Leaving) {
		if _, again := got[names[n]]; !again {
			got[names[n]] = how
		}
	})
	known := concrete.Leaving{Known: true}
	for name, want := range map[string]concrete.Leaving{
		"lost": known, "masks": known, "kept": {Known: true, Returned: true}, "writes": {Known: true, Cells: 1}, "points": {Known: true, Cells: 1},
		"traps": {Known: true, Trapped: true}, "spins": {Known: true, Returned: true, Locals: 1},
	} {
		if how, ok := got[name]; !ok || how != want {
			t.Errorf("%s: %+v (%v), want %+v", name, how, ok, want)
		}
	}
}

// Changes that are followed together leave a function as each does alone.
func TestAWalkToTheExitsWithManyChangesIsOneWithEach(t *testing.T) {
	m := compile(t, walked, "")
	root := concrete.OfFunction(find(t, m.Functions(), "main"))
	var list []*concrete.Change
	for _, f := range m.Functions() {
		if own := root.Callee(f); own != nil {
			list = append(list, changesOf(t, own, defuse.Of(f))...)
		}
	}
	var walker concrete.Walker
	for _, text := range []string{"3 abc 5 9 2", "1 x 12", "8 many 1 2 3 4 5 6 7 8", "0 none", "2 few 13 13"} {
		input := &concrete.Given{Text: []byte(text)}
		together, alone := map[int][]concrete.Leaving{}, map[int][]concrete.Leaving{}
		root.WalkToExits(&walker, input, concrete.NewChanges(list), 8192, func(n int, how concrete.Leaving) {
			together[n] = append(together[n], how)
		})
		for n := range list {
			root.WalkToExits(&walker, input, concrete.NewChanges(list[n:n+1]), 8192, func(_ int, how concrete.Leaving) {
				alone[n] = append(alone[n], how)
			})
		}
		if len(alone) < 20 || !reflect.DeepEqual(together, alone) {
			t.Errorf("%s: together %v, alone %v", text, together, alone)
		}
	}
}
