package features_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
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
		tableOf(b, m, mutants)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(mutants)), "µs/mutant")
	b.ReportMetric(float64(len(mutants)), "mutants")
}

// cpu is the time that this process and the programs it waited for have used.
func cpu(b *testing.B, who int) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkExtractFiles extracts all static features of C files, one after the
// other: those that WINNOW_BENCH_C names, or the examples. It reports CPU time a
// mutant, CPU time against clang-14 -O2 -c of the same files, and the most memory
// that the process has used.
func BenchmarkExtractFiles(b *testing.B) {
	files := strings.Fields(os.Getenv("WINNOW_BENCH_C"))
	if len(files) == 0 {
		var err error
		if files, err = filepath.Glob("../examples/*/*.c"); err != nil || len(files) == 0 {
			b.Fatal("no examples", err)
		}
	}
	var extracting, compiling time.Duration
	rows := 0
	for b.Loop() {
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			m, mutants := generate(b, string(source))
			tree, err := csource.Parse(m.LLVM.SourceFilename, nil)
			if err != nil {
				b.Fatal(err)
			}
			start := cpu(b, syscall.RUSAGE_SELF)
			if err := features.Stream(m, mutants, func(t *table.Table) error { rows += t.Rows(); return nil }, features.WithSource(tree)); err != nil {
				b.Fatal(err)
			}
			extracting += cpu(b, syscall.RUSAGE_SELF) - start
			start = cpu(b, syscall.RUSAGE_CHILDREN)
			if out, err := exec.Command("clang-14", "-O2", "-w", "-c", file, "-o", filepath.Join(b.TempDir(), "out.o")).CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			compiling += cpu(b, syscall.RUSAGE_CHILDREN) - start
		}
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(rows)/float64(b.N), "mutants")
	b.ReportMetric(float64(extracting.Microseconds())/float64(rows), "CPU-µs/mutant")
	b.ReportMetric(extracting.Seconds()/compiling.Seconds(), "×clang")
	b.ReportMetric(float64(used.Maxrss)/1024, "MB")
}
