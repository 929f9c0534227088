package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/foreign"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// ForeignOptions choose what is taken over of another tool's report.
type ForeignOptions struct {
	// Program is the program's name.
	Program string
	// Folder is where the sources are; "" takes them from the report alone.
	Folder string
	// Match finds winnow's own mutants of the project at Folder that make the same changes, and
	// keeps those alone, with their ids and features.
	Match    bool
	Mutation program.Mutation
	Tool     string
}

// ForeignSummary says what was taken over.
type ForeignSummary struct {
	From    string `json:"from"`
	Program string `json:"program"`
	Path    string `json:"path"`
	Mutants int    `json:"mutants"`
	Tests   int    `json:"tests"`
	Killed  int    `json:"killed"`
	// Survived and Unknown count mutants, LeftOut those that the tool did not run.
	Survived int `json:"survived"`
	Unknown  int `json:"unknown"`
	LeftOut  int `json:"left_out"`
	// Suite says that of some mutants it is not known which test kills them.
	Suite bool `json:"suite"`
	// Changes counts the mutants whose change of the source is known, Unmatched those that winnow
	// does not make, where it was asked for its own.
	Changes   int `json:"changes"`
	Unmatched int `json:"unmatched,omitempty"`
}

// Foreign writes a report of another tool as a run folder below a history.
func Foreign(ctx context.Context, tools *clang.Toolchain, r *foreign.Report, files []string, history string, opts ForeignOptions) (*ForeignSummary, error) {
	if !project.FolderName(opts.Program) {
		return nil, exit.Usagef("program %q: the name is also a folder's: want letters, digits, - and _", opts.Program)
	}
	if len(r.Mutants) == 0 {
		return nil, exit.New(exit.Input, errors.New("the report has no mutants"), "")
	}
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	out := filepath.Join(history, opts.Program)
	if _, err := os.Lstat(out); err == nil {
		return nil, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", out))
	}
	if opts.Folder != "" {
		if err := readBelow(r, opts.Folder); err != nil {
			return nil, err
		}
	}
	s, err := r.Subject()
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	sum := &ForeignSummary{From: r.Tool, Program: opts.Program, Path: out, LeftOut: s.Removed.Rows(), Changes: len(r.Changes())}
	if opts.Match {
		all := s.Mutants.Rows()
		if s, err = matched(ctx, tools, r, s, &opts); err != nil {
			return nil, err
		}
		sum.LeftOut, sum.Unmatched = 0, all-s.Mutants.Rows()
	}
	s.Manifest = dataset.Manifest{Tool: opts.Tool, Program: opts.Program, Inputs: map[string]string{}, Options: map[string]string{"from": r.Tool}}
	for _, file := range files {
		if err := hashFile(file, s.Manifest.Inputs); err != nil {
			return nil, err
		}
	}
	sum.count(s.Kills)
	s.Manifest.Counts = map[string]int64{"mutants": int64(sum.Mutants), "tests": int64(sum.Tests), "killed": int64(sum.Killed)}
	return sum, dataset.WriteSubject(out, s)
}

func (sum *ForeignSummary) count(kills *kill.Matrix) {
	sum.Mutants, sum.Tests = len(kills.Mutants()), len(kills.Tests())
	for i := range kills.Mutants() {
		switch kills.Verdict(i) {
		case matrix.Killed:
			sum.Killed++
		case matrix.Survived:
			sum.Survived++
		default:
			sum.Unknown++
		}
	}
	for _, name := range kills.Tests() {
		sum.Suite = sum.Suite || name == foreign.Suite
	}
}

// readBelow finds the report's files in a folder. A report cannot name one outside of it.
func readBelow(r *foreign.Report, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	defer root.Close()
	r.Below(func(name string) (string, bool) {
		text, err := fs.ReadFile(root.FS(), name)
		return string(text), err == nil && len(text) > 0
	})
	return nil
}

// hashFile notes the SHA-256 of a file by its name.
func hashFile(file string, into map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	sum := sha256.Sum256(text)
	into[filepath.Base(file)] = hex.EncodeToString(sum[:])
	return nil
}
