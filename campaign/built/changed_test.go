package built

import (
	"slices"
	"testing"
)

func TestWhatASourceIncludesIsReadFromItsPreprocessedText(t *testing.T) {
	text := "# 1 \"src/list.c\"\n# 1 \"<built-in>\" 1\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint x;\n# 2 \"src/list.c\" 2\n# 1 \"src/../list.h\" 1\n"
	want := []string{"/w/src/list.c", "/usr/include/stdio.h", "/w/list.h"}
	if got := included([]byte(text), "/w"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
