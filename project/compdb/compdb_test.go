package compdb

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

// Databases as bear, CMake and Meson write them, of one project with a source in
// a folder below.
func TestDatabasesOfCommonToolsAreRead(t *testing.T) {
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "src", "a b.c"), "int a;\n")
	for tool, text := range map[string]string{
		"bear": `[{"arguments": ["gcc", "-c", "-Isrc/inc", "-DN=\"x y\"", "-o", "a.o", "src/a b.c"],
			"directory": "` + dir + `", "file": "` + dir + `/src/a b.c", "output": "` + dir + `/a.o"}]`,
		"cmake": `[{"directory": "` + dir + `/build", "command": "/usr/bin/cc -I` + dir + `/src/inc -DN='\"x y\"' -O3 -o CMakeFiles/a.dir/a.c.o -c \"` + dir + `/src/a b.c\"",
			"file": "` + dir + `/src/a b.c", "output": "CMakeFiles/a.dir/a.c.o"}]`,
		"meson": `[{"directory": "build", "command": "ccache cc -Ia.p -I../src/inc '-DN=\"x y\"' -MD -MQ a.p/a.c.o -MF a.p/a.c.o.d -o a.p/a.c.o -c '../src/a b.c'",
			"file": "../src/a b.c", "output": "a.p/a.c.o"}]`,
	} {
		testfile.Write(t, filepath.Join(dir, "compile_commands.json"), text)
		inputs, err := Read(dir, nil, nil)
		if err != nil || len(inputs) != 1 {
			t.Errorf("%s: %+v, %v", tool, inputs, err)
			continue
		}
		in := inputs[0]
		if in.Path != filepath.Join(dir, "src", "a b.c") || !slices.Contains(in.Flags, "-I"+filepath.Join(dir, "src", "inc")) ||
			!slices.Contains(in.Flags, `-DN="x y"`) || slices.Contains(in.Flags, "-O3") {
			t.Errorf("%s: %+v", tool, in)
		}
	}
}
