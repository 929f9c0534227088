package report

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/internal/number"
)

// qualityColumns are the figures of a Quality in the order of the tables.
func qualityColumns(q *crossval.Quality) (names []string, figures []number.Float) {
	add := func(name string, n number.Float) {
		names, figures = append(names, name), append(figures, n)
	}
	add("base_rate", q.BaseRate)
	add("auc", q.AUC)
	add("auc_low", q.AUCLow)
	add("auc_high", q.AUCHigh)
	add("subject_auc_median", q.SubjectAUCMedian)
	add("subject_auc_mean", q.SubjectAUCMean)
	add("average_precision", q.AveragePrecision)
	add("brier", q.Brier)
	add("ece", q.ECE)
	for _, top := range q.Top {
		add("precision@"+top.Top.String(), top.Precision)
		add("recall@"+top.Top.String(), top.Recall)
		add("f1@"+top.Top.String(), top.F1)
	}
	return names, figures
}

// writeQualityCSV writes one line for each quality.
func writeQualityCSV(w io.Writer, qualities []*crossval.Quality) error {
	var rows [][]string
	for i, q := range qualities {
		names, figures := qualityColumns(q)
		if i == 0 {
			rows = append(rows, append([]string{"learnt", "judged", "subjects", "mutants"}, names...))
		}
		row := []string{q.Learnt, q.Judged, fmt.Sprint(q.Subjects), fmt.Sprint(q.Mutants)}
		for _, n := range figures {
			row = append(row, digits(n))
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// writeQualityText writes one column for each quality, for people.
func writeQualityText(w io.Writer, qualities []*crossval.Quality) error {
	if len(qualities) == 0 {
		return nil
	}
	header, judged := []string{"learnt"}, []string{"judged"}
	subjects, mutants := []string{"subjects"}, []string{"mutants"}
	names, _ := qualityColumns(qualities[0])
	lines := make([][]string, len(names))
	for _, q := range qualities {
		header, judged = append(header, q.Learnt), append(judged, q.Judged)
		subjects = append(subjects, fmt.Sprint(q.Subjects))
		mutants = append(mutants, fmt.Sprint(q.Mutants))
		_, figures := qualityColumns(q)
		for i, n := range figures {
			if len(lines[i]) == 0 {
				lines[i] = []string{names[i]}
			}
			lines[i] = append(lines[i], dashed(n, 3))
		}
	}
	return writeRuled(w, append([][]string{header, judged, subjects, mutants}, lines...))
}
