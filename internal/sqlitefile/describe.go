package sqlitefile

import (
	"regexp"
	"slices"
	"strings"
)

// description is what the statement that made a table says of it.
type description struct {
	root    int64
	columns []string
	// rowid is the column that is the row's number, which rows have nil for; -1 where none is.
	rowid        int
	withoutRowid bool
}

func (d *description) place(column string) int {
	return slices.IndexFunc(d.columns, func(c string) bool { return strings.EqualFold(c, column) })
}

var (
	// word is a name or keyword at the beginning of a column's definition.
	word          = regexp.MustCompile("^(?:\"((?:[^\"]|\"\")*)\"|'((?:[^']|'')*)'|`([^`]*)`|\\[([^\\]]*)\\]|([^\\s(,]+))")
	comment       = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	integerKey    = regexp.MustCompile(`(?is)^\s*integer\s+(?:constraint\s+\S+\s+)?primary\s+key\b`)
	integerColumn = regexp.MustCompile(`(?is)^\s*integer\b`)
	keyOfTable    = regexp.MustCompile(`(?is)^(?:constraint\s+\S+\s+)?primary\s+key\s*\(\s*([^\s,()]+)\s*\)`)
	constraint    = regexp.MustCompile(`(?is)^(?:constraint|primary|unique|check|foreign)\b`)
)

// describe reads CREATE TABLE name (definition, ...).
func describe(sql string, root int64) *description {
	d := &description{root: root, rowid: -1}
	sql = comment.ReplaceAllString(sql, " ")
	parts, rest := definitions(sql)
	d.withoutRowid = strings.Contains(strings.ToLower(rest), "without")
	integers := map[string]bool{}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if m := keyOfTable.FindStringSubmatch(part); m != nil {
			if name := strings.Trim(m[1], "\"'`[]"); integers[name] {
				d.rowid = d.place(name)
			}
			continue
		}
		if constraint.MatchString(part) {
			continue
		}
		found := word.FindStringSubmatch(part)
		if found == nil {
			continue
		}
		name, kind := strings.Join(found[1:], ""), part[len(found[0]):]
		if integerKey.MatchString(kind) {
			d.rowid = len(d.columns)
		}
		integers[name] = integerColumn.MatchString(kind)
		d.columns = append(d.columns, name)
	}
	return d
}

// definitions are what stands between the outer parentheses of a statement, at its commas, and
// what follows them.
func definitions(sql string) (parts []string, rest string) {
	depth, start := 0, 0
	var quote byte
	for i := range len(sql) {
		c := sql[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '[':
			quote = ']'
		case c == '(':
			if depth++; depth == 1 {
				start = i + 1
			}
		case c == ',' && depth == 1:
			parts, start = append(parts, sql[start:i]), i+1
		case c == ')':
			if depth--; depth == 0 {
				return append(parts, sql[start:i]), sql[i+1:]
			}
		}
	}
	return parts, ""
}
