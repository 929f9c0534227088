package models

import (
	"encoding/hex"
	"fmt"
	"slices"
)

// SourceLength is how much of a source's SHA-256 a model keeps, in hexadecimal
// digits: two of a million sources agree in 16 by chance once in a million models.
const SourceLength = 16

// sourcesFile holds Card.TrainedOn: in card.json it was half of the card.
const sourcesFile = "sources.bin"

// encodeSources returns the sources of a card as bytes, one after the other.
func encodeSources(sources []string) ([]byte, error) {
	var out []byte
	for _, source := range sources {
		part, err := hex.DecodeString(source)
		if err != nil || len(source) != SourceLength {
			return nil, fmt.Errorf("trained on source %q: want %d hexadecimal digits", source, SourceLength)
		}
		out = append(out, part...)
	}
	return out, nil
}

// decodeSources is the inverse of encodeSources.
func decodeSources(text []byte) ([]string, error) {
	if len(text)%(SourceLength/2) != 0 {
		return nil, fmt.Errorf("%w: %s has %d bytes, no multiple of %d", ErrDamaged, sourcesFile, len(text), SourceLength/2)
	}
	out := make([]string, 0, len(text)/(SourceLength/2))
	for source := range slices.Chunk(text, SourceLength/2) {
		out = append(out, hex.EncodeToString(source))
	}
	if !slices.IsSorted(out) {
		return nil, fmt.Errorf("%w: %s is not in order", ErrDamaged, sourcesFile)
	}
	return out, nil
}
