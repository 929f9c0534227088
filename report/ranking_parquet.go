package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// RankingSchema is the columns of a ranking in Parquet: those of a run folder's
// ranking.parquet, and then what a reader without mutants.parquet needs.
func RankingSchema() table.Schema {
	return append(dataset.RankingSchema(), table.Schema{
		{Name: "file", Type: table.String, Doc: "source file"},
		{Name: "line", Type: table.Int64, Doc: "line of the change, from 1; 0 if not known"},
		{Name: "column", Type: table.Int64, Doc: "byte of the line, from 1; 0 if not known"},
		{Name: "function", Type: table.String, Doc: "function it is in"},
		{Name: "operator", Type: table.String, Doc: "operator family"},
		{Name: "type", Type: table.String, Doc: "fragment matched and fragment put in its place"},
		{Name: "original", Type: table.String, Doc: "the C text that is replaced"},
		{Name: "replacement", Type: table.String, Doc: "the C text put in its place"},
	}...)
}

// Table is the ranking as a table with RankingSchema, and how it was made as
// metadata.
func (r *Ranking) Table() (*table.Table, error) {
	t, err := table.New(RankingSchema())
	if err != nil {
		return nil, fmt.Errorf("making a table of the ranking: %w", err)
	}
	t.Meta = map[string]string{dataset.RankingStrategy: r.Strategy, dataset.RankingSeed: strconv.FormatUint(r.Seed, 10)}
	if r.Model != "" {
		t.Meta[dataset.RankingModel] = r.Model
	}
	for _, m := range r.Mutants {
		err := t.Append(int64(m.Rank), m.ID, float64(m.PFault), float64(m.PKill), m.File, int64(m.Line), int64(m.Column),
			m.Function, m.Operator, m.Type, m.Original, m.Replacement)
		if err != nil {
			return nil, fmt.Errorf("making a table of the ranking: %w", err)
		}
	}
	return t, nil
}

// WriteParquet writes the ranking as a Parquet file.
func (r *Ranking) WriteParquet(w io.Writer) error {
	t, err := r.Table()
	if err != nil {
		return err
	}
	return table.Encode(w, t)
}
