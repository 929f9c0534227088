package variation

import (
	"regexp"
	"strconv"
)

var (
	quoted  = regexp.MustCompile(`"((?:[^"\\\n]|\\.){1,64})"`)
	single  = regexp.MustCompile(`'((?:[^'\\\n]|\\.))'`)
	numeral = regexp.MustCompile(`\b[0-9]{1,18}\b`)
	word    = regexp.MustCompile(`[^\s%]+`)
)

// WordsOf are the words that a C source names: those of its strings and characters, and its
// numbers with those beside them, which conditions tell from each other.
func WordsOf(source []byte) []string {
	var out []string
	known := map[string]bool{}
	add := func(text string) {
		if text != "" && !known[text] && len(out) < mostWords/2 {
			known[text] = true
			out = append(out, text)
		}
	}
	for _, pattern := range []*regexp.Regexp{quoted, single} {
		for _, found := range pattern.FindAllSubmatch(source, -1) {
			text, err := strconv.Unquote(`"` + string(found[1]) + `"`)
			if err != nil {
				continue
			}
			for _, w := range word.FindAllString(text, -1) {
				add(w)
			}
		}
	}
	for _, found := range numeral.FindAll(source, -1) {
		if x, err := strconv.ParseInt(string(found), 10, 64); err == nil {
			for _, near := range []int64{x, x - 1, x + 1} {
				add(strconv.FormatInt(near, 10))
			}
		}
	}
	return out
}
