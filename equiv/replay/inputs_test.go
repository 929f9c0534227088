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
	var given [][]byte
	for _, one := range tests {
		given = append(given, []byte(one))
	}
	module := &op.Module{}
	inputs := replay.InputsOf(main, module, given, []byte(source))
	out := map[string]*replay.Example{}
	for i := range mutants {
		m := &mutants[i]
		out[m.Function+": "+m.Original+" → "+m.Replacement] = inputs.Tell(m.Site.Func, smt.ChangeOf(module.Function(m.Site.Func), m))
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
func TestInputsAreOfPrograms(t *testing.T) {
	if replay.InputsOf(&llir.Func{}, &op.Module{}, nil, nil) != nil {
		t.Error("a function without a name is taken for a program")
	}
}
