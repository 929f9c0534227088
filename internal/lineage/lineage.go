// Package lineage asks git how old each line of a file is, and how many commits
// changed it.
//
// It reads the file's history once, newest commit first, as diffs without
// context, and carries the lines of today back through them: a line that a hunk
// rewrote had a line in its place before, the k-th of the hunk's old lines for the
// k-th of its new ones, as far as there are as many; one that was added had none.
// Merges count as one commit, the files' renames are followed.
//
// Ages are counted up to the newest commit and not up to now, so that they are
// the same until somebody commits. Lines that are not committed have age 0.
package lineage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// MaxCommits bounds how far back a file's history is read. Lines that no commit
// among these changed are as old as the oldest.
const MaxCommits = 1000

// maxLines is more than a source file has.
const maxLines = 10_000_000

// ErrNone: no git, no repository around the file, or no commit with the file.
var ErrNone = errors.New("git knows nothing of the file")

// File is what git knows of the lines of a file as it is on disk.
type File struct {
	newest, oldest int64 // of the commits, in seconds since 1970
	changed        []int64
	commits        []int
}

// Line returns the days from the last change of a line, counted from 1, to the
// newest commit, and how many commits changed it; ok is false for lines that the
// file does not have.
func (f *File) Line(line int) (days, commits float64, ok bool) {
	if line < 1 || line >= len(f.changed) {
		return 0, 0, false
	}
	when := f.changed[line]
	if when == 0 { // no commit that was read changed it
		when = f.oldest
	}
	return float64(max(0, f.newest-when)) / 86400, float64(f.commits[line]), true
}

// Read reads the history of a file with so many lines. The error wraps ErrNone
// where there is no history.
func Read(ctx context.Context, path string, lines int) (*File, error) {
	folder, name := filepath.Split(path)
	head, err := git(ctx, folder, "log", "-1", "--format=%ct", "--", name)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrNone)
	}
	head, err = git(ctx, folder, "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	f := &File{changed: make([]int64, lines+1), commits: make([]int, lines+1)}
	if f.newest, err = strconv.ParseInt(strings.TrimSpace(string(head)), 10, 64); err != nil {
		return nil, fmt.Errorf("reading git's time of %s: %w", path, err)
	}
	// The user's configuration must not change the form of the diffs.
	form := []string{"-U0", "--no-color", "--no-ext-diff", "--no-textconv"}
	uncommitted, err := git(ctx, folder, append(append([]string{"diff"}, form...), "HEAD", "--", name)...)
	if err != nil {
		return nil, err
	}
	log, err := git(ctx, folder, append(append([]string{"log", "--follow", "--first-parent", "-m", "-p", "-M",
		"--max-count=" + strconv.Itoa(MaxCommits), "--format=%x00%ct"}, form...), "--", name)...)
	if err != nil {
		return nil, err
	}
	return f, f.walk(io.MultiReader(strings.NewReader(fmt.Sprintf("\x00%d\n", f.newest)), bytes.NewReader(uncommitted), strings.NewReader("\n"), bytes.NewReader(log)))
}

// hunk is a change from old lines to new ones, both counted from 1.
type hunk struct{ oldAt, oldLines, newAt, newLines int }

// walk carries the lines back through the diffs of a log.
func (f *File) walk(log io.Reader) error {
	now := make([]int, len(f.changed)) // today's line, by line of the version in hand; 0 is none
	for i := range now {
		now[i] = i
	}
	var when int64
	var hunks []hunk
	r := bufio.NewReader(log)
	for {
		line, err := r.ReadString('\n')
		if text, ok := strings.CutPrefix(line, "\x00"); ok || err != nil {
			now = f.back(now, hunks, when)
			hunks = hunks[:0]
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("reading git's log: %w", err)
			}
			if when, err = strconv.ParseInt(strings.TrimSpace(text), 10, 64); err != nil {
				return fmt.Errorf("reading git's log: %w", err)
			}
			f.oldest = when
			continue
		}
		if strings.HasPrefix(line, "@@ -") {
			h, err := parseHunk(line)
			if err != nil {
				return err
			}
			hunks = append(hunks, h)
		}
	}
}

// parseHunk reads "@@ -3,2 +4 @@": a count that is left out is 1.
func parseHunk(line string) (hunk, error) {
	fields := strings.Fields(line)
	var h hunk
	if len(fields) < 4 {
		return h, fmt.Errorf("reading git's log: no hunk: %q", line)
	}
	for k, to := range [][2]*int{{&h.oldAt, &h.oldLines}, {&h.newAt, &h.newLines}} {
		at, count, counted := strings.Cut(fields[k+1][1:], ",")
		var errs [2]error
		*to[0], errs[0] = strconv.Atoi(at)
		*to[1] = 1
		if counted {
			*to[1], errs[1] = strconv.Atoi(count)
		}
		if err := errors.Join(errs[:]...); err != nil {
			return h, fmt.Errorf("reading git's log: %q: %w", line, err)
		}
		if *to[0] < 0 || *to[1] < 0 || *to[1] > maxLines {
			return h, fmt.Errorf("reading git's log: no hunk: %q", line)
		}
	}
	return h, nil
}

// back notes a commit's changes and returns the lines of the version before it.
func (f *File) back(now []int, hunks []hunk, when int64) []int {
	old := now[:1:1]
	at := 1 // in now
	for _, h := range hunks {
		from := h.newAt // where no line is new, newAt is the line before
		if h.newLines == 0 {
			from++
		}
		for ; at < from && at < len(now); at++ {
			old = append(old, now[at])
		}
		rewritten := len(old)
		for range h.oldLines {
			old = append(old, 0)
		}
		for k := 0; k < h.newLines && at < len(now); k, at = k+1, at+1 {
			today := now[at]
			if today == 0 {
				continue
			}
			f.commits[today]++
			if f.changed[today] == 0 {
				f.changed[today] = when
			}
			if k < h.oldLines {
				old[rewritten+k] = today
			}
		}
	}
	return append(old, now[min(at, len(now)):]...)
}

// git runs git in a folder and returns what it prints.
func git(ctx context.Context, folder string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = folder
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("%w: git %s: %w: %s", ErrNone, args[0], err, said)
	}
	return stdout.Bytes(), nil
}
