package tce_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/equiv/tce"
)

// TestTheCanonicalTextKeepsWhatAFunctionComputesAndNothingElse compares pairs of
// functions as opt prints them.
func TestTheCanonicalTextKeepsWhatAFunctionComputesAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name, one, two string
		same           bool
	}{
		{"names of locals and labels", `define i32 @one(i32 %a) {
entry:
  %b = add i32 %a, 1
  br label %end

end:                                              ; preds = %entry
  ret i32 %b
}
`, `define i32 @two(i32 %0) #4 {
"first block":
  %"sum of" = add i32 %0, 1
  br label %1

1:                                                ; preds = %"first block"
  ret i32 %"sum of"
}
`, true},
		{"parameters", `define i32 @one(i32 %a, i32 %b) {
  ret i32 %a
}
`, `define i32 @two(i32 %a, i32 %b) {
  ret i32 %b
}
`, false},
		{"named types", `define void @one(%struct.a* %p) {
  %q = bitcast %struct.a* %p to i8*
  ret void
}
`, `define void @two(%struct.a* %p) {
  %q = bitcast %struct.b* %p to i8*
  ret void
}
`, false},
		{"metadata", `define void @one() {
  br label %1, !llvm.loop !7, !dbg !3
}
`, `define void @two() {
  br label %1
}
`, true},
		{"strings that passes made", `@str = private constant [3 x i8] c"a%b"
define void @one() {
  call void @puts(i8* @str) #1
  ret void
}
attributes #1 = { nounwind }
attributes #2 = { nounwind }
`, `@str.7 = private constant [3 x i8] c"a%b"
define void @two() {
  call void @puts(i8* @str.7) #2
  ret void
}
attributes #2 = { nounwind }
`, true},
		{"other strings that passes made", `@str = private constant [2 x i8] c"a\00"
define void @one() {
  call void @puts(i8* @str)
  ret void
}
`, `@str = private constant [2 x i8] c"b\00"
define void @two() {
  call void @puts(i8* @str)
  ret void
}
`, false},
		{"attributes of calls", `define void @one() {
  call void @g() #1
  ret void
}
attributes #1 = { noreturn }
`, `define void @two() {
  call void @g() #1
  ret void
}
attributes #1 = { nounwind }
`, false},
	} {
		one, two := tce.Canonical(c.one)["@one"], tce.Canonical(c.two)["@two"]
		if one == "" || two == "" {
			t.Errorf("%s: a function is not found", c.name)
		}
		if (one == two) != c.same {
			t.Errorf("%s: equal %v, want %v:\n%s\n%s", c.name, one == two, c.same, one, two)
		}
	}
}

// FuzzCanonicalTextOfAnything shows that no output of a tool, however cut, stops
// winnow.
func FuzzCanonicalTextOfAnything(f *testing.F) {
	f.Add("define i32 @f(i32 %a) {\nentry:\n  %\"b\" = add i32 %a, 1 ; x\n  ret i32 %b\n}\n@s = constant i8 1\nattributes #1 = { nounwind }\n")
	f.Add("define @\"\n:\n \"%@#,\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		for name, canonical := range tce.Canonical(text) {
			if again := tce.Canonical(text)[name]; again != canonical {
				t.Errorf("%s: two forms of one text:\n%s\n%s", name, canonical, again)
			}
		}
	})
}
