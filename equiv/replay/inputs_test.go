package replay_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv/replay"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

const doubles = `#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int twice(int n) { return n * 2; }
static int unknown(int n) { return getenv("HOME") ? n + 1 : n; }
int main(void) {
  char line[80], *word;
  while (fgets(line, sizeof line, stdin)) {
    if (!(word = strtok(line, " \n")))
      continue;
    if (strcmp(word, "double") == 0) {
      word = strtok(NULL, " \n");
      if (word && atoi(word) > 700)
        printf("%d\n", twice(atoi(word)));
    } else if (strcmp(word, "home") == 0)
      printf("%d\n", unknown(3));
  }
  return 0;
}
`

// examples are those of the mutants of a program's functions, by what they change.
func examples(t *testing.T, source string, tests ...string) map[string]*replay.Example {
	t.Helper()
	return examplesOf(t, source, "", tests...)
}

// examplesOf is examples of mutants that change a text, which is anything if it is empty.
func examplesOf(t *testing.T, source, original string, tests ...string) map[string]*replay.Example {
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
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	mutants := operator.Generate(m, operator.Options{}).Mutants
	var main *llir.Func
	for _, f := range m.LLVM.Funcs {
		if f.Name() == "main" {
			main = f
		}
	}
	var given []variation.Test
	for _, one := range tests {
		given = append(given, variation.Test{Input: []byte(one)})
	}
	module := &op.Module{}
	inputs := replay.InputsOf(main, module, given, []byte(source))
	out := map[string]*replay.Example{}
	for i := range mutants {
		m := &mutants[i]
		if original != "" && m.Original != original {
			continue
		}
		found := inputs.Find(m.Site.Func, smt.ChangeOf(module.Function(m.Site.Func), m))
		if change := m.Function + ": " + m.Original + " → " + m.Replacement; found == nil {
			out[change] = nil
		} else {
			out[change] = found.Simple()
		}
	}
	return out
}

// An input that tells a mutant is found among variations, holds what the difference needs and
// nothing else, with numbers at the program's limits, and both outputs with it. Nothing is said where the program asks for what the interpreter
// does not know.
func TestAnInputThatTellsAMutantIsSimple(t *testing.T) {
	found := examples(t, doubles, "double 5\nhome\nsomething else\ndouble 800\ndouble 900\n")
	e := found["twice: n * 2 → n + 2"]
	if e == nil {
		t.Fatal("no input tells n * 2 from n + 2")
	}
	if e.Input != "double 701\n" || e.Original.Printed != "1402\n" || e.Mutant.Printed != "703\n" || !e.Original.Ended {
		t.Errorf("n + 2 is told by %+v", *e)
	}
	for change, e := range found {
		if strings.HasPrefix(change, "unknown") && e != nil {
			t.Errorf("%s: %+v rests on a call of getenv", change, *e)
		}
	}
	if again := examples(t, doubles, "double 5\nhome\nsomething else\ndouble 800\ndouble 900\n"); !reflect.DeepEqual(found, again) {
		t.Error("the same program and tests have other examples when asked again")
	}
}

// Without tests the words of the source are put together.
func TestInputsAreMadeOfTheWordsOfTheSource(t *testing.T) {
	if e := examples(t, doubles)["twice: n * 2 → n + 2"]; e == nil || !strings.HasPrefix(e.Input, "double ") {
		t.Errorf("without tests n + 2 is told by %+v", e)
	}
}

// A function that is not main is no program.
// A command that takes what another takes, too, comes to no new block before it has all of it:
// "workdays 1000-10-10 1001-10-10" after "week 1000-10-10".
func TestInputsOfACommandAreMadeOfWhatOthersTake(t *testing.T) {
	source, err := os.ReadFile("../../examples/calendar/calendar.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, original := range []string{"sign * count", "rest >= days_in_month(d.year, d.month)", "total < 12"} {
		told := 0
		all := examplesOf(t, string(source), original)
		for _, e := range all {
			if e != nil {
				told++
			}
		}
		if told == 0 {
			t.Errorf("none of %d mutants of %s is told", len(all), original)
		}
	}
}

