package execute

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/internal/scratch"
)

// errNoFiles is what a machine cannot do that Options.Writable needs.
var errNoFiles = errors.New("runs may write files only where the kernel keeps them in their folder: this needs a Linux (5.13 or later) with Landlock switched on, " +
	"and the system call filter; without them, leave files out of the tests")

// private says that the runs of each worker have a folder of their own.
func (e *Engine) private() bool {
	for i := range e.tests {
		if len(e.tests[i].Files) > 0 {
			return true
		}
	}
	return e.options.Writable
}

func (t Test) checkFiles(writable bool) error {
	for _, f := range t.Files {
		if !filepath.IsLocal(f.Name) || filepath.Clean(f.Name) == "." {
			return fmt.Errorf("its file %q does not lie in the run's folder", f.Name)
		}
		if f.Path == "" {
			continue
		}
		info, err := os.Stat(f.Path)
		if err != nil {
			return fmt.Errorf("looking at its file %s: %w", f.Name, err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("its file %s is not a regular file", f.Path)
		}
	}
	for _, name := range t.Outputs {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("its output %q does not lie in the run's folder", name)
		}
		if !writable {
			return fmt.Errorf("its output %q cannot be written: runs may not write files", name)
		}
	}
	return nil
}

// runFolder is the folder in which the runs of one worker take place.
type runFolder struct {
	confine confinement
	scratch *scratch.Folder // nil: it is a volume, which goes when it is closed
	open    *os.File
}

// page is what a file takes at the least, and what volumes are counted in.
const page = 4096

// volume is what a run may write and as much again, so that one that writes too much is
// seen to before it is refused, beside the files of a test.
func (e *Engine) volume() size {
	var files size
	for i := range e.tests {
		var here size
		for _, file := range e.tests[i].Files {
			here.bytes += int64(len(file.Text)) + page
			if info, err := os.Stat(file.Path); err == nil {
				here.bytes += info.Size()
			}
			here.files += 1 + int64(strings.Count(file.Name, "/"))
		}
		files.bytes, files.files = max(files.bytes, here.bytes), max(files.files, here.files)
	}
	pages := (2*e.options.OutputBytes + files.bytes + page - 1) / page
	return size{pages * page, 2*e.options.OutputBytes/page + files.files + 64}
}

func newRunFolder(e *Engine) (*runFolder, error) {
	if e.options.Writable {
		if volume, err := newVolume(e.volume()); err == nil {
			return &runFolder{confine: e.confine, open: volume}, e.confine.ownOpen(volume)
		}
		// The machine has none for us: what lies in the folder is counted.
	}
	c := e.confine
	work, err := scratch.New("run")
	if err != nil {
		return nil, err
	}
	f := &runFolder{confine: c, scratch: work}
	if f.open, err = os.Open(work.Path); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a folder for runs: %w", err), work.Remove())
	}
	if err := c.own(work.Path); err != nil {
		return nil, errors.Join(err, f.remove())
	}
	return f, nil
}

func (f *runFolder) path(name string) string {
	return filepath.Join(f.open.Name(), filepath.FromSlash(name))
}

func (f *runFolder) remove() error {
	err := f.open.Close()
	if f.scratch != nil {
		err = errors.Join(err, f.scratch.Remove())
	}
	return err
}

// fill empties the folder and puts a test's files there. Runs cannot make links,
// so that no name leads out of it.
func (f *runFolder) fill(files []File, contents [][]byte) error {
	entries, err := os.ReadDir(f.open.Name())
	if err != nil {
		return fmt.Errorf("emptying a run's folder: %w", err)
	}
	for _, entry := range entries {
		if err := os.RemoveAll(f.path(entry.Name())); err != nil {
			return fmt.Errorf("emptying a run's folder: %w", err)
		}
	}
	for i, file := range files {
		if err := f.put(file.Name, contents[i]); err != nil {
			return fmt.Errorf("putting %s into a run's folder: %w", file.Name, err)
		}
	}
	return nil
}

func (f *runFolder) put(name string, content []byte) error {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return err
	}
	for ; path != f.open.Name(); path = filepath.Dir(path) {
		if err := f.confine.own(path); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the names of the test's outputs in their plainest form, with slashes.
func (t Test) outputs() []string {
	names := make([]string, len(t.Outputs))
	for i, name := range t.Outputs {
		names[i] = filepath.ToSlash(filepath.Clean(name))
	}
	return names
}

// runInFolder makes the runs of a batch in the worker's folder: one by one, each
// in a folder as the first found it, where they write to it. Those of InProcess do
// not: they have the files in memory, and say themselves what became of them.
func (w *worker) runInFolder(b *batch) (done []observation, broken, fatal error) {
	test := &w.engine.tests[b.test]
	contents := make([][]byte, len(test.Files))
	for i, file := range test.Files {
		if contents[i], fatal = file.Read(); fatal != nil {
			return nil, nil, fmt.Errorf("reading a file of test %s: %w", test.Name, fatal)
		}
	}
	if !w.engine.options.Writable || b.tier.shared {
		if fatal = w.folder.fill(test.Files, contents); fatal == nil {
			done, broken = w.server.run(b)
		}
		return done, broken, fatal
	}
	for i := range b.selectors {
		if fatal = w.folder.fill(test.Files, contents); fatal != nil {
			return done, nil, fatal
		}
		single := *b
		single.selectors = b.selectors[i : i+1]
		seen, err := w.server.run(&single)
		if err != nil {
			return done, err, nil
		}
		if fatal = w.addOutputs(&seen[0].Outcome, test.outputs()); fatal != nil {
			return done, nil, fatal
		}
		done = append(done, seen[0])
	}
	return done, nil, nil
}

// addOutputs makes the files that a run was asked to write part of what it
// printed: its length is theirs too, and its hash (FNV-1a, as of the output) is
// of the output's length and hash and then of each file's name, a byte that says whether
// it is there, and its length and hash. What a limit ended has no behaviour but that. The
// runtime does the same of files in memory (runtime/output.c).
func (w *worker) addOutputs(o *Outcome, names []string) error {
	if len(names) == 0 || o.Cause == CauseFailed || o.Cause.Limit() && (o.Cause != CauseMemory || o.Status == noExit) {
		return nil
	}
	hash := fnv.New64a()
	number := func(n uint64) { _ = binary.Write(hash, binary.LittleEndian, n) } // a hash takes everything
	number(o.OutputLength)
	number(o.OutputHash)
	for _, name := range names {
		path := w.folder.path(name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			_, _ = fmt.Fprintf(hash, "%s\x00", name)
			continue
		}
		var text []byte
		if err == nil {
			text, err = os.ReadFile(path)
		}
		if err != nil {
			return fmt.Errorf("reading what a run wrote: %w", err)
		}
		if w.engine.options.Output == OutputTrimmed {
			text = TrimOutput(text)
		}
		_, _ = fmt.Fprintf(hash, "%s\x01", name)
		content := fnv.New64a()
		_, _ = content.Write(text)
		number(uint64(len(text)))
		number(content.Sum64())
		o.OutputLength += uint64(len(text))
	}
	o.OutputHash = hash.Sum64()
	return nil
}

// TrimOutput leaves out white space before line ends and at the end, as
// OutputTrimmed does. The text stays as it is.
func TrimOutput(text []byte) []byte {
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], " \t\r\v\f")
	}
	return bytes.TrimRight(bytes.Join(lines, []byte("\n")), "\n")
}
