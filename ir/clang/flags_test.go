package clang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// hostile are flags by which a project could run code in the compiler, or have it write
// files; OUT stands for a file's name.
var hostile = []string{
	"-fplugin=OUT.so", "-fpass-plugin=OUT.so", "-load", "OUT.so", "-Xclang", "-load", "-Xclang", "OUT.so",
	"-foptimization-record-file=OUT", "-fsave-optimization-record", "-fproc-stat-report=OUT", "-ftest-coverage", "-fprofile-arcs",
	"-fprofile-instr-generate=OUT", "-fcrash-diagnostics-dir=OUT", "-ftime-trace", "-ftime-trace=OUT", "-save-temps", "-save-temps=obj", "--save-temps",
	"-fmodules", "-fmodules-cache-path=OUT", "-fmodule-file=OUT", "-fsyntax-only", "-fdiagnostics-log-file=OUT", "-fdump-record-layouts",
	"-mllvm", "-stats", "-mllvm=-stats", "-Wp,-MD,OUT", "-Wa,OUT", "-Wl,OUT", "-wrapper", "sh", "-B", "OUT", "-BOUT", "-fuse-ld=OUT", "--ld-path=OUT",
	"-MD", "-MMD", "-MF", "OUT", "-o", "OUT", "-oOUT", "-specs=OUT", "--config", "OUT", "--config=OUT", "-emit-pch", "-fbuild-session-file=OUT",
	"-dependency-file", "-MJ", "-MJOUT", "-gsplit-dwarf", "-gsplit-dwarf=split", "-serialize-diagnostics", "OUT", "-fdebug-prefix-map=OUT=OUT",
	"-fcoverage-mapping", "-fsanitize=address", "-fembed-bitcode", "-fthinlto-index=OUT", "-flto", "-cc1", "-fxray-instrument", "-resource-dir", "OUT", "-resource-dir=OUT",
}

func TestNoFlagOfAProjectRunsCodeInTheCompilerOrHasItWriteAFile(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "x.c")
	testfile.Write(t, source, "int x(void) { return 1; }\n")
	var flags []string
	for _, f := range hostile {
		flags = append(flags, strings.ReplaceAll(f, "OUT", filepath.Join(dir, "out")))
	}
	if got := clang.KeepFrontEnd(flags); len(got) > 0 {
		t.Errorf("kept %q", got)
	}
	if _, err := toolchain(t).In(dir).Compile(t.Context(), source, flags); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("beside the source: %v, %v", entries, err)
	}
}

func TestFlagsAboutLanguageArithmeticAndProcessorAreKept(t *testing.T) {
	flags := []string{"-std=c99", "-funsigned-char", "-fno-strict-aliasing", "-fwrapv", "-fshort-enums", "-fpack-struct=2", "-fno-builtin-memcpy", "-ffreestanding",
		"-fPIC", "-fvisibility=hidden", "-m32", "-march=native", "-msse4.2", "-mno-avx", "-mcmodel=large", "-mabi=lp64", "--target=aarch64-linux-gnu", "-fms-extensions", "-fno-common"}
	if diff := cmp.Diff(flags, clang.KeepFrontEnd(flags)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
