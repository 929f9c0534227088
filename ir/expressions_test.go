package ir_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// TestConstantsThatAreComputedOfAddressesAreReadAndStayWhatTheyAre runs programs as clang builds
// them, and as it builds what was read.
func TestConstantsThatAreComputedOfAddressesAreReadAndStayWhatTheyAre(t *testing.T) {
	var b strings.Builder
	b.WriteString("int printf(const char *, ...);\nstatic char text[] = \"sdiv exact (i64 8, i64 2)\", *p = text + 24, bytes[8];\nstatic int table[9] = {1, 2, 3, 4, 5};\n")
	var body strings.Builder
	for size := 1; size <= 40; size++ {
		fmt.Fprintf(&b, "static struct s%d { char c[%d]; } of%d[30];\n", size, size, size)
		fmt.Fprintf(&body, "n = &of%d[%d] - of%d; m = of%d - &of%d[%d];\nprintf(\"%%ld %%ld\\n\", n, m);\n", size, size%29, size, size, size, 29-size%29)
	}
	body.WriteString(`n = table[&table[3] - table]; m = table[&of8[1] - of8 + 1];
printf("%ld %ld %s\n", n, m, text);
for (int i = 0; i < 2; i++)
    printf("%d %d %d\n", (p + i) - (long)text == (char *)0 + 24 + i, p[-((long)&bytes[3] - (long)bytes)], *(p - ((long)bytes & 0) - 1));
printf("%d\n", &p[(int)(long)&bytes[2] * 2] - p == 2 * (int)(long)&bytes[2]);
`)
	fmt.Fprintf(&b, "int main(void) {\nlong n, m;\n%sreturn 0;\n}\n", body.String())
	text := compile(t, b.String(), "-O0")
	if !strings.Contains(string(text), "sdiv exact (i64 sub") || !strings.Contains(string(text), "i64 sub (i64 0") {
		t.Fatal("clang writes such constants in another way")
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	want, got := ran(t, string(text)), ran(t, m.String())
	if len(want) < 200 {
		t.Errorf("it prints no more than %q", want)
	}
	lines, others := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(lines) != len(others) {
		t.Fatalf("it prints %d lines, and as it was read %d", len(lines), len(others))
	}
	for k, line := range lines {
		if others[k] != line {
			t.Errorf("line %d of what it prints is %q, and as it was read %q", k+1, line, others[k])
		}
	}
}

// ran is what a program in LLVM IR prints.
func ran(t *testing.T, text string) string {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, "program.ll", text)
	program := strings.TrimSuffix(file, ".ll")
	if out, err := exec.CommandContext(t.Context(), tools.Clang, "-O0", "-w", "-no-pie", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
