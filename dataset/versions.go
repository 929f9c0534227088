package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix"
)

// A history that grows holds the versions of a subject beside each other, in folders v1, v2
// and so on below one of the subject's name. What is learnt from is the last of each: an
// earlier one says the same of most mutants, and less of those that tests have killed
// since.

var versionFolder = regexp.MustCompile(`^v([1-9][0-9]{0,8})$`)

// Version is the number of the run among those of its subject; 0 where it is not one of
// several.
func (r *Run) Version() int {
	found := versionFolder.FindStringSubmatch(filepath.Base(r.Dir))
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return n
}

// keepLast takes those out of the runs that have a later version beside them.
func (h *History) keepLast() {
	last := map[[2]string]int{}
	of := func(r *Run) [2]string { return [2]string{filepath.Dir(r.Dir), r.Manifest.Name()} }
	for _, r := range slices.Concat(h.Runs, h.Fixed) {
		last[of(&r)] = max(last[of(&r)], r.Version())
	}
	older := func(r Run) bool {
		is := r.Version() > 0 && r.Version() < last[of(&r)]
		if is {
			h.Older = append(h.Older, r)
		}
		return is
	}
	h.Runs, h.Fixed = slices.DeleteFunc(h.Runs, older), slices.DeleteFunc(h.Fixed, older)
	for i := range h.Runs {
		for k := range h.Older {
			if of(&h.Older[k]) == of(&h.Runs[i]) {
				h.Runs[i].earlier = append(h.Runs[i].earlier, h.Older[k])
			}
		}
	}
	slices.SortFunc(h.Older, func(a, b Run) int {
		return cmp.Or(strings.Compare(filepath.Dir(a.Path), filepath.Dir(b.Path)), cmp.Compare(a.Version(), b.Version()))
	})
}

// lived notes the mutants that an earlier version's tests let live, and none of its tests is not
// known to.
func (r *Run) lived(s *Subject) error {
	for i := range r.earlier {
		if !r.earlier[i].Has(KillsFile) {
			continue
		}
		before, err := r.earlier[i].Load(KillsFile)
		if err != nil {
			return err
		}
		if s.Lived == nil {
			s.Lived = map[string]bool{}
		}
		for m, id := range before.Kills.Mutants() {
			if before.Kills.Verdict(m) == matrix.Survived {
				s.Lived[id] = true
			}
		}
	}
	return nil
}

// Added is what Add did with a run.
type Added struct {
	Subject string `json:"subject"`
	Path    string `json:"path"` // below the history
	Version int    `json:"version"`
	// Known says that the last version has the same data, so that nothing was added.
	Known bool `json:"known,omitempty"`
	// Since is what became of the mutants of the version before; nil of a first one.
	Since *Since `json:"since,omitempty"`
}

// Since compares the mutants of two versions of a subject; those in code that is the same
// have the same ids.
type Since struct {
	// Killed lived, and a test of the later version kills them: the earlier suite lacked
	// it, and they are what a model of survivors learns most from. Living were killed.
	Killed int `json:"killed"`
	Living int `json:"living"`
	// Changed lived in code that the later version has not got any more, New are its own.
	Changed int `json:"changed"`
	New     int `json:"new"`
}

// Add copies a finished run into a history as the next version of its subject, whole or
// not at all. What it holds is verified first, and its features must have the columns of
// those that are there.
func Add(ctx context.Context, history string, run *Run) (*Added, error) {
	s, err := run.Load()
	if err != nil {
		return nil, err
	}
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	out := &Added{Subject: run.Manifest.Name(), Version: 1}
	before, last, err := lastOf(history, &run.Manifest)
	if err != nil {
		return nil, err
	}
	folder := freeFolder(filepath.Join(history, nameOf(&run.Manifest)))
	if last != nil {
		out.Version, folder = last.Version()+1, filepath.Dir(last.Dir)
		if last.Version() == 0 {
			return nil, fmt.Errorf("%s holds %s in %s, which is no version: move it to %s/v1 first", history, out.Subject, last.Path, last.Path)
		}
		if sameData(last, run) {
			out.Path, out.Version, out.Known = last.Path, last.Version(), true
			return out, nil
		}
		if out.Since, err = since(last, s); err != nil {
			return nil, err
		}
	}
	if before != nil {
		together := &History{Runs: append(slices.Clone(before.Runs), *run)}
		together.Runs = slices.DeleteFunc(together.Runs, func(r Run) bool { return last != nil && r.Dir == last.Dir })
		if err := together.check(); err != nil {
			return nil, err
		}
	}
	to := filepath.Join(folder, fmt.Sprintf("v%d", out.Version))
	if err := addRun(ctx, run, history, to); err != nil {
		return nil, err
	}
	out.Path = below(history, to)
	return out, nil
}

