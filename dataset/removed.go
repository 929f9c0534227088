package dataset

import "github.com/winnow-mutants/winnow/matrix/table"

// RemovedSchema is the columns of removed.parquet: the mutants that were made
// and left out.
func RemovedSchema() table.Schema {
	return table.Schema{
		{Name: "id", Type: table.String, Doc: "id of the mutant, the same from run to run"},
		{Name: "kind", Type: table.String, Doc: "equivalent, duplicate, invalid or suppressed"},
		{Name: "of", Type: table.String, Doc: "id of the mutant that a duplicate equals; else empty"},
		{Name: "evidence", Type: table.String, Doc: "the method that found it, e.g. tce/default; what LLVM says of an invalid one; the reason given in the source"},
		{Name: "operator", Type: table.String, Doc: "operator family"},
		{Name: "matcher", Type: table.String, Doc: "the fragment that the operator matched"},
		{Name: "replacer", Type: table.String, Doc: "the fragment put in its place"},
		{Name: "rule", Type: table.String, Doc: "name of the rule that made it, as in the file of operators"},
		{Name: "function", Type: table.String, Doc: "function it is in"},
		{Name: "file", Type: table.String, Doc: "source file, relative to the project"},
		{Name: "line", Type: table.Int64, Doc: "line of the change, from 1; 0 if not known"},
		{Name: "column", Type: table.Int64, Doc: "byte of the line, from 1; 0 if not known"},
		{Name: "original", Type: table.String, Doc: "the C text that is replaced"},
		{Name: "replacement", Type: table.String, Doc: "the C text put in its place"},
	}
}
