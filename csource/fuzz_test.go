package csource

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzParse: whatever the text, there is a file with its expressions or an error. The
// seeds are of what C has and programs seldom use.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"int main(void) { int a[3] = {[1] = 2}; return a[0] ? a[1] : -a[2]; }\n",
		"#define F(x, ...) x##__VA_ARGS__ #x\nint F(a, 1);\n#line 7 \"other.c\"\nint b = F(1,);\n",
		"int f(a, b) int a; char *b; { L: goto *&&L; return ({ int x = a; x; }); }\n",
		"struct s { int x : 3; struct { int y; }; } g(struct s s) { return (struct s){.y = s.x++}; }\n",
		"_Static_assert(sizeof(int) == 4, \"\");\nint h(int n) { switch (n) { case 1 ... 3: do while (n--); while (0); default:; } return _Generic(n, int: 1, default: 2); }\n",
		"int (*(*p(int))[3])(void);\ntypedef int T; int q(T) ; int r(T T) { return sizeof T; }\n??=define X\nint i = 0x1p3 + 1'000;\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "fuzz.c")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(text), func() {
			if file, err := Parse(path, nil); (file == nil) == (err == nil) {
				t.Errorf("%v, %v", file, err)
			}
		})
	})
}
