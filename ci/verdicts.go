package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// store keeps verdicts from run to run: one file, by the id of a mutant, which one job at a
// time has.
type store struct {
	path string       // "": nothing is kept
	held *output.Held // nil where nothing is
	kept
}

// kept is the file.
type kept struct {
	Format int `json:"format"`
	// Tests are the names of the tests that the cells are of.
	Tests []string `json:"tests"`
	// Rows are by the id of a mutant.
	Rows map[string]keptRow `json:"rows"`
	// Infecting is how many tests infect a mutant, by its id.
	Infecting map[string]keptCount `json:"infecting"`
}

// keptCount is a number of tests, and the key of what it depends on.
type keptCount struct {
	Key   string `json:"key"`
	Tests int    `json:"tests"`
}

// keptRow has two letters a test, verdict and cause, and the key of what they depend on.
type keptRow struct {
	Key   string `json:"key"`
	Cells string `json:"cells"`
	// Confirmed says that it survived once more, on every test that reaches it.
	Confirmed bool `json:"confirmed,omitempty"`
	// Proofs are what is known of it beside that.
	Proofs []dataset.Proof `json:"proofs,omitempty"`
}

const storeFormat, storeFile = 3, "verdicts.json"

// openStore reads what is kept in a folder, and keeps other jobs from it until close is called:
// of two that end with what they have read and found, one would lose what the other has.
func openStore(folder string) (*store, error) {
	s := &store{kept: kept{Format: storeFormat, Rows: map[string]keptRow{}, Infecting: map[string]keptCount{}}}
	if folder == "" {
		return s, nil
	}
	if err := atomicfile.MakeFolder(folder); err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	// The folder is nobody's to commit.
	if ignore := filepath.Join(folder, ".gitignore"); !paths.Exist(ignore) {
		if err := atomicfile.Write(ignore, []byte("*\n")); err != nil {
			return nil, exit.New(exit.System, err, "")
		}
	}
	s.path = filepath.Join(folder, storeFile)
	var err error
	if s.held, err = output.Hold(s.path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		s.close()
		return nil, exit.New(exit.System, err, "")
	}
	var read kept
	// A store that cannot be read costs time, no truth.
	if json.Unmarshal(text, &read) == nil && read.Format == storeFormat && read.Rows != nil && read.Infecting != nil {
		s.kept = read
	}
	return s, nil
}

// close lets other jobs have the store.
func (s *store) close() {
	if s.held != nil {
		s.held.Release()
	}
}

// unknown are the chosen mutants without a verdict under their key.
func (s *store) unknown(c *chosen) []string {
	var out []string
	for _, id := range c.all {
		if row, ok := s.Rows[id]; !ok || row.Key != c.keys[id] || len(row.Cells) != 2*len(s.Tests) {
			out = append(out, id)
		}
	}
	return out
}

// add keeps the verdicts of a run, and what is known of mutants beside them. Those of other tests are of
// no use any more.
func (s *store) add(c *chosen, kills *kill.Matrix, proofs []dataset.Proof) {
	of := map[string][]dataset.Proof{}
	for _, p := range proofs {
		of[p.ID] = append(of[p.ID], p)
	}
	if !slices.Equal(s.Tests, kills.Tests()) {
		s.Tests, s.Rows = kills.Tests(), map[string]keptRow{}
	}
	for m, id := range kills.Mutants() {
		if kills.Verdict(m) == matrix.Unknown {
			continue // the next run may know
		}
		cells := make([]byte, 0, 2*len(s.Tests))
		for t := range s.Tests {
			cell := kills.Cell(m, t)
			cells = append(cells, '0'+byte(cell.Verdict), 'a'+byte(cell.Cause))
		}
		s.Rows[id] = keptRow{Key: c.keys[id], Cells: string(cells), Proofs: of[id]}
	}
}

// infecting keeps how many tests infect mutants.
func (s *store) infecting(found map[string]int, keys map[string]string) {
	for id, key := range keys {
		s.Infecting[id] = keptCount{key, found[id]}
	}
}

// unconfirmed are those of the survivors that were run once.
func (s *store) unconfirmed(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.Rows[id].Confirmed })
}

// confirm notes that a mutant survived again. What has no verdict is confirmed the next time.
func (s *store) confirm(id string, v matrix.Verdict) {
	if row, ok := s.Rows[id]; ok && v == matrix.Survived {
		row.Confirmed = true
		s.Rows[id] = row
	}
}

// proofs are those of the chosen mutants under their keys, as a table; nil of none.
func (s *store) proofs(c *chosen) (*table.Table, error) {
	var out []dataset.Proof
	for _, id := range c.all {
		if row := s.Rows[id]; row.Key == c.keys[id] {
			out = append(out, row.Proofs...)
		}
	}
	return dataset.ProofTable(out)
}

// matrix joins what was run now with what is kept.
func (s *store) matrix(c *chosen, ran *kill.Matrix) (*kill.Matrix, error) {
	if c == nil {
		return kill.New(nil, s.Tests)
	}
	tests := s.Tests
	if ran != nil {
		tests = ran.Tests()
	}
	out, err := kill.New(c.all, tests)
	if err != nil {
		return nil, err
	}
	places := map[string]int{}
	if ran != nil {
		for m, id := range ran.Mutants() {
			places[id] = m
		}
	}
	for m, id := range c.all {
		k, now := places[id]
		row := s.Rows[id]
		for t := range tests {
			cell := kill.Cell{Verdict: matrix.Unknown, Cause: matrix.NotRun}
			switch {
			case now:
				cell = ran.Cell(k, t)
			case row.Key == c.keys[id] && len(row.Cells) == 2*len(tests):
				cell = kill.Cell{Verdict: matrix.Verdict(row.Cells[2*t] - '0'), Cause: matrix.Cause(row.Cells[2*t+1] - 'a')}
			}
			if err := out.Set(m, t, kill.Cell{Verdict: cell.Verdict, Cause: cell.Cause}); err != nil {
				return nil, fmt.Errorf("verdict of %s: %w", id, err)
			}
		}
	}
	return out, nil
}

func (s *store) save() error {
	if s.path == "" {
		return nil
	}
	text, err := json.Marshal(s.kept) // sorts the keys of maps
	if err != nil {
		return fmt.Errorf("keeping verdicts: %w", err)
	}
	return atomicfile.Write(s.path, append(text, '\n'))
}
