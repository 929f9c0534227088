package pipeline

import (
	"fmt"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Features computes the static features of a program's mutants, one row a
// mutant in selector order.
func Features(p *Program) (*table.Table, error) {
	var out *table.Table
	for _, u := range p.Units {
		t, err := features.Extract(u.Module, u.Mutants, features.WithSource(u.Source))
		if err != nil {
			return nil, fmt.Errorf("features of %s: %w", u.Input.Path, err)
		}
		if out == nil {
			out = t
			continue
		}
		if err := out.AppendTable(t); err != nil {
			return nil, fmt.Errorf("features of %s: %w", u.Input.Path, err)
		}
	}
	return out, nil
}
