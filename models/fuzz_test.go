package models

import (
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzCard: whatever the text of a card, and of the list of what a model learned from, it
// is read or refused.
func FuzzCard(f *testing.F) {
	f.Add([]byte(`{"format": 1, "name": "m", "version": "1.0.0", "faults": 3, "figures": {"kill.auc": 0.5}, "features": ["a", "b"]}`))
	f.Add([]byte(`{"format": 1, "figures": {"kill.auc": 1e999}, "faults": -9223372036854775808}`))
	f.Add([]byte("0123456789abcdef\nfedcba9876543210\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		bounded.Check(t, len(text), func() {
			if c, err := decodeCard(text); err == nil {
				_ = c.Markdown()
			}
			if list, err := decodeSources(text); err == nil && len(list) > len(text) {
				t.Errorf("%d sources in %d bytes", len(list), len(text))
			}
		})
	})
}
