package capture

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// building are commands that make something or only prepare; a line with nothing
// else is no test.
var building = regexp.MustCompile(`^(.*/)?(([\w.-]+-)?(cc|gcc|clang|c\+\+|g\+\+|clang\+\+|ld|ar|ranlib|strip|objcopy|libtool|make|gmake|cmake|ninja)(-[0-9.]+)?|` +
	`echo|printf|cd|mkdir|rm|rmdir|cp|mv|ln|touch|chmod|install|sleep|true|false|:|test|\[|set|export|unset|exit|break|continue|read|` +
	`for|case|esac|in|done|fi|sed|date|pwd|cat|ls|kill|trap|umask|shift|return|dirname|basename|uname|which|list|\}|\*)$`)

// internal are targets of automake and CMake that only lead to others. check is none of
// them: where it has lines of its own, and not make alone, the project wrote it.
var internal = regexp.MustCompile(`^(check-am|check-TESTS|check-recursive|check-build|.*-recursive|all|all-am|.*\.(log|trs|o|lo|la|a|so)|am--.*|recheck|cmake_.*|.*/depend)$`)

// recipeOf is the text of a line of a recipe.
func recipeOf(e *note.Entry) string { return e.Argv[len(e.Argv)-1] }

// lastLinesOf returns, in the order of their beginning, the lines of recipes that lead
// to no other lines. In makefiles of automake those of its own targets are left out.
func lastLinesOf(entries []note.Entry, automake bool) []*note.Entry {
	leads := map[string]bool{}
	for _, e := range entries {
		if e.Kind == note.Line || e.Kind == note.Test {
			leads[e.Under] = true
		}
	}
	var out []*note.Entry
	for i := range entries {
		e := &entries[i]
		if e.Kind == note.Line && !leads[e.ID] && !(automake && internal.MatchString(e.Target)) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *note.Entry) int { return cmp.Compare(a.Began, b.Began) })
	return out
}

// libtoolBuilds is libtool that runs nothing of the project, whatever shell runs it.
var libtoolBuilds = regexp.MustCompile(`libtool\b.*--mode=(clean|compile|finish|install|link|uninstall)\b`)

// tests says whether a line runs more than tools.
func tests(e *note.Entry) bool {
	return !libtoolBuilds.MatchString(recipeOf(e)) && slices.ContainsFunc(commandsOf(recipeOf(e)), func(name string) bool { return !building.MatchString(name) })
}

// recipe are the lines of one target, one after the other.
type recipe struct {
	target string
	lines  []*note.Entry
}

// fromLines makes tests of the lines of recipes. The lines of one target belong
// together where one writes a file that another names; else each is a test, unless
// it only prepares.
func (s *session) fromLines(lines []*note.Entry) {
	for _, e := range lines {
		last := len(s.recipes) - 1
		if last >= 0 && s.recipes[last].target == e.Target && s.recipes[last].lines[0].Dir == e.Dir {
			s.recipes[last].lines = append(s.recipes[last].lines, e)
			continue
		}
		s.recipes = append(s.recipes, recipe{e.Target, []*note.Entry{e}})
	}
	s.recipes = slices.DeleteFunc(s.recipes, func(r recipe) bool { return !slices.ContainsFunc(r.lines, tests) })
	for i, r := range s.recipes {
		parts := slices.DeleteFunc(s.parts(r.lines), func(part []*note.Entry) bool { return !slices.ContainsFunc(part, tests) })
		made := make([]Test, len(parts))
		for j, part := range parts {
			made[j] = s.lineTest(r.target, part)
			made[j].group = i + 1
		}
		nameByProgram(made)
		s.tests = append(s.tests, made...)
	}
	distinct(s.tests)
}

// nameByProgram names the tests of a recipe by the programs that they run, where each
// is just that, of another.
func nameByProgram(tests []Test) {
	names := map[string]bool{}
	for _, t := range tests {
		names[filepath.Base(t.Argv[0])] = true
	}
	if len(tests) < 2 || len(names) != len(tests) {
		return
	}
	for i := range tests {
		tests[i].Name = filepath.Base(tests[i].Argv[0])
	}
}

