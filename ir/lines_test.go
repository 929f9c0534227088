package ir

import (
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
)

const laidOut = `define i32 @f(i32 %x) !dbg !4 {
entry:
  %y = add i32 %x, 1, !dbg !7
  switch i32 %y, label %other [
    i32 1, label %one
  ], !dbg !8
one:
  %z = tail call i32 @"g h"(i32 %y), !dbg !9
  ret i32 %z, !dbg !9
other:
  unreachable, !dbg !10
}
define i32 @"g h"(i32 %x) !dbg !5 {
  %y = mul i32 %x, 3, !dbg !11
  ret i32 %y
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, isOptimized: false, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.c", directory: ".")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !2, unit: !0)
!5 = distinct !DISubprogram(name: "g", file: !2, unit: !0)
!7 = !DILocation(line: 11, column: 1, scope: !4)
!8 = !DILocation(line: 12, column: 1, scope: !4)
!9 = distinct !DILocation(line: 13, scope: !4)
!10 = !DILocation(line: 14, scope: !4)
!11 = !DILocation(line: 21, scope: !5)
`

func TestLinesAreThoseOfTheSameCodeElsewhere(t *testing.T) {
	m, err := Parse("a.ll", []byte(strings.ReplaceAll(laidOut, "line: ", "line: 9")))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(laidOut, "mul i32 %x, 3", "sub i32 %x, 3", 1) // other code
	lines := Lines(m, []byte(other))
	var got []int
	for _, f := range m.LLVM.Funcs {
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				got = append(got, lines[inst])
			}
			got = append(got, lines[b.Term])
		}
	}
	want := []int{11, 12, 13, 13, 14, 0, 0}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("the lines are %v, want %v", got, want)
		}
	}
	if lines = Lines(m, []byte(laidOut)); lines[m.LLVM.Funcs[1].Blocks[0].Insts[0]] != 21 {
		t.Errorf("the product is in line %d", lines[m.LLVM.Funcs[1].Blocks[0].Insts[0]])
	}
}

func TestOpcodesAreTheWordsThatIRBeginsWith(t *testing.T) {
	for inst, want := range map[any]string{
		&llir.InstGetElementPtr{}: "getelementptr", &llir.InstVAArg{}: "va_arg", &llir.InstICmp{}: "icmp", &llir.InstAtomicRMW{}: "atomicrmw",
		&llir.TermCondBr{}: "br", &llir.TermIndirectBr{}: "indirectbr", &llir.TermUnreachable{}: "unreachable",
	} {
		if got := opcode(inst); got != want {
			t.Errorf("%T is %s", inst, got)
		}
	}
	for row, want := range map[string]string{
		"  %0 = va_arg i8** %ap, i32": "va_arg", "  musttail call void @f()": "call", "    i32 1, label %x": "", "  ], !dbg !3": "",
		"  store i32 0, i32* %x": "store", "  ret void": "ret",
	} {
		if got := opcodeOf(row); got != want {
			t.Errorf("%q is %q", row, got)
		}
	}
}
