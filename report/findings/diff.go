package findings

import (
	"fmt"
	"strings"
)

// context is how many lines a diff has around the change.
const context = 3

// Diff is a finding as a unified diff of its source; "" where no change of the text stands for
// it, or the text is not known.
func (r *Run) Diff(f *Finding) string {
	if f.Edit == nil {
		return ""
	}
	text := r.Text(f.Edit.File)
	if text == "" || f.Edit.End > len(text) {
		return ""
	}
	begin := strings.LastIndexByte(text[:f.Edit.Start], '\n') + 1
	end := len(text)
	if n := strings.IndexByte(text[f.Edit.End:], '\n'); n >= 0 {
		end = f.Edit.End + n
	}
	before := lastLines(text[:begin])
	after := firstLines(strings.TrimPrefix(text[end:], "\n"))
	old := strings.Split(text[begin:end], "\n")
	now := strings.Split(text[begin:f.Edit.Start]+f.Edit.Text+text[f.Edit.End:end], "\n")
	from := strings.Count(text[:begin], "\n") + 1 - len(before)
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", f.Edit.File, f.Edit.File,
		from, len(before)+len(old)+len(after), from, len(before)+len(now)+len(after))
	for _, part := range []struct {
		sign  string
		lines []string
	}{{" ", before}, {"-", old}, {"+", now}, {" ", after}} {
		for _, line := range part.lines {
			out.WriteString(part.sign + line + "\n")
		}
	}
	return out.String()
}

// lastLines are the last lines of a text that ends with its last line's end.
func lastLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		return nil
	}
	return lines[max(0, len(lines)-context):]
}

func firstLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[:min(len(lines), context)]
}
