package features_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/features"
)

// interpreter is a program with one large function, a switch in a loop as
// interpreters have them, of that many cases.
func interpreter(cases int) string {
	var b strings.Builder
	b.WriteString("struct frame { int *base, *top; long count; double scale; };\nint run(struct frame *f, const unsigned char *code, int n) {\n" +
		"  int acc = 0, tmp = 0, regs[16];\n  for (int pc = 0; pc < n; pc++) {\n    int a = code[pc] & 15, b = code[pc + 1] >> 4;\n    switch (code[pc]) {\n")
	for i := range cases {
		fmt.Fprintf(&b, "    case %d:\n      regs[a] = regs[b] + %d * f->base[a];\n      if (f->count > %d && acc != tmp) { f->base[b] -= acc; f->count++; }\n"+
			"      acc += tmp %% %d; f->top = f->base + a; f->scale *= 1.5;\n      break;\n", i, i, i+3, i+2)
	}
	b.WriteString("    default: tmp = ++acc; break;\n    }\n  }\n  return acc - tmp;\n}\n")
	return b.String()
}

func BenchmarkExtractOneLargeFunction(b *testing.B) {
	m, mutants := generate(b, interpreter(200))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := features.Extract(m, mutants); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(mutants)), "µs/mutant")
	b.ReportMetric(float64(len(mutants)), "mutants")
}
