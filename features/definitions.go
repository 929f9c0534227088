package features

import (
	"fmt"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// Definition says of a feature column, read from a table's schema, what its
// values are: type, unit and meaning. Models keep a hash of the definitions of
// the columns that they read (models.HashColumns), so a family that computes a
// column in another way must say so in the column's Doc or give it a new name.
func Definition(c table.Column) string { return fmt.Sprintf("%v; %s; %s", c.Type, c.Unit, c.Doc) }
