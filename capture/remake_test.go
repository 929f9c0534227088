package capture

import (
	"strings"
	"testing"
)

func TestRemakingRepeatsTheCommandsOfTheBuildWithOtherObjects(t *testing.T) {
	c := &Capture{Work: "/w", Products: []Product{
		{Path: "build/libx.a", Kind: "archive", Dir: "build", Link: []string{"ar", "cru", "libx.a", "a.o", "b.o"},
			Inputs: []Input{{Unit: "source/a.c", Operand: "a.o"}, {Unit: "source/b.c", Operand: "b.o"}}, Copies: []string{"build/lib/libx.a"}},
		{Path: "build/libx.so", Kind: "shared", Dir: "build", Link: []string{"cc", "-shared", "-Wl,-soname,libx.so", "-o", "libx.so", "pic/a.o", "pic/b.o"},
			Inputs: []Input{{Unit: "source/a.c", Operand: "pic/a.o"}, {Unit: "source/b.c", Operand: "pic/b.o"}}},
		{Path: "build/static", Kind: "program", Dir: "build", Link: []string{"cc", "-o", "static", "main.o", "libx.a", "-lm"},
			Inputs: []Input{{Unit: "source/main.c", Operand: "main.o"}, {Product: "build/libx.a", Operand: "libx.a"}, {Library: "m"}}},
		{Path: "build/dynamic", Kind: "program", Dir: "build", Link: []string{"cc", "-o", "dynamic", "main.o", "libx.so"},
			Inputs: []Input{{Unit: "source/main.c", Operand: "main.o"}, {Product: "build/libx.so", Operand: "libx.so"}}},
		{Path: "build/gone", Kind: "program", Dir: "build", Gone: true, Link: []string{"cc", "a.o"}, Inputs: []Input{{Unit: "source/a.c", Operand: "a.o"}}},
		{Path: "build/whole program", Kind: "program", Dir: "source", Link: []string{"cc", "-DX=a b", "-o", "{work}/build/whole program", "a.c", "main.c"},
			Inputs: []Input{{Unit: "source/a.c", Operand: "a.c"}, {Unit: "source/main.c", Operand: "main.c"}}},
	}}
	script, err := c.Remake(map[string]string{"source/a.c": "/o/a.mutants.o"}, "/o/runtime.o")
	if err != nil {
		t.Fatal(err)
	}
	want := `set -e
cd /w/build
mkdir -p /tmp/winnow-members/1
cp /o/runtime.o /tmp/winnow-members/1/winnow-select.o
mkdir -p /tmp/winnow-members/2
cp /o/a.mutants.o /tmp/winnow-members/2/a.o
ar rcs /w/build/libx.a /tmp/winnow-members/1/winnow-select.o /tmp/winnow-members/2/a.o
cp -f /w/build/libx.a /w/build/lib/libx.a
cd /w/build
cc -shared -Wl,-soname,libx.so -o libx.so /o/runtime.o /o/a.mutants.o pic/b.o
cd /w/build
cc -o static main.o libx.a -lm
cd /w/source
cc '-DX=a b' -o '/w/build/whole program' /o/runtime.o /o/a.mutants.o main.c
`
	if script != want {
		t.Errorf("got\n%s\nwant\n%s", script, want)
	}
}

// What was linked from several objects is linked again, with the build's own objects of the sources that stay; what one
// command made of several sources cannot be.
func TestAnObjectOfSeveralSourcesIsLinkedAgain(t *testing.T) {
	inputs := []Input{{Unit: "main.c", Operand: "main.o"}, {Unit: "a.c", Operand: "all.o", Object: "source/a.o"}, {Unit: "b.c", Operand: "all.o", Object: "source/b.o"}}
	c := &Capture{Work: "/w", Products: []Product{
		{Path: "liball.a", Kind: "archive", Link: []string{"ar", "cr", "liball.a", "all.o"}, Inputs: inputs[1:]},
		{Path: "p", Kind: "program", Link: []string{"cc", "main.o", "all.o"}, Inputs: inputs},
	}}
	script, err := c.Remake(map[string]string{"b.c": "/o/b.o"}, "/o/r.o")
	if err != nil {
		t.Fatal(err)
	}
	want := `set -e
mkdir -p /tmp/winnow-members/1
ld -r -o /tmp/winnow-members/1/all.o /w/source/a.o /o/b.o
cd /w
mkdir -p /tmp/winnow-members/2
cp /o/r.o /tmp/winnow-members/2/winnow-select.o
mkdir -p /tmp/winnow-members/3
cp /tmp/winnow-members/1/all.o /tmp/winnow-members/3/all.o
ar rcs /w/liball.a /tmp/winnow-members/2/winnow-select.o /tmp/winnow-members/3/all.o
mkdir -p /tmp/winnow-members/4
ld -r -o /tmp/winnow-members/4/all.o /w/source/a.o /o/b.o
cd /w
cc main.o /o/r.o /tmp/winnow-members/4/all.o
`
	if script != want {
		t.Errorf("got\n%s\nwant\n%s", script, want)
	}
	inputs[1].Object = ""
	if _, err := c.Remake(map[string]string{"b.c": "/o/b.o"}, "/o/r.o"); err == nil || !strings.Contains(err.Error(), "all.o") {
		t.Errorf("of several sources at once: %v", err)
	}
	if script, err := c.Remake(map[string]string{"main.c": "/o/main.o"}, "/o/r.o"); err != nil || strings.Contains(script, "ld -r") {
		t.Errorf("what nothing of changes: %v\n%s", err, script)
	}
}
