package report

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// MissedFile, in a run folder, holds the survivors that tests reach, to be read beside
// the source.
const MissedFile = "missed.diff"

// WriteMissed writes MissedFile into the run folder of a subject. Each survivor is a
// diff behind a line that names it and says how far the tests come: patch skips such
// lines, but takes one diff at a time, since each is a change of the original. One that
// no change of the C text stands for has the line alone.
func WriteMissed(dir string, s *dataset.Subject) error {
	survivors, err := NewSurvivors(s)
	if err != nil {
		return fmt.Errorf("writing the survivors: %w", err)
	}
	diffs, err := s.Mutants.Strings("diff")
	if err != nil {
		return fmt.Errorf("writing the survivors: %w", err)
	}
	ids, err := s.Mutants.Strings("id")
	if err != nil {
		return fmt.Errorf("writing the survivors: %w", err)
	}
	byID := map[string]string{}
	for row, id := range ids {
		byID[id] = diffs[row]
	}
	var out strings.Builder
	for i := range survivors.Functions {
		for _, m := range survivors.Functions[i].Groups {
			if len(m.Reached) == 0 {
				continue
			}
			alike := ""
			if len(m.Alike) > 0 {
				alike = "; like it " + strings.Join(m.Alike, " ")
			}
			fmt.Fprintf(&out, "%s %s:%d in %s: %s: %s%s\n%s\n", m.ID, m.File, m.Line, m.Function, ChangeText(m.Original, m.Replacement), m.Why(), alike, byID[m.ID])
		}
	}
	return atomicfile.Write(filepath.Join(dir, MissedFile), []byte(out.String()))
}