// lastOf opens a history, nil where there is none yet, and finds the last version of a
// subject.
func lastOf(dir string, m *Manifest) (*History, *Run, error) {
	if !paths.Exist(dir) {
		return nil, nil, nil
	}
	h, err := OpenHistory(dir)
	if errors.Is(err, ErrEmpty) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, runs := range [][]Run{h.Runs, h.Fixed} {
		for i := range runs {
			if runs[i].Manifest.Name() == m.Name() {
				return h, &runs[i], nil
			}
		}
	}
	return h, nil, nil
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// nameOf is a subject's name as a folder's.
func nameOf(m *Manifest) string {
	name := unsafeName.ReplaceAllString(m.Name(), "-")
	if strings.Trim(name, ".") == "" {
		return "subject" + name
	}
	return name
}

// freeFolder is the folder, or one beside it where that is another subject's already: p/f and
// p-f would have the same.
func freeFolder(folder string) string {
	out := folder
	for n := 2; paths.Exist(out); n++ {
		out = fmt.Sprintf("%s.%d", folder, n)
	}
	return out
}

// sameData says that two runs have the same tables, but for what is there for people.
func sameData(a, b *Run) bool {
	for _, name := range tableFiles {
		if !slices.Contains(readingFiles, name) && a.Manifest.Files[name] != b.Manifest.Files[name] {
			return false
		}
	}
	return true
}

// since compares the kills of the last version with those of the next.
func since(last *Run, next *Subject) (*Since, error) {
	if !last.Has(KillsFile) || next.Kills == nil {
		return nil, nil
	}
	before, err := last.Load(KillsFile)
	if err != nil {
		return nil, err
	}
	was := make(map[string]matrix.Verdict, len(before.Kills.Mutants()))
	for m, id := range before.Kills.Mutants() {
		was[id] = before.Kills.Verdict(m)
	}
	out := &Since{}
	for m, id := range next.Kills.Mutants() {
		old, known := was[id]
		switch is := next.Kills.Verdict(m); {
		case !known:
			out.New++
		case old == matrix.Survived && is == matrix.Killed:
			out.Killed++
		case old == matrix.Killed && is == matrix.Survived:
			out.Living++
		}
		delete(was, id)
	}
	for _, old := range was {
		if old == matrix.Survived {
			out.Changed++
		}
	}
	return out, nil
}

// addRun puts a copy of a run to a folder below a history, which is held. The folders that
// there are not yet appear together, by one renaming: whoever looks at the history, at whatever
// moment the process ended, sees it without the run or with it.
func addRun(ctx context.Context, run *Run, history, to string) error {
	first := to
	for first != history && !paths.Exist(filepath.Dir(first)) {
		first = filepath.Dir(first)
	}
	if err := output.ClearUp(first); err != nil {
		return err
	}
	draft, err := output.NewDraft(first)
	if err != nil {
		return err
	}
	defer draft.Discard()
	within, err := filepath.Rel(first, to)
	if err != nil {
		return fmt.Errorf("adding to the history: %w", err)
	}
	if err := copyRun(ctx, run, filepath.Join(draft.Folder, within)); err != nil {
		return err
	}
	return draft.Commit()
}

// copyRun copies what the manifest describes and the feedback, the manifest last.
func copyRun(ctx context.Context, run *Run, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("adding to the history: %w", err)
	}
	var files []string
	for _, name := range tableFiles {
		if run.Has(name) {
			files = append(files, name)
		}
	}
	if paths.Exist(filepath.Join(run.Dir, FeedbackFile)) {
		files = append(files, FeedbackFile)
	}
	for _, name := range append(files, ManifestFile) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(run.Dir, name), filepath.Join(to, name)); err != nil {
			return fmt.Errorf("adding %s to the history: %w", run.Manifest.Name(), err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
