package variation

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	quoted  = regexp.MustCompile(`"((?:[^"\\\n]|\\.){1,64})"`)
	single  = regexp.MustCompile(`'((?:[^'\\\n]|\\.))'`)
	numeral = regexp.MustCompile(`\b[0-9]{1,18}\b`)
	word    = regexp.MustCompile(`[^\s%]+`)
)

// WordsOf are the words that a C source names: those of its strings and characters, what its
// formats print and read ("%4d-%2d" is 1111-11), and its numbers with those beside them, which
// conditions tell from each other.
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
			for _, w := range filled(text) {
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

// conversion is one of printf or scanf, with its width and its letter.
var conversion = regexp.MustCompile(`%[-+ #]*(\d*)(?:\.\d+)?(?:hh|h|ll|l|z|j)?([a-zA-Z%])`)

// filled are the words of a format that have more in them than a conversion, with digits or
// letters in its place: as many as it is wide.
func filled(format string) []string {
	var out []string
	for _, w := range strings.Fields(format) {
		if rest := conversion.ReplaceAllString(w, ""); rest == "" || rest == w {
			continue
		}
		out = append(out, conversion.ReplaceAllStringFunc(w, func(one string) string {
			part := conversion.FindStringSubmatch(one)
			width, err := strconv.Atoi(part[1])
			if err != nil || width < 1 || width > widest {
				width = 1
			}
			switch part[2] {
			case "n": // what was read so far
				return ""
			case "%":
				return "%"
			case "s", "c":
				return strings.Repeat("a", width)
			}
			return strings.Repeat("1", width)
		}))
	}
	return out
}

// widest bounds a conversion that is filled in.
const widest = 8
