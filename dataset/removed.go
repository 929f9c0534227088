package dataset

import (
	"slices"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// RemovedFile is in what winnow mutate and winnow run write, beside MutantsFile.
const RemovedFile = "removed.parquet"

// RemovedSchema is the columns of removed.parquet: the mutants that were made
// and left out.
func RemovedSchema() table.Schema {
	return slices.Concat(table.Schema{
		{Name: "id", Type: table.String, Doc: "id of the mutant, the same from run to run"},
		{Name: "kind", Type: table.String, Doc: "equivalent, duplicate, invalid, undefined or suppressed"},
		{Name: "of", Type: table.String, Doc: "id of the mutant that a duplicate equals; else empty"},
		{Name: "evidence", Type: table.String, Doc: "the method that found it, e.g. tce/default; what LLVM says of an invalid one; what is undefined; the reason given in the source"},
	}, changeColumns())
}
