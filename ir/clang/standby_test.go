package clang_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// What tools that wait make, print and say is what those make that are started for it.
func TestToolsThatWaitMakeWhatThoseMakeThatAreStarted(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Cleanup(clang.Rest)
	tools, folder := toolchain(t), t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		testfile.Write(t, path, text)
		return path
	}
	good := file("good.c", "#include <stdio.h>\n#include \"own.h\"\nint main(int argc, char **argv) { return printf(\"%d %s\\n\", argc * TEN, argv[0]); }\n")
	file("own.h", "#define TEN 10\n")
	warned := file("warned.c", "int f(int x) { int y; return x + y; }\n")
	ir := "define i32 @f(i32 %x) {\n  %a = add i32 %x, 0\n  ret i32 %a\n}\n"
	out := filepath.Join(folder, "out")
	for what, c := range map[string]clang.Call{
		"IR":               {Tool: tools.Clang, Args: append(append([]string{"-S", "-emit-llvm", "-o", "-"}, clang.FrontEndFlags...), good)},
		"a relative file":  {Tool: tools.Clang, Args: []string{"-S", "-emit-llvm", "-g", "-o", "-", "-x", "c", "good.c"}},
		"what is included": {Tool: tools.Clang, Args: []string{"-E", "-o", "-", good}},
		"a warning":        {Tool: tools.Clang, Args: []string{"-Wall", "-Wuninitialized", "-S", "-emit-llvm", "-o", "-", warned}},
		"an error":         {Tool: tools.Clang, Text: "int x = ;\n", Args: []string{"-S", "-emit-llvm", "-o", "-", "-x", "c", "-"}},
		"no file":          {Tool: tools.Clang, Args: []string{"-S", "-emit-llvm", "-o", "-", filepath.Join(folder, "none.c")}},
		"an object":        {Tool: tools.Clang, Out: out, Args: []string{"-c", "-O2", "-o", out, good}},
		"an executable":    {Tool: tools.Clang, Out: out, Args: []string{"-o", out, good}},
		"a crash":          {Tool: tools.Clang, Text: "#pragma clang __debug crash\n", Args: []string{"-fno-crash-diagnostics", "-S", "-o", "-", "-x", "c", "-"}},
		"how it links":     {Tool: tools.Clang, Args: []string{"-###", "-o", out, good}},
		"passes":           {Tool: tools.Opt, Text: ir, Args: []string{"-S", "-passes=instcombine", "-o", "-", "-"}},
		"no IR":            {Tool: tools.Opt, Text: "no", Args: []string{"-S", "-passes=instcombine", "-o", "-", "-"}},
		"bitcode":          {Tool: tools.Assemble, Text: ir, Out: out, Args: []string{"-o", out, "-"}},
		"elsewhere":        {Tool: tools.Assemble, Text: ir, Args: []string{"-o", filepath.Join(t.TempDir(), "out"), "-"}},
	} {
		left := func(printed, said []byte, err error) string {
			text := fmt.Sprintf("printed %q\nsaid %q\nended %v", printed, steady(said), err)
			if c.Out != "" && err == nil {
				text += fmt.Sprintf("\nmade %q", testfile.Read(t, c.Out))
			}
			return text
		}
		in := tools.In(folder)
		want := left(in.Started(t.Context(), c, folder))
		for range 2 {
			if got := left(in.Waiting(t.Context(), c, folder)); got != want {
				t.Errorf("%s:\n%.2000s\nstarted:\n%.2000s", what, got, want)
			}
		}
	}
}

// steady leaves out of what a tool says the stack that it shows when it crashes, and names that it
// draws.
func steady(said []byte) string { return drawn.ReplaceAllString(string(said), "…") }

var drawn = regexp.MustCompile(`(?m)(?:^ ?#\d+ .*\n)+|/[a-z0-9-]+-[0-9a-f]{6}\.\w+`)

// What a call of clang takes that compiles a file of no length, with and without a start of its own.
func BenchmarkCalls(b *testing.B) {
	tools, err := clang.Find()
	if err != nil {
		b.Fatal(err)
	}
	defer clang.Rest()
	folder := b.TempDir()
	c := clang.Call{Tool: tools.Clang, Text: "int x;\n", Args: []string{"-S", "-emit-llvm", "-o", "-", "-x", "c", "-"}}
	for name, call := range map[string]func(context.Context, clang.Call, string) ([]byte, []byte, error){"started": tools.Started, "waiting": tools.Waiting} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, said, err := call(b.Context(), c, folder); err != nil {
					b.Fatalf("%v: %s", err, said)
				}
			}
		})
	}
}
