// Package report writes results for people and programs: tables, JSON and
// Parquet.
//
// A report is a plain value that a stage of package pipeline fills; the
// functions here only lay it out. The same report gives the same bytes.
// Predicted figures are always named as probabilities, never as verdicts.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// Ranking is the mutants of one program in the order in which a tester should
// look at them.
type Ranking struct {
	Program  string `json:"program"`
	Model    string `json:"model"`
	Strategy string `json:"strategy"`
	// Total is how many mutants were ranked, of which Mutants are the first.
	Total   int      `json:"total"`
	Mutants []Ranked `json:"mutants"`
	// Skipped lists the functions that were left alone, with the reason.
	Skipped []string `json:"skipped,omitempty"`
}

// Ranked is one mutant with its place.
type Ranked struct {
	ID          string `json:"id"`
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Type        string `json:"type"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	Rank        int    `json:"rank"`
	// PFault and PKill are predicted: the probability to be killed only by
	// tests that reveal a fault, and to be killable at all. NaN without a model.
	PFault Probability `json:"p_fault"`
	PKill  Probability `json:"p_kill"`
	// Reasons are the features that moved the score most.
	Reasons []Reason `json:"reasons,omitempty"`
}

// Reason is one feature's share in a score, in log-odds.
type Reason struct {
	Feature string  `json:"feature"`
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
}

// Probability is a number in [0, 1] or NaN, which JSON shows as null.
type Probability float64

// MarshalJSON writes NaN as null.
func (p Probability) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(p)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(p))
}

func (p Probability) String() string {
	if math.IsNaN(float64(p)) {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(p))
}

func (r Reason) String() string { return fmt.Sprintf("%s=%.4g (%+.2f)", r.Feature, r.Value, r.Weight) }

// WriteJSON writes the ranking as one JSON object.
func (r *Ranking) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	return nil
}

// maxChange bounds the change column of the table, in characters.
const maxChange = 72

// WriteTable writes the ranking for a terminal.
func (r *Ranking) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d of %d mutants, strategy %s, model %s (probabilities are predictions)\n\n",
		r.Program, len(r.Mutants), r.Total, r.Strategy, orNone(r.Model))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "rank\tplace\tfunction\tchange\tp(fault)\tp(kill)\twhy")
	for _, m := range r.Mutants {
		reasons := make([]string, len(m.Reasons))
		for i, reason := range m.Reasons {
			reasons[i] = reason.String()
		}
		fmt.Fprintf(tw, "%d\t%s:%d:%d\t%s\t%s\t%v\t%v\t%s\n", m.Rank, m.File, m.Line, m.Column, m.Function,
			cut(m.Original+" → "+m.Replacement, maxChange), m.PFault, m.PKill, strings.Join(reasons, ", "))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "not mutated: %s\n", s)
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// RankingSchema is the columns of a ranking in Parquet (docs/formats).
func RankingSchema() table.Schema {
	return table.Schema{
		{Name: "rank", Type: table.Int64, Doc: "place in the order, from 1"},
		{Name: "id", Type: table.String, Doc: "id of the mutant"},
		{Name: "file", Type: table.String, Doc: "source file"},
		{Name: "line", Type: table.Int64, Doc: "line of the change, from 1; 0 if not known"},
		{Name: "column", Type: table.Int64, Doc: "byte of the line, from 1; 0 if not known"},
		{Name: "function", Type: table.String, Doc: "function it is in"},
		{Name: "operator", Type: table.String, Doc: "operator family"},
		{Name: "type", Type: table.String, Doc: "fragment matched and fragment put in its place"},
		{Name: "original", Type: table.String, Doc: "the C text that is replaced"},
		{Name: "replacement", Type: table.String, Doc: "the C text put in its place"},
		{Name: "p_fault", Type: table.Float64, Doc: "predicted probability to be killed only by fault-revealing tests"},
		{Name: "p_kill", Type: table.Float64, Doc: "predicted probability to be killable"},
	}
}

// Table is the ranking as a table with RankingSchema.
func (r *Ranking) Table() (*table.Table, error) {
	t, err := table.New(RankingSchema())
	if err != nil {
		return nil, err
	}
	for _, m := range r.Mutants {
		err := t.Append(int64(m.Rank), m.ID, m.File, int64(m.Line), int64(m.Column), m.Function, m.Operator, m.Type,
			m.Original, m.Replacement, float64(m.PFault), float64(m.PKill))
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// WriteParquet writes the ranking as a Parquet file.
func (r *Ranking) WriteParquet(w io.Writer) error {
	t, err := r.Table()
	if err != nil {
		return fmt.Errorf("writing the ranking: %w", err)
	}
	return table.Encode(w, t)
}
