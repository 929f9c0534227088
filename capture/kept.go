package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/output"
)

// keptFile, in a work folder, is the capture that was made there, and keptOf says of
// what: the project as it was, and the options.
const (
	keptFile = "capture.json"
	keptOf   = "capture.of"
)

// BuildOnce is Build in a work folder that is named: where a capture of the same
// project, unchanged since, with the same options, is there already, that is returned.
func BuildOnce(ctx context.Context, folder string, opts Options) (*Capture, error) {
	of, err := madeOf(folder, opts)
	if err != nil {
		return nil, err
	}
	before, err := os.ReadFile(filepath.Join(opts.Work, keptOf))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for an earlier build: %w", err)
	}
	if err == nil && bytes.Equal(before, of) {
		work, err := realFolder(opts.Work)
		if err != nil {
			return nil, err
		}
		if c, err := Read(filepath.Join(work, keptFile), work); err == nil {
			c.Of = string(of)
			return c, nil
		}
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
	c, err := Build(ctx, folder, opts)
	if err != nil {
		return nil, err
	}
	c.Of = string(of)
	if err := c.Write(filepath.Join(c.Work, keptFile)); err != nil {
		return nil, err
	}
	return c, atomicfile.Write(filepath.Join(c.Work, keptOf), of)
}

// madeOf identifies a project and the options that decide what its build does.
func madeOf(folder string, opts Options) ([]byte, error) {
	project, err := realFolder(folder)
	if err != nil {
		return nil, err
	}
	print, err := sourcesOf(project, opts.Work)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Project, Fingerprint, System string
		Configure, Target, Exclude   []string
		Tests                        []string `json:",omitempty"`
		Version                      int
	}{project, print, opts.System, opts.Configure, opts.Target, opts.Exclude, opts.Tests, Version})
}

// sourcesOf identifies a project's files by name, size and time, but for what winnow
// itself writes there.
func sourcesOf(project, work string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == work || d.Name() == ".git" || d.Name() == output.State || output.Beside(d.Name()) || filepath.Dir(path) == project && (d.Name() == "winnow.toml" || d.Name() == "winnow-out") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		return err
	})
	if err != nil {
		return "", fmt.Errorf("looking at the project's files: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
