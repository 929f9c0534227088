package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/internal/sqlitefile"
	"github.com/winnow-mutants/winnow/matrix"
)

// openDatabase opens an SQLite database and hands it to read.
func openDatabase(path string, read func(*sqlitefile.File) error) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if sqlitefile.NeedsJournal(path) {
		return fmt.Errorf("%s: some of it is still in %s-wal: let the tool end, or run sqlite3 %s 'PRAGMA wal_checkpoint(TRUNCATE)'", path, filepath.Base(path), path)
	}
	db, err := sqlitefile.Open(in, info.Size())
	if err == nil {
		err = read(db)
	}
	if err != nil {
		if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
			return err
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func integer(v any) int64 {
	n, _ := v.(int64)
	return n
}

// The numbers of Mull's execution_status.
const (
	mullFailed   = 1
	mullPassed   = 2
	mullTimedOut = 3
	mullCrashed  = 4
	mullAbnormal = 5
	mullUnseen   = 8 // not covered
)

// Mull reads databases that Mull's runner wrote, one of each test program: each is a test,
// named after its file.
func Mull(paths ...string) (*Report, error) {
	r := &Report{Tool: "Mull"}
	at := map[string]int{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		for has(r.Tests, name) || name == Suite {
			name += "'"
		}
		r.Tests = append(r.Tests, name)
		if err := openDatabase(path, func(db *sqlitefile.File) error { return r.mull(db, name, at) }); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Report) mull(db *sqlitefile.File, test string, at map[string]int) error {
	if db.Has("information") {
		err := db.Each("information", []string{"key", "value"}, func(v []any) error {
			if text(v[0]) == "Mull Version" {
				r.Tool = "Mull " + text(v[1])
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	columns := []string{"mutant_id", "mutator", "filename", "directory?", "line_number", "column_number", "end_line_number", "end_column_number",
		"execution_status", "duration?", "mutation_replacement?"}
	return db.Each("mutant", columns, func(v []any) error {
		id := text(v[0])
		place, known := at[id]
		if !known {
			place, at[id] = len(r.Mutants), len(r.Mutants)
			m := Mutant{ID: id, Operator: text(v[1]), File: filepath.ToSlash(filepath.Join(text(v[3]), text(v[2]))), KnowsReach: true,
				Start: Position{int(integer(v[4])), int(integer(v[5]))}, End: Position{int(integer(v[6])), int(integer(v[7]))}}
			if replacement, ok := v[10].(string); ok && replacement != "" {
				m.Replacement = &replacement
			}
			r.Mutants = append(r.Mutants, m)
		}
		r.Mutants[place].mull(integer(v[8]), test)
		r.Mutants[place].Micros += max(integer(v[9]), 0) * 1000
		return nil
	})
}

// mull adds what one test program did with the mutant. One that was not run on it is not known
// to have been reached; a program whose database does not name the mutant does not reach it.
func (m *Mutant) mull(status int64, test string) {
	killed := func(cause matrix.Cause) {
		m.Fate, m.Cause, m.KilledBy, m.ReachedBy = Killed, cause, append(m.KilledBy, test), append(m.ReachedBy, test)
	}
	switch status {
	case mullFailed, mullAbnormal:
		killed(matrix.Exit)
	case mullTimedOut:
		killed(matrix.Time)
	case mullCrashed:
		killed(matrix.Signal)
	case mullPassed:
		m.ReachedBy = append(m.ReachedBy, test)
		m.SurvivedBy = append(m.SurvivedBy, test)
		if m.Fate == Unknown || m.Fate == Unreached {
			m.Fate = Survived
		}
	case mullUnseen:
		if m.Fate == Unknown {
			m.Fate = Unreached
		}
	default: // a dry run, or an earlier program had killed it
		m.ReachedBy = append(m.ReachedBy, test)
		if m.Fate == Unreached {
			m.Fate = Unknown
		}
	}
}
