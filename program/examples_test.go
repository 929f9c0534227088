package program_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
)

// Of the mutants of a program it is said whether an input tells them, in whichever file they are. Of those
// that nothing calls, and of a program whose runs nobody can follow, it is not: nobody looked.
func TestOfMutantsNothingIsSaidThatNobodyLookedFor(t *testing.T) {
	folder := t.TempDir()
	write := func(name, source string) program.Input {
		path := filepath.Join(folder, name)
		testfile.Write(t, path, source)
		return program.Input{Path: path}
	}
	main := write("main.c", "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) == 1 && n > 3) puts(\"more\"); if (n > 3 && (n ^ 21930) == 4919 * 77) puts(n > 9 ? \"hidden\" : \"never\"); return n == n + 1; }\n")
	other := write("other.c", "int least(int a, int b) { return a < b ? a : b; }\n")
	least := write("least.c", "#include <stdio.h>\nint least(int, int);\nint main(void) { int a, b; if (scanf(\"%d %d\", &a, &b) == 2) printf(\"%d\\n\", least(a, b)); return 0; }\n")
	opaque := write("opaque.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return atoi(getenv(\"HOME\")) > 3; }\n")
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Lookup("ROR")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inputs []program.Input
		looked string // at mutants of this file
		note   string
	}{
		{[]program.Input{main, other}, "main.c", ""}, {[]program.Input{other}, "", ""}, {[]program.Input{least, other}, "least.c other.c", ""},
		{[]program.Input{opaque}, "", "what getenv does, which it calls, is not known to the interpreter"},
	} {
		p, err := program.Load(context.Background(), tools, c.inputs, program.LoadOptions{Mutation: program.Mutation{Rules: rules, Unjudged: true}})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		file, original := map[string]string{}, map[string]string{}
		for _, m := range p.Mutants() {
			ids = append(ids, m.ID)
			file[m.ID], original[m.ID] = filepath.Base(m.File), m.Original
		}
		examples := program.NewExamples(p, nil)
		told, calls, err := examples.Told(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		yes := 0
		for _, id := range ids {
			found, looked := told[id]
			if _, other := calls[id]; other == looked {
				t.Errorf("of %s an input is looked for: %v, and a call: %v", file[id], looked, other)
			}
			if looked != strings.Contains(c.looked, file[id]) {
				t.Errorf("%s is looked at: %v", file[id], looked)
			}
			if uncalled := c.looked == "main.c" && file[id] == "other.c"; examples.Uncalled(id) != uncalled {
				t.Errorf("of %v %s is called: %v", c.inputs, file[id], uncalled)
			}
			if found {
				yes++
			}
			if reached := looked && original[id] != "n > 9"; examples.Reached(id) != reached {
				t.Errorf("%s of %s is reached: %v", original[id], file[id], !reached)
			}
		}
		if notes := strings.Join(examples.Notes(), "\n"); !strings.HasSuffix(notes, c.note) || (notes == "") != (c.note == "") {
			t.Errorf("notes of %v: %q", c.inputs, notes)
		}
		if c.looked == "least.c other.c" && yes == 0 {
			t.Error("no input tells a mutant of a function of another file")
		}
		if c.looked == "main.c" && (yes == 0 || yes == len(told)) {
			t.Errorf("an input tells %d of %d mutants of %s", yes, len(told), c.looked)
		}
	}
}

// A bug of winnow's costs the examples of a function, and of nothing else, and is told.
func TestAFunctionThatCannotBeReadCostsItsOwnExamples(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "two.c")
	testfile.Write(t, path, "int odd(int n) { return n % 2 != 0; }\nint more(int n) { return n > 3 ? n : 3; }\n")
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(t.Context(), tools, []program.Input{{Path: path}}, program.LoadOptions{Mutation: program.Mutation{Unjudged: true}})
	if err != nil {
		t.Fatal(err)
	}
	ids, function := []string{}, map[string]string{}
	for _, m := range p.Mutants() {
		ids, function[m.ID] = append(ids, m.ID), m.Function
		if m.Function == "odd" {
			m.Site.Func.Blocks[0].Insts[0] = (*llir.InstLoad)(nil) // which no module has
		}
	}
	calls, err := program.NewExamples(p, nil).Calls(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for id := range calls {
		found[function[id]]++
	}
	if found["odd"] != 0 || found["more"] == 0 {
		t.Errorf("calls are found for %v", found)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "missing for function odd, which is a bug in winnow") {
		t.Errorf("the warnings are %q", p.Warnings)
	}
}
