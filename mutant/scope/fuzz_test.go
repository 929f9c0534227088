package scope_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// FuzzParseConfig: whatever a scope file says, it is read or refused, and never widens by
// a word that is not known.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"Source-Files": ["a.c"], "Functions": ["f", "g"]}`))
	f.Add([]byte(`{"functions": null}`))
	f.Add([]byte(`{"Functions": null} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			if c, err := scope.ParseConfig(text); (c == nil) == (err == nil) || c != nil && len(c.Functions)+len(c.SourceFiles) > len(text) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	})
}
