package campaign

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzUnseal: a part that is accepted has a result for each of its mutants, and is the
// same after it was sealed again.
func FuzzUnseal(f *testing.F) {
	whole, err := partFile{From: 3, To: 5, Result: &execute.Result{Mutants: make([]execute.Mutant, 2)}}.seal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"sha256": "` + sumOf([]byte(`{"from":9,"to":1,"result":{}}`)) + `", "part": {"from":9,"to":1,"result":{}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			part, whole := unseal(text)
			if !whole {
				return
			}
			if len(part.Result.Mutants) != part.To-part.From {
				t.Errorf("%d mutants from %d to %d", len(part.Result.Mutants), part.From, part.To)
			}
			if again, err := part.seal(); err != nil {
				t.Error(err)
			} else if _, whole := unseal(again); !whole {
				t.Errorf("%s is read and, written again as %s, is not", text, again)
			}
		})
	})
}
