package dataset

import "github.com/winnow-mutants/winnow/matrix/table"

// Metadata of ranking.parquet.
const (
	// RankingStrategy names the strategy, RankingSeed its seed and
	// RankingModel the models that gave the probabilities.
	RankingStrategy = "winnow.ranking.strategy"
	RankingSeed     = "winnow.ranking.seed"
	RankingModel    = "winnow.ranking.model"
)

// RankingSchema is the columns of ranking.parquet.
func RankingSchema() table.Schema {
	return table.Schema{
		{Name: "rank", Type: table.Int64, Doc: "place in the order, from 1: the first is to be analysed first"},
		{Name: "id", Type: table.String, Doc: "id of the mutant"},
		{Name: "p_fault", Type: table.Float64, Doc: "probability that the mutant is killed only by tests that reveal a fault; NaN where no model gave one"},
		{Name: "p_kill", Type: table.Float64, Doc: "probability that some test kills the mutant; of one that tests let live, that another test does, where the model has learnt of such; NaN where no model gave one"},
	}
}
