package dataset

import "github.com/winnow-mutants/winnow/matrix/table"

// SourcesSchema is the columns of sources.parquet: the files that hold mutants, as
// they were when they were mutated.
func SourcesSchema() table.Schema {
	return table.Schema{
		{Name: "file", Type: table.String, Doc: "source file, relative to the project, as in mutants.parquet"},
		{Name: "text", Type: table.String, Doc: "its text"},
	}
}

// EditsSchema is the columns of edits.parquet: mutants as changes of the sources. A
// mutant that no change of the C text stands for has no row.
func EditsSchema() table.Schema {
	return table.Schema{
		{Name: "id", Type: table.String, Doc: "id of a mutant of mutants.parquet or removed.parquet"},
		{Name: "file", Type: table.String, Doc: "the file of sources.parquet that it changes"},
		{Name: "start", Type: table.Int64, Unit: "bytes", Doc: "where the replaced text begins, from 0"},
		{Name: "end", Type: table.Int64, Unit: "bytes", Doc: "where it ends, exclusive"},
		{Name: "text", Type: table.String, Doc: "what stands there instead"},
	}
}
