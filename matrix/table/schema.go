// Package table is a table in memory, column by column, and its Parquet form.
//
// A Table is one Schema and its columns; rows have numbers, from 0. There are
// no nulls: a missing number is NaN, which the file keeps. Everything winnow
// hands from one stage to the next is such a table, so one schema hash tells
// whether a file, a feature matrix and a model speak of the same columns.
//
// Files are Parquet with zstd pages and bounded row groups, written batch by
// batch so that a table larger than memory can be written and read. The same
// table gives the same bytes. The columns' documentation, the schema hash and
// the writer's version are in the file's key/value metadata. See
// docs/formats/README.md.
package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Type is the type of a column.
type Type uint8

const (
	// Float64 is a 64-bit float; NaN where the value is missing.
	Float64 Type = iota + 1
	// Int64 is a 64-bit signed integer.
	Int64
	// String is UTF-8 text.
	String
	// Bool is true or false.
	Bool
)

var typeNames = map[Type]string{Float64: "float64", Int64: "int64", String: "string", Bool: "bool"}

func (t Type) String() string {
	if name, ok := typeNames[t]; ok {
		return name
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType is the inverse of Type.String.
func ParseType(name string) (Type, error) {
	for t, known := range typeNames {
		if known == name {
			return t, nil
		}
	}
	return 0, fmt.Errorf("column type %q: want float64, int64, string or bool", name)
}

// Column describes one column.
type Column struct {
	// Name is unique in its schema. It may not hold a comma, a quote or a
	// control character.
	Name string
	Type Type
	// Doc is one sentence on what the values mean.
	Doc string
	// Unit is the unit of the values; empty for names, counts and shares.
	Unit string
}

// Schema is the columns of a table, in order.
type Schema []Column

// Validate returns an error unless every column has a type and a usable name
// of its own.
func (s Schema) Validate() error {
	seen := make(map[string]bool, len(s))
	for i, c := range s {
		if c.Name == "" {
			return fmt.Errorf("column %d has no name", i)
		}
		if strings.ContainsFunc(c.Name, func(r rune) bool { return r == ',' || r == '"' || r == '`' || r < ' ' }) {
			return fmt.Errorf("column %q: a name may not hold a comma, a quote or a control character", c.Name)
		}
		if seen[c.Name] {
			return fmt.Errorf("column %q occurs twice", c.Name)
		}
		seen[c.Name] = true
		if _, ok := typeNames[c.Type]; !ok {
			return fmt.Errorf("column %q has no known type: %v", c.Name, c.Type)
		}
	}
	return nil
}

// Hash identifies the names and types of the columns, in order: 16 hexadecimal
// digits of their SHA-256. Documentation and units do not change it.
func (s Schema) Hash() string {
	h := sha256.New()
	for _, c := range s {
		fmt.Fprintf(h, "%q %s\n", c.Name, c.Type)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Index returns the place of the named column, or -1.
func (s Schema) Index(name string) int {
	for i, c := range s {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// Names returns the columns' names, in order.
func (s Schema) Names() []string {
	names := make([]string, len(s))
	for i, c := range s {
		names[i] = c.Name
	}
	return names
}

// Difference says in words how o differs from s, for error messages: the first
// column that is missing, new, moved or of another type. It is empty when the
// two have the same Hash.
func (s Schema) Difference(o Schema) string {
	for _, c := range s {
		i := o.Index(c.Name)
		if i < 0 {
			return fmt.Sprintf("column %q is missing", c.Name)
		}
		if o[i].Type != c.Type {
			return fmt.Sprintf("column %q is %v instead of %v", c.Name, o[i].Type, c.Type)
		}
	}
	for i, c := range o {
		if j := s.Index(c.Name); j < 0 {
			return fmt.Sprintf("column %q is new", c.Name)
		} else if i != j {
			return fmt.Sprintf("column %q is at place %d instead of %d", c.Name, i, j)
		}
	}
	return ""
}
