package campaign

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// A long run is cut into parts: ranges of mutants, on all tests. Each finished
// part is a file in a folder of the run folder, so that a run that was killed, or
// whose time was up, goes on behind the last one. How mutants are cut into parts
// changes no verdict.

// ProgressFolder holds the finished parts of a run that is not complete.
const ProgressFolder = "unfinished"

// keyFile names what a run is of; parts of another run are of no use.
const keyFile = "run.json"

const (
	partTime  = 2 * time.Second // what a part is to take, as far as can be foreseen
	leastPart = 16              // mutants
	mostPart  = 4096
)

// pace is what a run takes. That is known when some were made: runs that share a process take a
// small part of what the original took in one of its own, and those that do not end many times
// as much.
type pace struct{ each, least time.Duration }

// paceOf begins with what the original took. A part is at most sixteen times as long as by that:
// where runs of a sudden take what the original did, one takes half a minute, and not an hour.
func paceOf(tests []execute.TestBaseline) pace {
	total := time.Duration(0)
	for i := range tests {
		total += tests[i].Wall
	}
	each := max(total/time.Duration(max(len(tests), 1)), time.Microsecond)
	return pace{each, each / 16}
}

// learn takes in what the last part took. A part is at most four times as long as the one before.
func (p *pace) learn(runs int, took time.Duration) {
	if runs > 0 {
		p.each = max(took/time.Duration(runs), p.each/4, p.least)
	}
}

// runs is how many take so long.
func (p *pace) runs(long time.Duration) int { return int(long / p.each) }

// partFile is the result of the mutants From to To-1, by their places.
type partFile struct {
	From   int             `json:"from"`
	To     int             `json:"to"`
	Result *execute.Result `json:"result"`
}

// sealedPart is a part as it is kept: Sum tells whether a bit of it has changed since.
type sealedPart struct {
	Sum  string          `json:"sha256"`
	Part json.RawMessage `json:"part"`
}

func (p partFile) seal() ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("writing a finished part: %w", err)
	}
	return json.Marshal(sealedPart{Sum: sumOf(text), Part: text})
}

func sumOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// unseal reads a part; false when it is not as it was written.
func unseal(text []byte) (part partFile, whole bool) {
	var sealed sealedPart
	if json.Unmarshal(text, &sealed) != nil || sumOf(sealed.Part) != sealed.Sum || json.Unmarshal(sealed.Part, &part) != nil {
		return part, false
	}
	return part, part.Result != nil && len(part.Result.Mutants) == part.To-part.From
}

// span is the mutants from one place to before another.
type span struct{ from, to int }

// parts are what is finished of a run.
type parts struct {
	folder string // "": nothing is kept
	done   map[int]partFile
}

// openParts reads the finished parts of the run with a key. Those of a run with
// another key are removed.
func openParts(folder, key string) (*parts, error) {
	p := &parts{folder: folder, done: map[int]partFile{}}
	if folder == "" {
		return p, nil
	}
	before, err := os.ReadFile(filepath.Join(folder, keyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, exit.New(exit.System, err, "")
	}
	if string(before) != key {
		if err := removeParts(folder); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		if err := atomicfile.MakeFolder(folder); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		return p, atomicfile.Write(filepath.Join(folder, keyFile), []byte(key))
	}
	files, err := filepath.Glob(filepath.Join(folder, "part-*.json"))
	if err != nil {
		return nil, fmt.Errorf("listing finished parts: %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, exit.New(exit.System, err, "")
		}
		part, whole := unseal(text)
		if !whole {
			return nil, exit.New(exit.Input, fmt.Errorf("%s is damaged", file), "remove it, and its mutants are run again")
		}
		p.done[part.From] = part
	}
	return p, nil
}

// removeParts removes what belongs to another run, but not what others keep beside it
// (coverage.Measure), which has keys of its own.
func removeParts(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "part-*.json"))
	for _, file := range append(files, filepath.Join(folder, keyFile)) {
		if gone := os.Remove(file); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

func (p *parts) add(part partFile) error {
	p.done[part.From] = part
	if p.folder == "" {
		return nil
	}
	text, err := part.seal()
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(p.folder, fmt.Sprintf("part-%09d.json", part.From)), text)
}

// nextDone is where the next finished part begins, or the end.
func (p *parts) nextDone(from, end int) int {
	for _, at := range slices.Sorted(maps.Keys(p.done)) {
		if at > from {
			return at
		}
	}
	return end
}

// appendResult puts the result of the next mutants behind that of those before.
func appendResult(to, part *execute.Result) {
	offset := len(to.Mutants)
	to.Mutants = append(to.Mutants, part.Mutants...)
	to.Killed = append(to.Killed, part.Killed...)
	to.Unknown = append(to.Unknown, part.Unknown...)
	to.Reached = append(to.Reached, part.Reached...)
	to.Infected = append(to.Infected, part.Infected...)
	for _, c := range part.Cells {
		c.Mutant += int32(offset)
		to.Cells = append(to.Cells, c)
	}
	for _, f := range part.Failures {
		f.Mutant += offset
		to.Failures = append(to.Failures, f)
	}
	moved := func(list []execute.Disagreement) (out []execute.Disagreement) {
		for _, d := range list {
			d.Mutant += offset
			out = append(out, d)
		}
		return out
	}
	to.Audit.Checked += part.Audit.Checked
	to.Audit.Uninfected += part.Audit.Uninfected
	to.Audit.Disagreements = append(to.Audit.Disagreements, moved(part.Audit.Disagreements)...)
	to.Audit.Missed = append(to.Audit.Missed, moved(part.Audit.Missed)...)
	to.Runs += part.Runs
	to.HandedOn += part.HandedOn
}
