// Package codeflaws reads the Codeflaws benchmark: real faults of small C
// programs, each with its fix and with tests, made from submissions to a
// programming contest (Tan, Yi, Yulis, Mechtaev and Roychoudhury, ICSE 2017).
//
// The benchmark is not part of this repository. Its own repository,
// https://github.com/codeflaws/codeflaws, holds it in its history: the folder
// benchmark/ of commit 7b4622922. docs/codeflaws.md says how to extract it.
// Subjects lists that folder; Sample puts ids in a random order; Choose says
// whether a fault is hard enough to learn from, and on which tests. Running the
// programs is not this package's business.
//
// Three traps of the data are dealt with here. Long inputs were cut off when
// the benchmark was collected and end in "...": a program that reads one reads
// past its end, so they are dropped. Many inputs occur twice, once for repair
// and once held out: they are kept once. Some folders hold only gzip files:
// those are expanded. Expected outputs are cut off as well and never read: the
// fixed program is the oracle.
package codeflaws

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// CompileFlags are the benchmark's own options of the C compiler, less its
// optimisation.
func CompileFlags() []string {
	return []string{"-std=c99", "-fno-optimize-sibling-calls", "-fno-strict-aliasing", "-fno-asm"}
}

// LinkFlags are the benchmark's own options of the linker.
func LinkFlags() []string { return []string{"-lm"} }

// Subject is one fault of the benchmark.
type Subject struct {
	// ID is the folder's name, <contest>-<problem>-bug-<faulty>-<fixed>.
	ID string
	// Problem is <contest>-<problem>. Programs that solve one problem resemble
	// each other: they belong on one side of every split.
	Problem string
	// Faulty and Fixed are the paths of the two sources. Read them with
	// ReadSource: they may be gzip files.
	Faulty, Fixed string

	dir string
}

var idPattern = regexp.MustCompile(`^([0-9]+-[A-Z][0-9]*)-bug-([0-9]+)-([0-9]+)$`)

// Subjects lists the faults in dir, the benchmark's folder benchmark, sorted by
// id. Other files and folders are passed over.
func Subjects(dir string) ([]Subject, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list Codeflaws: %w", err)
	}
	var out []Subject
	for _, e := range entries {
		id := idPattern.FindStringSubmatch(e.Name())
		if id == nil || !e.IsDir() {
			continue
		}
		s := Subject{ID: id[0], Problem: id[1], dir: filepath.Join(dir, id[0])}
		if s.Faulty, err = s.source(id[2]); err != nil {
			return nil, fmt.Errorf("list Codeflaws: %w", err)
		}
		if s.Fixed, err = s.source(id[3]); err != nil {
			return nil, fmt.Errorf("list Codeflaws: %w", err)
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("list Codeflaws: %s holds no folder like 1-A-bug-18353198-18353306; give the folder benchmark of the repository's commit 7b4622922 (docs/codeflaws.md)", dir)
	}
	slices.SortFunc(out, func(a, b Subject) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// source finds the source of a submission, plain or compressed.
func (s *Subject) source(submission string) (string, error) {
	plain := filepath.Join(s.dir, s.Problem+"-"+submission+".c")
	for _, path := range []string{plain, plain + ".gz"} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s is missing, and so is %[1]s.gz; extract the benchmark again (docs/codeflaws.md)", plain)
}

// maxFile bounds what a gzip file may expand to, in bytes.
const maxFile = 64 << 20

// ReadSource returns the C text of Faulty or Fixed.
func ReadSource(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("expand %s: %w", path, err)
	}
	if data, err = io.ReadAll(io.LimitReader(z, maxFile+1)); err != nil {
		return nil, fmt.Errorf("expand %s: %w", path, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("expand %s: more than %d MB", path, maxFile>>20)
	}
	return data, nil
}

// Input is one test: what the program reads from standard input.
type Input struct {
	// Name is the file's name without .gz, e.g. heldout-input-pos3.
	Name string
	Data []byte
}

// Dropped counts the inputs that Inputs left out.
type Dropped struct{ Truncated, Repeated int }

var inputPattern = regexp.MustCompile(`^((heldout-)?input-(neg|pos))([0-9]+)(\.gz)?$`)

// Inputs returns the subject's tests: each content once, none of them cut off.
// Tests for repair come before held-out ones, failing before passing, then by
// number; of equal ones the first stays.
func (s *Subject) Inputs() ([]Input, Dropped, error) {
	var dropped Dropped
	names, err := s.inputNames()
	if err != nil {
		return nil, dropped, err
	}
	var out []Input
	seen := map[[sha256.Size]byte]bool{}
	for _, name := range names {
		data, err := ReadSource(filepath.Join(s.dir, name))
		if err != nil {
			return nil, dropped, fmt.Errorf("inputs of %s: %w", s.ID, err)
		}
		content := sha256.Sum256(data)
		switch {
		case truncated(data):
			dropped.Truncated++
		case seen[content]:
			dropped.Repeated++
		default:
			seen[content] = true
			out = append(out, Input{Name: strings.TrimSuffix(name, ".gz"), Data: data})
		}
	}
	return out, dropped, nil
}

// truncated recognises an input that was cut off: "..." within its last eight
// bytes, before line ends and blanks.
func truncated(data []byte) bool {
	return bytes.Contains(data[max(0, len(data)-8):], []byte("..."))
}

// inputNames returns the files to read, in order; a compressed file only where
// there is no plain one.
func (s *Subject) inputNames() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("inputs of %s: %w", s.ID, err)
	}
	type input struct {
		file, kind string
		number     int
		gz         bool
	}
	var inputs []input
	for _, e := range entries {
		m := inputPattern.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		number, err := strconv.Atoi(m[4])
		if err != nil {
			return nil, fmt.Errorf("inputs of %s: %s: %w", s.ID, e.Name(), err)
		}
		inputs = append(inputs, input{file: e.Name(), kind: m[1], number: number, gz: m[5] != ""})
	}
	rank := map[string]int{"input-neg": 0, "input-pos": 1, "heldout-input-neg": 2, "heldout-input-pos": 3}
	slices.SortFunc(inputs, func(a, b input) int {
		return cmp.Or(cmp.Compare(rank[a.kind], rank[b.kind]), cmp.Compare(a.number, b.number), strings.Compare(a.file, b.file))
	})
	var names []string
	for i, in := range inputs {
		if i > 0 && in.gz && names[len(names)-1]+".gz" == in.file {
			continue
		}
		names = append(names, in.file)
	}
	return names, nil
}

// Sample returns the ids in a random order that depends on the ids and the seed
// only, not on the order they come in. Taking subjects in that order until
// there are enough gives a random sample.
func Sample(ids []string, seed uint64) []string {
	out := slices.Clone(ids)
	slices.Sort(out)
	stream.New(seed, "dataset/codeflaws sample").Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Pick returns the subjects with the given ids, in the order of the ids, and
// the ids that no subject has.
func Pick(subjects []Subject, ids []string) (picked []Subject, missing []string) {
	at := make(map[string]int, len(subjects))
	for i, s := range subjects {
		at[s.ID] = i
	}
	for _, id := range ids {
		if i, ok := at[id]; ok {
			picked = append(picked, subjects[i])
		} else {
			missing = append(missing, id)
		}
	}
	return picked, missing
}
