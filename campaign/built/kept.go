package built

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// keptFile, in Options.Progress, has a line for each mutant that was run, written as it
// is decided: whatever ends a run, no decision is lost but those under way. The first
// line says of which run they are.
const keptFile = "decided.json"

// kept is what is decided so far, in every round of a run.
type kept struct {
	file *os.File                  // nil keeps nothing longer than the run
	of   map[string][]execute.Cell // by the name that recording.keyed gives a mutant
	runs int                       // those that this run made
}

// decided is what a line says, behind a sum that tells whether a bit of it has changed.
type decided struct {
	ID    string         `json:"id"`
	Cells []execute.Cell `json:"cells"`
}

// keep opens the file of this run, with what an earlier run of the same project, tests
// and options left in it.
func (r *recording) keep(suite *suite) (*kept, error) {
	k := &kept{of: map[string][]execute.Cell{}}
	if r.opts.Progress == "" {
		return k, nil
	}
	if err := atomicfile.MakeFolder(r.opts.Progress); err != nil {
		return nil, fmt.Errorf("keeping what is decided: %w", err)
	}
	identity, err := r.identity(suite)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(r.opts.Progress, keptFile)
	if r.opts.Resume {
		if err := k.read(path, identity); err != nil {
			return nil, err
		}
	}
	if len(k.of) > 0 {
		r.say("%d mutants were decided before", len(k.of))
	}
	return k, k.begin(path, identity)
}

// identity tells the runs apart whose decisions are not each other's.
func (r *recording) identity(suite *suite) (string, error) {
	text, err := json.Marshal(struct {
		Tool, Project string
		Matrix        bool
		Tests         any
	}{r.opts.Tool, r.build.Of, r.opts.Matrix, suite.tests})
	if err != nil {
		return "", fmt.Errorf("keeping what is decided: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// sumOf identifies what a line says.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// line is a decision as it is kept.
func (d decided) line() ([]byte, error) {
	text, err := json.Marshal(d)
	return slices.Concat([]byte(sumOf(text)+" "), text, []byte("\n")), err
}

// read is the contrary; false where the line is not as it was written.
func (d *decided) read(line []byte) bool {
	sum, text, _ := bytes.Cut(line, []byte(" "))
	return string(sum) == sumOf(text) && json.Unmarshal(text, d) == nil
}

// read takes over the lines of an earlier run. One may be cut, or damaged: its mutant is
// run again.
func (k *kept) read(path, identity string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading what was decided: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for n := 0; lines.Scan(); n++ {
		var one decided
		whole := one.read(lines.Bytes())
		if n == 0 && (!whole || one.ID != identity) {
			return nil
		}
		if n > 0 && whole {
			k.of[one.ID] = one.Cells
		}
	}
	return lines.Err()
}

// begin writes the file anew, so that no cut line is in its midst.
func (k *kept) begin(path, identity string) error {
	draft := filepath.Join(filepath.Dir(path), "new-"+keptFile)
	var err error
	if k.file, err = os.Create(draft); err != nil {
		return fmt.Errorf("keeping what is decided: %w", err)
	}
	err = k.write(identity, nil)
	for _, id := range slices.Sorted(maps.Keys(k.of)) {
		err = errors.Join(err, k.write(id, k.of[id]))
	}
	if err != nil {
		return err // what was decided before stays
	}
	if err := os.Rename(draft, path); err != nil {
		return fmt.Errorf("keeping what is decided: %w", err)
	}
	return nil
}

// add keeps a decision.
func (k *kept) add(id string, cells []execute.Cell) error {
	k.of[id] = cells
	if k.file == nil {
		return nil
	}
	return k.write(id, cells)
}

func (k *kept) write(id string, cells []execute.Cell) error {
	line, err := decided{id, cells}.line()
	if err == nil {
		_, err = k.file.Write(line)
	}
	if err != nil {
		return fmt.Errorf("keeping what is decided: %w", err)
	}
	return nil
}

// known is what was found of a mutant that has one of the names.
func (k *kept) known(names ...string) ([]execute.Cell, bool) {
	for _, name := range names {
		if cells, known := k.of[name]; known {
			return cells, true
		}
	}
	return nil, false
}

func (k *kept) close() {
	if k.file != nil {
		k.file.Close() // each line was written
	}
}
