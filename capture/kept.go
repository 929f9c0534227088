package capture

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/output"
)

// keptFile, in a work folder, is the capture that was made there, and keptOf says of
// what: the project as it was, and the options.
const (
	keptFile = "capture.json"
	keptOf   = "capture.of"
)

// BuildOnce is Build in a work folder that is named. Where a capture of the same project, with the
// same options, is there already, that is returned: as it is where nothing has changed since, and
// brought up to date where only some sources have (again.go).
func BuildOnce(ctx context.Context, folder string, opts Options) (*Capture, error) {
	now, err := identityOf(folder, opts)
	if err != nil {
		return nil, err
	}
	before, c, err := keptIn(opts.Work)
	if err != nil {
		return nil, err
	}
	of, err := json.Marshal(now)
	if err != nil {
		return nil, fmt.Errorf("identifying the project: %w", err)
	}
	if c != nil && reflect.DeepEqual(before, now) {
		c.Of = now.name()
		return c, nil
	}
	held, err := output.Hold(opts.Work)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	// From here on the folder is not what it was.
	if err := os.Remove(filepath.Join(opts.Work, keptOf)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("replacing an earlier build: %w", err)
	}
	err = anewError("there is no earlier build of it")
	if c != nil && before.sameBut(now) {
		err = buildAgain(ctx, folder, c, before.Files, now.Files, opts)
	}
	var anew anewError
	if errors.As(err, &anew) {
		c, err = Build(ctx, folder, opts)
	}
	if err != nil {
		return nil, err
	}
	c.Of = now.name()
	if err := c.Write(filepath.Join(c.Work, keptFile)); err != nil {
		return nil, err
	}
	return c, atomicfile.Write(filepath.Join(c.Work, keptOf), of)
}

// identity identifies a project and the options that decide what its build does.
type identity struct {
	Project, System            string
	Configure, Target, Exclude []string
	Tests                      []string `json:",omitempty"`
	Valgrind                   bool     `json:",omitempty"`
	Version                    int
	// Files are the project's by name, with size and time.
	Files map[string]string
}

// name is a short form of it.
func (m *identity) name() string {
	text, _ := json.Marshal(m) // of strings and numbers
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// sameBut says that the other is of the same project and options, whatever its files are.
func (m *identity) sameBut(other *identity) bool {
	one, two := *m, *other
	one.Files, two.Files = nil, nil
	return reflect.DeepEqual(one, two)
}

// keptIn is what a work folder holds, and what it is of; nil where it holds nothing that can be used.
func keptIn(work string) (*identity, *Capture, error) {
	text, err := os.ReadFile(filepath.Join(work, keptOf))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("looking for an earlier build: %w", err)
	}
	of := new(identity)
	if json.Unmarshal(text, of) != nil { // an earlier version's
		return nil, nil, nil
	}
	real, err := realFolder(work)
	if err != nil {
		return nil, nil, err
	}
	c, err := Read(filepath.Join(real, keptFile), real)
	if err != nil {
		return nil, nil, nil // what cannot be read is built again
	}
	return of, c, nil
}

// identityOf identifies a project as it is now.
func identityOf(folder string, opts Options) (*identity, error) {
	project, err := realFolder(folder)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(project, opts.Work)
	if err != nil {
		return nil, err
	}
	return &identity{project, opts.System, opts.Configure, opts.Target, opts.Exclude, opts.Tests, opts.Valgrind, Version, files}, nil
}

// ownFile says whether a file in a project is winnow's, or git's.
func ownFile(project, work, path string, d fs.DirEntry) bool {
	return path == work || d.Name() == ".git" || d.Name() == output.State || output.Beside(d.Name()) ||
		filepath.Dir(path) == project && (d.Name() == "winnow.toml" || d.Name() == "winnow-out")
}
