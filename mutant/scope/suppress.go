package scope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant"
)

// Suppression is one comment that keeps mutants from being made.
type Suppression struct {
	// File and Line are where the comment begins.
	File string
	Line int
	// Function is set when the suppression is for a whole function.
	Function string
	// Operators limit it to operators or types of mutants; nil for all.
	Operators []string
	Reason    string

	codeFile string // of the code it is for, clean
	codeLine int    // 0 for a function's
}

// String is "file:line: reason".
func (s *Suppression) String() string { return fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Reason) }

// The words that a suppressing comment begins with.
const (
	ignoreLine     = "winnow:ignore"
	ignoreFunction = "winnow:ignore-function"
)

// AddSource reads the suppressions of a parsed file and of the user's headers
// that it includes. Headers that several files include are read once.
func (s *Scope) AddSource(source *csource.File) error {
	for _, c := range source.Comments() {
		if !strings.HasPrefix(c.Text, ignoreLine) {
			continue
		}
		suppression, err := parseSuppression(c)
		if err != nil {
			return exit.New(exit.Input, fmt.Errorf("%s:%d: %w", c.Start.File, c.Start.Line, err),
				"write /* winnow:ignore REASON */, /* winnow:ignore[operator, …] REASON */ or /* winnow:ignore-function REASON */")
		}
		known := slices.ContainsFunc(s.suppressions, func(other *Suppression) bool {
			return other.File == suppression.File && other.Line == suppression.Line && other.Function == suppression.Function
		})
		if !known {
			s.suppressions = append(s.suppressions, suppression)
		}
	}
	return nil
}

func parseSuppression(c csource.Comment) (*Suppression, error) {
	out := &Suppression{File: c.Start.File, Line: c.Start.Line, codeFile: cleanPath(c.File), codeLine: c.Line}
	rest, wholeFunction := strings.CutPrefix(c.Text, ignoreFunction)
	if !wholeFunction {
		rest = strings.TrimPrefix(c.Text, ignoreLine)
	}
	if list, after, ok := strings.Cut(rest, "]"); ok && strings.HasPrefix(list, "[") {
		for _, name := range strings.Split(list[1:], ",") {
			if name = strings.TrimSpace(name); name == "" {
				return nil, fmt.Errorf("%q names an empty operator", rest)
			}
			out.Operators = append(out.Operators, name)
		}
		rest = after
	} else if rest != "" && !strings.ContainsAny(rest[:1], " \t\r\n:") {
		return nil, fmt.Errorf("%q is no suppression", c.Text)
	}
	out.Reason = strings.Join(strings.Fields(strings.TrimPrefix(rest, ":")), " ")
	switch {
	case out.Reason == "":
		return nil, fmt.Errorf("%q gives no reason", c.Text)
	case wholeFunction && c.Heads == nil:
		return nil, fmt.Errorf("%q stands at no function: put it directly before one", c.Text)
	case !wholeFunction && c.Line == 0:
		return nil, fmt.Errorf("%q stands at no code", c.Text)
	}
	if wholeFunction {
		out.Function, out.codeLine = c.Heads.Name, 0
	}
	return out, nil
}

// covers reports whether the suppression is for a mutant in a file of the
// given clean path.
func (s *Suppression) covers(m *mutant.Mutant, file string) bool {
	place := s.codeLine == m.Line && s.Function == "" || s.Function != "" && s.Function == m.Function
	if !place || !samePath(s.codeFile, file) {
		return false
	}
	return s.Operators == nil || slices.ContainsFunc(s.Operators, func(name string) bool {
		return name == m.Operator || name == m.Type() || name == m.Rule && name != ""
	})
}

// samePath reports whether two clean paths name one file, of which debug
// information may have another part than the parser.
func samePath(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}
