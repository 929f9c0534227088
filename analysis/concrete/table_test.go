package concrete

import (
	"testing"

	"github.com/winnow-mutants/winnow/analysis/libc"
)

// What paths know of the C library are functions of its table; those that end the program
// there end a path.
func TestPathsKnowFunctionsOfTheTable(t *testing.T) {
	rows := map[string]libc.Function{}
	for _, f := range libc.Functions {
		rows[f.Name] = f
	}
	for name := range libraryFunctions {
		if _, ok := rows[name]; !ok {
			t.Errorf("paths know %s, which is not in the table", name)
		}
	}
	ends := 0
	for name, f := range rows {
		known, ok := libraryFunctions[name]
		if !f.Has(libc.Ends) || !ok {
			continue
		}
		ends++
		p := &Path{frames: []*frame{{}}}
		p.Target = -1
		if known(p, &operation{}); p.Target != exitTarget && !p.Trapped {
			t.Errorf("%s ends no path", name)
		}
	}
	if ends < 5 {
		t.Errorf("paths know only %d functions that end the program", ends)
	}
}