// parts groups lines that share a file that one of them writes.
func (s *session) parts(lines []*note.Entry) [][]*note.Entry {
	group := make([]int, len(lines))
	for i := range lines {
		group[i] = i
		for j := range i {
			if s.share(lines[j], lines[i]) {
				for k, g := range group {
					if g == group[i] {
						group[k] = group[j]
					}
				}
			}
		}
	}
	var out [][]*note.Entry
	at := map[int]int{}
	for i, e := range lines {
		if _, ok := at[group[i]]; !ok {
			at[group[i]] = len(out)
			out = append(out, nil)
		}
		out[at[group[i]]] = append(out[at[group[i]]], e)
	}
	return out
}

// writers are commands whose arguments are files that they make. What rm removes ties
// nothing together: it is often everything at once.
var writers = regexp.MustCompile(`^(cp|mv|ln|touch|tee|mkdir|install)$`)

// share says whether two lines name a file that one of them writes.
func (s *session) share(a, b *note.Entry) bool {
	written := map[string]bool{}
	s.eachFile(a, func(path string, writes bool) { written[path] = written[path] || writes })
	shared := false
	s.eachFile(b, func(path string, writes bool) {
		wrote, named := written[path]
		shared = shared || named && (wrote || writes)
	})
	return shared
}

// eachFile calls f with what a line may name as a file, and whether it writes that.
func (s *session) eachFile(e *note.Entry, f func(path string, writes bool)) {
	command := ""
	for _, w := range shellWords(recipeOf(e)) {
		if w.first {
			command = w.text
		}
		path := inFolder(e.Dir, w.text)
		if w.first || command == "rm" || strings.HasPrefix(w.text, "-") || strings.HasPrefix(path, "/dev/") {
			continue
		}
		f(path, w.into || writers.MatchString(command) && !exists(path) || s.isNew(path))
	}
}

// isNew says whether a file is there that was not before the tests were run.
func (s *session) isNew(path string) bool {
	return !s.before[path] && exists(path) && strings.HasPrefix(path, s.capture.Work)
}

// left are files that lines name and that their run has left.
func (s *session) left() []string {
	var out []string
	for _, r := range s.recipes {
		for _, e := range r.lines {
			for _, w := range shellWords(recipeOf(e)) {
				if path := inFolder(e.Dir, w.text); s.isNew(path) && s.capture.Product(s.capture.relative(path)) == nil {
					out = append(out, path)
				}
			}
		}
	}
	return out
}

// plainWord is what no shell has to look at.
var plainWord = regexp.MustCompile(`^[\w./,:@%+-]+$`)

// lineTest makes a test of lines of a recipe, under the name of the target.
func (s *session) lineTest(target string, lines []*note.Entry) Test {
	e := lines[0]
	t := Test{Name: path.Base(filepath.ToSlash(target)), From: "make", Dir: s.capture.relative(e.Dir), Env: e.Env}
	words, err := splitWords(recipeOf(e))
	simple := err == nil && !slices.ContainsFunc(words, func(w string) bool { return !plainWord.MatchString(w) }) &&
		!strings.ContainsAny(recipeOf(e), "'\"\\")
	switch {
	case len(lines) == 1 && simple && len(words) > 0:
		t.Argv = words
	case len(lines) == 1:
		t.Argv = e.Argv
	default:
		t.Argv = []string{e.Argv[0], "-c", script(lines)}
	}
	return s.finish(t)
}

// script runs lines as make does, each in a shell of its own. One whose failure was
// ignored once is not heeded again.
func script(lines []*note.Entry) string {
	var b strings.Builder
	for i, e := range lines {
		for j, word := range e.Argv {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quoteWord(word))
		}
		if e.Status == 0 || i == len(lines)-1 {
			b.WriteString(" || exit")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func quoteWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// merged makes one test of a recipe that could not be parted.
func (s *session) merged(group int) Test {
	r := s.recipes[group-1]
	t := s.lineTest(r.target, r.lines)
	t.group = group
	return t
}
