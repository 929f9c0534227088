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
		{Name: "values", Type: table.Int64, Doc: "the original's values there, a set of bits as mutant/sight.go has them (mutant.Values)"},
		{Name: "changes", Type: table.Int64, Doc: "how the mutant's values differ from them, a set of bits as well (mutant.Changes); 0 where it does otherwise than to compute another number"},
		{Name: "leaving", Type: table.Int64, Doc: "what becomes of the mutant on the test until the function is left in which it first makes a difference, bits as mutant/leaving.go has them (mutant.Leaving); 0 where nothing is known"},
	}
}

// ProbeNotesValues says whether a table of a probe has the columns values and changes,
// which those recorded before they were there lack.
func ProbeNotesValues(probe *table.Table) bool { return probe.Schema().Index("values") >= 0 }

// ProbeNotesLeaving says whether it has the column leaving, likewise.
func ProbeNotesLeaving(probe *table.Table) bool { return probe.Schema().Index("leaving") >= 0 }

// differenceOfProbe says how columns differ from those of a probe.
func differenceOfProbe(schema table.Schema) string {
	want := ProbeSchema()
	switch {
	case schema.Index("values") < 0:
		want = want[:4]
	case schema.Index("leaving") < 0:
		want = want[:6]
	}
	return want.Difference(schema)
}
