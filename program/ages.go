package program

import (
	"bytes"
	"context"
	"errors"
	"os"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/lineage"
)

// ReadAges asks git how old the lines of the mutants are (LoadOptions.Ages).
func (p *Program) ReadAges(ctx context.Context) error {
	ages, err := agesOf(ctx, p.Units)
	p.ages = ages
	return err
}

// agesOf reads what git knows of the files that the mutants are in. Files of
// which it knows nothing are passed over.
func agesOf(ctx context.Context, units []*Unit) (features.Ages, error) {
	files := map[string]*lineage.File{}
	for _, u := range units {
		for i := range u.Mutants {
			path := u.Mutants[i].File
			if _, seen := files[path]; seen {
				continue
			}
			files[path] = nil
			text, err := os.ReadFile(path)
			if err != nil {
				continue // compiled elsewhere: its lines have no history here
			}
			file, err := lineage.Read(ctx, path, bytes.Count(text, []byte("\n"))+1)
			if err != nil && !errors.Is(err, lineage.ErrNone) {
				return nil, err
			}
			files[path] = file
		}
	}
	return func(path string, line int) (days, commits float64, ok bool) {
		file := files[path]
		if file == nil {
			return 0, 0, false
		}
		return file.Line(line)
	}, nil
}
