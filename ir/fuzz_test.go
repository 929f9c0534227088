package ir

import (
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// FuzzParse: whatever the text, it is a module or an input that cannot be used.
func FuzzParse(f *testing.F) {
	f.Add([]byte("define i32 @f(i32 %a) {\nentry:\n  %b = add nsw i32 %a, 1\n  ret i32 %b\n}\n"))
	f.Add([]byte("@s = constant [2 x i8] c\"a\\00\"\ndeclare noalias align 16 i8* @g(i64)\n"))
	f.Add([]byte("!0 = distinct !{!0}\n%t = type { %t*, <4 x i32> }\n"))
	f.Add([]byte("define void @f() {\n  br label %x\nx:\n  %p = phi i32 [ 1, %0 ]\n  indirectbr i8* null, [label %x]\n}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			m, err := Parse("fuzz.ll", text)
			if (m == nil) == (err == nil) || err != nil && exit.Of(err) != exit.Input {
				t.Errorf("%v, %v", m, err)
			}
		})
	})
}