func TestInputsAreOfPrograms(t *testing.T) {
	if replay.InputsOf(&llir.Func{}, &op.Module{}, nil, nil) != nil {
		t.Error("a function without a name is taken for a program")
	}
}

const triangle = `#include <stdio.h>
#include <stdlib.h>
static int kind(int a, int b, int c) {
  if (a <= 0 || b <= 0 || c <= 0 || a + b <= c || a + c <= b || b + c <= a) return 0;
  return 1 + (a == b || b == c || a == c) + (a == b && b == c);
}
int main(int argc, char *argv[]) {
  int sides[argc];
  if (argc != 4) { fprintf(stderr, "three sides\n"); return 2; }
  for (int i = 1; i < argc; i++) sides[i] = atoi(argv[i]);
  printf("%d\n", kind(sides[1], sides[2], sides[3]));
  return 0;
}
`

// A program that takes arguments is given some, as many as it asks for, and what it says on the standard
// error tells no mutant.
func TestInputsHaveArguments(t *testing.T) {
	found := examples(t, triangle)
	e := found["kind: b == c → b != c"]
	if e == nil || len(e.Args) != 3 || e.Original.Printed == e.Mutant.Printed {
		t.Errorf("b != c is told by %+v", e)
	}
	if e := found[`main: fprintf(stderr, "three sides\n"); → ;`]; e != nil {
		t.Errorf("what is printed on the standard error is told by %+v", *e)
	}
	if e := found["main: return 2 → return 3"]; e == nil || len(e.Args) != 0 || e.Mutant.Status != 3 {
		t.Errorf("another status is told by %+v", e)
	}
}

// Most of what the program does is filling a table, which takes long on every input.
func TestInputsAreFoundForProgramsThatTakeLong(t *testing.T) {
	const slow = `#include <stdio.h>
static int table[60][50];
int main(void) {
  int n;
  for (int i = 0; i < 60; i++) for (int k = 0; k < 50; k++) table[i][k] = i * k;
  if (scanf("%d", &n) == 1 && n > 0 && n < 60) printf("%d\n", table[n][n % 50]);
  return 0;
}
`
	if e := examplesOf(t, slow, "n % 50")["main: n % 50 → n / 50"]; e == nil || e.Mutant.Printed == e.Original.Printed {
		t.Errorf("n / 50 is told by %+v", e)
	}
}

const summing = `#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[]) {
  FILE *names = fopen("names.conf", "r"), *f;
  char name[20] = "sum";
  int n, sum = 0;
  if (names) { if (fscanf(names, "%19s", name) != 1) return 3; fclose(names); }
  if (argc != 2) return 2;
  if (!(f = fopen(argv[1], "r"))) { fprintf(stderr, "no file\n"); return 1; }
  while (fscanf(f, "%d", &n) == 1) sum += n;
  printf("%s %d\n", name, sum);
  return 0;
}
`

// A program is given the files that it asks for, under the name that it has of them: one of its own, or an
// argument. What tells a mutant is of the files, too, no longer than it takes.
func TestInputsHaveFiles(t *testing.T) {
	found := examples(t, summing)
	e := found["main: sum + n → sum - n"]
	if e == nil || len(e.Args) != 1 || len(e.Files) == 0 || e.Original.Printed == e.Mutant.Printed {
		t.Fatalf("sum - n is told by %+v", e)
	}
	if f := e.Files[len(e.Files)-1]; f.Name != e.Args[0] || f.Text != "1\n" {
		t.Errorf("sum - n is told by the file %+v of the arguments %q", f, e.Args)
	}
	if e := found["main: return 3 → return 0"]; e == nil || len(e.Files) != 1 || e.Files[0].Name != "names.conf" || e.Files[0].Text != "" || e.Original.Status != 3 {
		t.Errorf("return 0 is told by %+v", e)
	}
	if e := found["main: return 1 → return 2"]; e == nil || len(e.Args) != 1 || len(e.Files) != 0 {
		t.Errorf("the status without the file is told by %+v", e)
	}
}
