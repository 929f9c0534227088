package csource_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
)

func TestCommentsBelongToTheCodeOfTheirLineOrToWhatFollows(t *testing.T) {
	const text = `// head \
goes on
#define M 1 /* of a directive */
/* f */ int f(int a) /* header */
{ // brace
  char *s = "/* no */ // no"; /* after
  a string */ a++;
  return a /* in a line */ + M;
  // last
}
// end`
	path := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := csource.Parse(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range file.Comments() {
		heads := ""
		if c.Heads != nil {
			heads = c.Heads.Name
		}
		got = append(got, fmt.Sprintf("%d-%d %q %d %s", c.Start.Line, c.End.Line, c.Text, c.Line, heads))
	}
	want := []string{
		`1-2 "head \\\ngoes on" 4 `, `3-3 "of a directive" 4 `, `4-4 "f" 4 f`, `4-4 "header" 4 f`, `5-5 "brace" 5 f`,
		`6-7 "after\n  a string" 6 `, `8-8 "in a line" 8 `, `9-9 "last" 10 `, `11-11 "end" 0 `,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("comments:\n%q\nwant\n%q", got, want)
		}
	}
	if paths := file.Paths(); len(paths) != 1 || string(file.Content(paths[0])) != text || file.Content("other.c") != nil {
		t.Errorf("paths %q", paths)
	}
}
