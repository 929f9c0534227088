package capture

import (
	"strings"
	"testing"
)

// cJSON's tests include cJSON.c by way of a header, to come to what is static there.
func TestTestsThatIncludeTheSourceAreToldOf(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"Makefile": "all: libx.a tests/plain tests/inside\nlibx.a: x.o\n\tar rc libx.a x.o\nx.o: x.c\n\tcc -c x.c\n" +
			"tests/plain: libx.a tests/plain.c\n\tcc -o tests/plain tests/plain.c libx.a\n" +
			"tests/inside: libx.a tests/inside.c\n\tcc -o tests/inside tests/inside.c libx.a\n" +
			"check: all\n\ttests/plain\n\ttests/inside\n",
		"x.c":            "static int twice(int x) { return 2 * x; }\nint four(void) { return twice(2); }\n",
		"tests/common.h": "#include \"../x.c\"\n",
		"tests/inside.c": "#include \"common.h\"\nint main(void) { return twice(3) != 6; }\n",
		"tests/plain.c":  "int four(void);\nint main(void) { return four() != 4; }\n",
	}
	const want = "Test programs that include x.c as text: 1."
	c := captured(t, files(t, texts), Options{})
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("tests %q, notes %q", testsOf(c), notes)
	}
	texts["tests/common.h"] = "#include <stdio.h>\nstatic int twice(int x) { return 2 * x; }\n"
	if notes := strings.Join(captured(t, files(t, texts), Options{}).Notes, "\n"); strings.Contains(notes, "as text") {
		t.Errorf("notes %q", notes)
	}
}

// The tests of libogg are its own two sources, compiled with a main.
func TestSourcesThatHoldTheirOwnTestsAreMutatedAndToldOf(t *testing.T) {
	t.Parallel()
	c := captured(t, files(t, map[string]string{
		"Makefile": "all: libx.a\nlibx.a: x.o y.o\n\tar rc libx.a x.o y.o\nx.o: x.c\n\tcc -c x.c\ny.o: y.c\n\tcc -c y.c\n" +
			"check: test_x\n\t./test_x\ntest_x: x.c\n\tcc -DSELF_CHECK -o test_x x.c\n",
		"x.c": "int twice(int x) { return 2 * x; }\n#ifdef SELF_CHECK\nint main(void) { return twice(3) != 6; }\n#endif\n",
		"y.c": "int thrice(int x) { return 3 * x; }\n",
	}), Options{})
	if notes := strings.Join(c.Notes, "\n"); len(c.Subject.Units) != 1 || !strings.Contains(notes, "x.c: sources of a library that hold their own tests") {
		t.Errorf("mutated %q, tests %q, notes %q", c.Subject.Units, testsOf(c), notes)
	}
}
