package capture

import (
	"bytes"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzUnmarshal: whatever the text, it is what a build did or it is refused; what is
// accepted is the same after it was written again.
func FuzzUnmarshal(f *testing.F) {
	whole, err := (&Capture{Version: Version}).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"version": 5, "units": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			c, err := Unmarshal(text)
			if err != nil {
				return
			}
			first, err := c.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			again, err := Unmarshal(first)
			if err != nil {
				t.Fatalf("what was written is not read: %v", err)
			}
			if second, err := again.Marshal(); err != nil || !bytes.Equal(first, second) {
				t.Errorf("%s, then %s, %v", first, second, err)
			}
		})
	})
}
