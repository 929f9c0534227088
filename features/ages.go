package features

import "math"

// Ages tells what version control knows of a line of the user's files: how many
// days ago it was last changed, and how many commits changed it. ok is false
// where it does not know. It may be called by several goroutines.
type Ages func(file string, line int) (days, commits float64, ok bool)

var ages = Family{
	Name: "history",
	Doc:  "What version control knows of the mutant's line. Missing unless a history is given.",
	Columns: []Column{
		{Name: "line_age", Unit: "log2 days", Source: "own", Beyond: History, Doc: "days since the line was last changed, as log2(1 + x)"},
		{Name: "line_commits", Unit: "commits", Source: "own", Beyond: History, Doc: "commits that changed the line"},
	},
	PerSite: func(s *site, row []float64) {
		row[0], row[1] = math.NaN(), math.NaN()
		m, ages := s.first(), s.owner().inputs.ages
		if ages == nil || m.Line <= 0 {
			return
		}
		if days, commits, ok := ages(m.File, m.Line); ok {
			row[0], row[1] = math.Log2(1+days), commits
		}
	},
}
