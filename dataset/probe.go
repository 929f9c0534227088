package dataset

import "github.com/winnow-mutants/winnow/matrix/table"

// ProbeSchema is the columns of probe.parquet: what one run of the original
// program a test tells of the mutants. Pairs of a mutant and a test have a row
// where the test executes the mutant's site. No mutant was run for it, so that it
// holds no kills.
func ProbeSchema() table.Schema {
	return table.Schema{
		{Name: "id", Type: table.String, Doc: "id of the mutant"},
		{Name: "test", Type: table.String, Doc: "name of the test"},
		{Name: "executions", Type: table.Int64, Doc: "how often the test executes the mutant's site, at most 2^32 - 1"},
		{Name: "infections", Type: table.Int64, Doc: "how often the mutant's value would have differed there, at most 2^32 - 1"},
	}
}
