package scope

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Diff is the lines that a change touched, by file: those that it added or
// rewrote, and the two next to lines that it removed: a check that was taken away
// shows in what it guarded.
type Diff struct {
	Files []DiffFile
}

// DiffFile is one file of a diff as it is after the change.
type DiffFile struct {
	// Name is the file's path without git's prefix; "" for a deleted file.
	Name string
	// Lines are the touched lines, ascending and distinct.
	Lines []int

	path string // where the file was found, absolute; "" when it was not
}

// DiffError says where a text is no unified diff.
type DiffError struct {
	Line   int // of the diff, from 1
	Detail string
}

func (e *DiffError) Error() string { return fmt.Sprintf("line %d of the diff: %s", e.Line, e.Detail) }

// Touches reports whether the change touched a line of a file.
func (d *Diff) Touches(file string, line int) bool {
	return slices.ContainsFunc(d.Files, func(f DiffFile) bool {
		_, found := slices.BinarySearch(f.Lines, line)
		return found && f.is(file)
	})
}

// Changes reports whether the change touched any line of a file.
func (d *Diff) Changes(file string) bool {
	return slices.ContainsFunc(d.Files, func(f DiffFile) bool { return len(f.Lines) > 0 && f.is(file) })
}

// is reports whether a path is the file's.
func (f *DiffFile) is(path string) bool {
	if f.path == "" {
		return samePath(f.Name, path)
	}
	full, err := filepath.Abs(path)
	return err == nil && f.path == filepath.ToSlash(full)
}

