package note

import (
	"bytes"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzParse: builds are strangers, and may write to the log what they like.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"kind":"compiler","id":"1","argv":["cc","a.c"],"in":[{"path":"a.c","hash":"0"}],"status":0}` + "\n{"))
	f.Add([]byte("\n\n{}\nnull\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			entries, read, err := Parse(text)
			if read < 0 || read > len(text) || len(entries) > bytes.Count(text, []byte("\n")) {
				t.Errorf("%d entries in %d bytes of %d, %v", len(entries), read, len(text), err)
			}
		})
	})
}
