package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// WriteTableCSV writes a table with all digits; numbers that are not defined
// are empty.
func WriteTableCSV(w io.Writer, t *Table) error {
	rows := [][]string{cellsOf(t)[0]}
	for _, row := range t.Rows {
		cells := append([]string(nil), row.Keys...)
		for _, n := range row.Values {
			text := ""
			if !math.IsNaN(float64(n)) {
				text = strconv.FormatFloat(float64(n), 'g', -1, 64)
			}
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		return fmt.Errorf("writing table %s: %w", t.Name, err)
	}
	return nil
}

// WriteAnswerJSON writes a study's answer as one JSON object; numbers that are
// not defined are null, and each column names its origin.
func WriteAnswerJSON(w io.Writer, r *Answer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("writing study %s: %w", r.Study, err)
	}
	return nil
}

// WriteAnswerFiles writes all of a study's answer into a folder, which it makes:
// STUDY.txt, STUDY.json, STUDY-TABLE.csv for each table, and STUDY-FIGURE.svg
// and .png for each figure. Files of that name are replaced.
func WriteAnswerFiles(dir string, r *Answer) error {
	if err := atomicfile.MakeFolder(dir); err != nil {
		return fmt.Errorf("writing study %s: %w", r.Study, err)
	}
	put := func(name string, write func(io.Writer) error) error {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			return err
		}
		return atomicfile.Write(filepath.Join(dir, r.Study+name), out.Bytes())
	}
	err := firstError(
		put(".txt", func(w io.Writer) error { return WriteAnswer(w, r) }),
		put(".json", func(w io.Writer) error { return WriteAnswerJSON(w, r) }),
	)
	for i := range r.Tables {
		t := &r.Tables[i]
		err = firstError(err, put("-"+t.Name+".csv", func(w io.Writer) error { return WriteTableCSV(w, t) }))
	}
	for i := range r.Figures {
		f := &r.Figures[i]
		err = firstError(err,
			put("-"+f.Name+".svg", func(w io.Writer) error { return WriteFigure(w, f, "svg") }),
			put("-"+f.Name+".png", func(w io.Writer) error { return WriteFigure(w, f, "png") }))
	}
	return err
}
