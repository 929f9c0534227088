package scope

import (
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// lineRange is the lines from first to last of the files that match.
type lineRange struct {
	file        pattern
	first, last int
}

func (r lineRange) contains(file string, line int) bool {
	return r.first <= line && line <= r.last && r.file.matchesPath(file)
}

// parseLines reads "FILE:10-20,35", or "10-20,35" where there is one input.
func parseLines(text string, inputs []string) ([]lineRange, error) {
	file, numbers := "", text
	if k := strings.LastIndexByte(text, ':'); k >= 0 {
		file, numbers = text[:k], text[k+1:]
	} else if len(inputs) == 1 {
		file = inputs[0]
	} else {
		return nil, exit.Usagef("lines %s: say which of the %d files, as in FILE:%s", text, len(inputs), text)
	}
	p, err := parsePattern(file)
	if err != nil {
		return nil, exit.Usagef("lines %s: %v", text, err)
	}
	var out []lineRange
	for _, part := range strings.Split(numbers, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, errFirst := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		if errFirst != nil || errLast != nil || first < 1 {
			return nil, exit.Usagef("lines %s: %q is no line: want 12 or 12-20, counted from 1", text, part)
		}
		if last < first {
			return nil, exit.Usagef("lines %s: %q ends before it begins", text, part)
		}
		out = append(out, lineRange{file: p, first: first, last: last})
	}
	return out, nil
}
