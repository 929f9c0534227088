package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const picked = `#define N 10
#define PICK(f) do { if (f & 8) puts("eight"); if (f & 16) puts("sixteen"); } while (0)
#define STOP(x) if (x) break; else continue
int puts(const char *);
int main(void) {
  int f = N;
  while (f) {
    PICK(f);
    STOP(f + N);
  }
  return 0;
}
`

// preprocessedPicked is what clang makes of it. The parser does not know the attribute, and
// nobody's code comes from the system's header.
const preprocessedPicked = `# 1 "picked.c"
# 1 "<built-in>" 1
# 1 "picked.c" 2
# 1 "/usr/include/stdio.h" 1 3 4
typedef int f;
# 4 "picked.c" 2
int puts(const char *) __attribute__((unused));
#pragma clang diagnostic push
int main(void) {
  int f = 10;
  while (f) {
    do { if (f & 8) puts("eight"); if (f & 16) puts("sixteen"); } while (0);
    if (f + 10) break; else continue;
  }
  return 0;
}
`

// inFolder writes a file of its own folder.
func inFolder(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnExpansionTellsTheCodeOfAMacroApart(t *testing.T) {
	path := inFolder(t, "picked.c", picked)
	f, err := Parse(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !f.HasMacroCode() || !f.InMacro(8, 5) || !f.InMacro(9, 5) || f.InMacro(6, 11) || f.InMacro(7, 3) {
		t.Errorf("code of macros: %v at PICK, %v at STOP, %v at N, %v at while", f.InMacro(8, 5), f.InMacro(9, 5), f.InMacro(6, 11), f.InMacro(7, 3))
	}
	x := f.Expand([]byte(strings.ReplaceAll(preprocessedPicked, "picked.c", path)))
	lines := strings.Split(string(x.Text), "\n")
	var masks, statements []string
	for i, line := range lines {
		token := x.TokenAt(i + 1)
		if i < 4 && token != 0 {
			t.Errorf("%q of a header is a token of the user's", line)
		}
		if line == "&" {
			masks = append(masks, f.AtToken(token)[0].Expanded())
		}
		if line == "break" || line == "continue" {
			s := f.StatementAtToken(token)
			if !s.BeginsWith(token) || !s.HasToken(token) || s.HasToken(token-1) {
				t.Errorf("%s does not begin where it does", s.Expanded())
			}
			statements = append(statements, s.Expanded())
		}
	}
	if got := strings.Join(masks, ", "); got != "f & 8, f & 16" {
		t.Errorf("the masks are %s", got)
	}
	if got := strings.Join(statements, " "); got != "break; continue;" {
		t.Errorf("the jumps are %s", got)
	}
	if !strings.Contains(string(x.Text), "\n#pragma clang diagnostic push\nint\n") {
		t.Errorf("a pragma is not on a line of its own:\n%s", x.Text)
	}
	if x.TokenAt(0) != 0 || x.TokenAt(len(lines)+1) != 0 || len(f.AtToken(0)) > 0 || f.StatementAtToken(0) != nil {
		t.Error("there is something where no token is")
	}
}

func TestAFileWithoutMacrosHasNoCodeToTellApart(t *testing.T) {
	f, err := Parse(inFolder(t, "plain.c", "#define N 10\n#define M (N + 1)\nint f(int a) { return a + N - M; }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.HasMacroCode() {
		t.Error("one constant, and one sum of constants, are several pieces of code")
	}
}
