package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Column is what a model must know of a column of a feature table to be sure
// that it reads what it learned from.
type Column struct {
	Name string
	// Definition says what the values are: type, unit and meaning, in any fixed
	// form. Another definition is another column.
	Definition string
}

// HashColumns identifies the names and definitions of columns, in order: 16
// hexadecimal digits of their SHA-256.
func HashColumns(columns []Column) string {
	h := sha256.New()
	for _, c := range columns {
		fmt.Fprintf(h, "%q %q\n", c.Name, c.Definition)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// SchemaError says how a feature table differs from the one a model reads.
type SchemaError struct {
	Model string
	// Missing names the columns that the table lacks. It is empty when all are
	// there and the definition of one differs.
	Missing []string
	// WantHash and GotHash are the hashes of the model's columns, as it learned
	// from them and as the table has them; GotHash is empty when one is missing.
	WantHash, GotHash string
}

// columnsShown bounds the columns that a SchemaError names.
const columnsShown = 3

// Error names the first missing columns and says what to do.
func (e *SchemaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model %q: %v: ", e.Model, ErrSchema)
	if n := len(e.Missing); n > 0 {
		shown := e.Missing[:min(n, columnsShown)]
		fmt.Fprintf(&b, "the table has no column %s", strings.Join(shown, ", "))
		if n > len(shown) {
			fmt.Fprintf(&b, " and %d more", n-len(shown))
		}
	} else {
		fmt.Fprintf(&b, "the columns have the same names but definitions %s, the model wants %s", e.GotHash, e.WantHash)
	}
	b.WriteString(" (compute the features with the version of winnow that trained the model, or take a model trained for this version)")
	return b.String()
}

// Unwrap returns ErrSchema.
func (e *SchemaError) Unwrap() error { return ErrSchema }

// CheckSchema looks for the columns that b reads among those of a feature table,
// by name: the table may have others, in any order. It returns nil or a
// *SchemaError.
func (b *Bundle) CheckSchema(table []Column) error {
	at := make(map[string]int, len(table))
	for i := range table {
		at[table[i].Name] = i
	}
	e := &SchemaError{Model: b.Card.Name, WantHash: b.Card.Schema}
	read := make([]Column, 0, len(b.Card.Features))
	for _, name := range b.Card.Features {
		i, ok := at[name]
		if !ok {
			e.Missing = append(e.Missing, name)
			continue
		}
		read = append(read, table[i])
	}
	if len(e.Missing) > 0 {
		return e
	}
	if e.GotHash = HashColumns(read); e.GotHash != e.WantHash {
		return e
	}
	return nil
}