// locate finds the files on disk: below the folder or one that holds it. Names
// of a diff are relative to the top of a repository, which may be either.
func (d *Diff) locate(folder string) {
	start, err := filepath.Abs(folder)
	if err != nil {
		return // names are compared as they are
	}
	for i := range d.Files {
		f := &d.Files[i]
		for dir := start; f.Name != "" && f.path == ""; dir = filepath.Dir(dir) {
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			if filepath.IsAbs(f.Name) {
				path = f.Name
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				f.path = filepath.ToSlash(path)
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
}

// summary lists what the change touches, for messages.
func (d *Diff) summary() []string {
	var out []string
	for _, f := range d.Files {
		if f.Name != "" && len(f.Lines) > 0 {
			out = append(out, fmt.Sprintf("%d lines of %s", len(f.Lines), f.Name))
		}
	}
	if out == nil {
		out = []string{"no line at all"}
	}
	return out
}

// diffParser reads a unified diff line by line.
type diffParser struct {
	lines [][]byte
	at    int
	out   Diff
	git   bool // below a "diff --git" header
	file  *DiffFile
}

// ParseDiff parses a unified diff as diff -u and git write it: git's prefixes,
// extended headers, renames, deletions, quoted names, and the note on a missing
// newline. Text before and between files, such as a commit message, is passed
// over; within a file the counts of every hunk must be right.
func ParseDiff(text []byte) (*Diff, error) {
	p := &diffParser{lines: bytes.Split(text, []byte("\n"))}
	if n := len(p.lines); len(p.lines[n-1]) == 0 {
		p.lines = p.lines[:n-1]
	}
	for p.at < len(p.lines) {
		if err := p.step(); err != nil {
			return nil, &DiffError{Line: min(p.at, len(p.lines)-1) + 1, Detail: err.Error()}
		}
	}
	if len(p.out.Files) == 0 && !p.git && len(bytes.TrimSpace(text)) > 0 {
		return nil, &DiffError{Line: 1, Detail: "no file of a unified diff; make one with diff -u or git diff"}
	}
	return &p.out, nil
}

func (p *diffParser) line() []byte { return bytes.TrimSuffix(p.lines[p.at], []byte("\r")) }

func (p *diffParser) step() error {
	line := p.line()
	switch {
	case bytes.HasPrefix(line, []byte("diff --git ")):
		p.git, p.file = true, nil
	case bytes.HasPrefix(line, []byte("diff --cc ")) || bytes.HasPrefix(line, []byte("diff --combined ")) || bytes.HasPrefix(line, []byte("@@@ ")):
		return errors.New("this is the combined diff of a merge; compare with one parent")
	case bytes.HasPrefix(line, []byte("--- ")) && p.at+1 < len(p.lines) && bytes.HasPrefix(p.lines[p.at+1], []byte("+++ ")):
		return p.header()
	case bytes.HasPrefix(line, []byte("--- ")) && p.git:
		return errors.New("--- without +++")
	case bytes.HasPrefix(line, []byte("@@ ")):
		return p.hunk()
	}
	p.at++
	return nil
}

func (p *diffParser) header() error {
	p.at++
	name, err := diffName(string(p.line()[len("+++ "):]))
	if err != nil {
		return err
	}
	p.at++
	p.out.Files = append(p.out.Files, DiffFile{Name: name})
	p.file = &p.out.Files[len(p.out.Files)-1]
	return nil
}

// prefixes are what git puts before names: a and b, or, with
// diff.mnemonicPrefix, the initials of what is compared.
var prefixes = []string{"a/", "b/", "c/", "i/", "o/", "w/"}

// diffName reads the name of a header line: quoted as in C, or up to the tab
// before a date.
func diffName(text string) (string, error) {
	name := text
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err == nil {
			name, err = strconv.Unquote(quoted)
		}
		if err != nil {
			return "", fmt.Errorf("%s is no quoted name", text)
		}
	} else {
		name, _, _ = strings.Cut(name, "\t")
	}
	if name == "" {
		return "", errors.New("a file without a name")
	}
	if name == "/dev/null" {
		return "", nil
	}
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name = rest
			break
		}
	}
	return cleanPath(name), nil
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// hunk reads one hunk: its header and exactly the lines that it announces.
func (p *diffParser) hunk() error {
	if p.file == nil {
		return errors.New("a hunk before the --- and +++ of its file")
	}
	m := hunkHeader.FindSubmatch(p.line())
	if m == nil {
		return errors.New("malformed hunk header; want @@ -1,2 +3,4 @@")
	}
	count := func(group []byte) int {
		if group == nil {
			return 1
		}
		return number(group)
	}
	oldLeft, next, newLeft := count(m[2]), number(m[3]), count(m[4])
	if newLeft == 0 {
		next++ // an empty range is named by the line before it
	}
	removed, added := false, false // of the lines since the last that the change kept
	closeGap := func() {
		if removed && !added && p.file.Name != "" {
			p.file.Lines = append(p.file.Lines, max(1, next-1), next)
		}
		removed, added = false, false
	}
	for p.at++; oldLeft > 0 || newLeft > 0; p.at++ {
		if p.at >= len(p.lines) {
			return fmt.Errorf("the diff ends within a hunk: %d old and %d new lines are missing", oldLeft, newLeft)
		}
		mark := byte(' ') // some mailers cut the blank of an empty line
		if line := p.line(); len(line) > 0 {
			mark = line[0]
		}
		switch mark {
		case ' ':
			closeGap()
			oldLeft, newLeft, next = oldLeft-1, newLeft-1, next+1
		case '-':
			oldLeft--
			removed = true
		case '+':
			added = true
			if p.file.Name != "" {
				p.file.Lines = append(p.file.Lines, next)
			}
			newLeft, next = newLeft-1, next+1
		case '\\':
		default:
			return fmt.Errorf("%q in a hunk: want a line that begins with a blank, +, - or \\", p.line())
		}
		if oldLeft < 0 || newLeft < 0 {
			return errors.New("the hunk has other lines than its header announces")
		}
	}
	closeGap()
	slices.Sort(p.file.Lines)
	p.file.Lines = slices.Compact(p.file.Lines)
	return nil
}

// number converts digits that hunkHeader matched: at most nine.
func number(digits []byte) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}
