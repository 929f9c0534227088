package csource

import "testing"

// TestAStatementIsFoundAsByLookingAtEveryFunction compares StatementAt with its
// slow twin, which asks every function of the file.
func TestAStatementIsFoundAsByLookingAtEveryFunction(t *testing.T) {
	found, files := 0, 0
	for _, path := range testdata(t, "*.c") {
		for _, f := range mustParse(t, path).all {
			if len(f.functions) == 0 {
				continue
			}
			files++
			end := f.functions[len(f.functions)-1].to.line + 2
			for line := range end {
				for column := range 90 {
					p := point{file: f.Path, line: line, column: column}
					got, want := f.StatementAt(line, column), innermost(p, f.bodies())
					if got != want {
						t.Fatalf("%s:%d:%d: %+v, want %+v", f.Path, line, column, got, want)
					}
					if got != nil {
						found++
					}
				}
			}
		}
	}
	if files < 5 || found < 1000 {
		t.Errorf("%d statements found in %d files: too few to show anything", found, files)
	}
}
