package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// byTool is how generators sign the first lines of what they write.
	byTool = regexp.MustCompile(`(?i)\b(?:made|generated|produced|created|output)\b[^\n]{0,20}?\b(?:by|from|using|with)\b[^\n]{0,20}?\b(bison|flex|lex|yacc|byacc|re2c|gperf|lemon|ragel|swig|protoc|antlr|vala|cython)\b`)
	yacc   = regexp.MustCompile(`(?m)^#define YYBYACC\b|^\s*static (?:const )?char yysccsid\[\]`)
	// edit is a warning that generators leave for people.
	edit = regexp.MustCompile(`(?i)\b(?:do not edit|auto(?:matically)?[ -]?generated)\b`)
)

// origin says where a source comes from that nobody of the project wrote: the build
// made it or changed it, a generator has signed it, or it is others' work.
func (s *session) origin(u *Unit) string {
	copied := s.capture.Path(u.Source)
	text, err := os.ReadFile(copied)
	if err != nil {
		return "" // made and removed again; nothing can be said
	}
	head := text[:min(len(text), 600)]
	by := ""
	switch m := byTool.FindSubmatch(head); {
	case m != nil:
		by = " by " + strings.ToLower(string(m[1]))
	case yacc.Match(text[:min(len(text), 4000)]):
		by = " by yacc"
	}
	if real, err := filepath.EvalSymlinks(copied); err == nil {
		copied = real // a link that the build made to a source
	}
	below, inside := InProject(s.capture.relative(copied))
	if original, err := os.ReadFile(filepath.Join(s.project, below)); !inside || err != nil {
		return "made by the build" + strings.Replace(by, " by ", " with ", 1)
	} else if !bytes.Equal(original, text) {
		return "made again by the build" + strings.Replace(by, " by ", " with ", 1)
	}
	switch {
	case by != "":
		return "generated" + by
	case edit.Match(head):
		return "generated, as its first lines say"
	}
	return s.capture.borrowed(u.Source)
}

// gnulibBase is how gnulib-tool says in m4/gnulib-comp.m4 where its sources are.
var gnulibBase = regexp.MustCompile(`(?m)^\s*gl_source_base='([^']+)'`)

// foreign are folders with what others wrote.
var foreign = regexp.MustCompile(`(?i)(^|/)(third[-_]?party|vendor|external|bundled|deps|subprojects|gnulib)/`)

// ownBuild are files that show that a folder is a project of its own.
var ownBuild = []string{"configure.ac", "configure.in", "configure"}

// borrowed says whose work a source is, "" if it is the project's own.
func (c *Capture) borrowed(source string) string {
	below, inside := InProject(source)
	if !inside {
		return ""
	}
	if m := foreign.FindStringSubmatch(below); m != nil {
		return "another project's, in " + m[2]
	}
	base := c.Path(c.System.Folder)
	if m := gnulibBase.FindStringSubmatch(readText(filepath.Join(base, "m4", "gnulib-comp.m4"))); m != nil {
		if strings.HasPrefix(c.Path(source), filepath.Join(base, m[1])+"/") {
			return "a copy from gnulib"
		}
	}
	for dir := filepath.Dir(c.Path(source)); strings.HasPrefix(dir, base+"/"); dir = filepath.Dir(dir) {
		for _, file := range ownBuild {
			if exists(filepath.Join(dir, file)) {
				return "of a project of its own, with a configure in " + c.relative(dir)
			}
		}
	}
	return ""
}
