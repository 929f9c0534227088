package tree

import (
	"fmt"
	"slices"
)

// Compiled is some ensembles over the same features, arranged for scoring many rows
// fast. It gives the very bits of Ensemble.Raw.
//
// Rows are scored in blocks of 64, a bit of a word each. First every question that
// some node asks is answered for the block, as a word of the rows that it sends right
// (questions.go): a feature is looked at once, however many nodes of however many
// ensembles read it. Then a tree is walked by all rows at a time, without a branch:
// the word of the rows that reach a node and the answer to its question give the words
// of those that reach its children (walk.go).
//
// Compiled is safe for use by several goroutines.
type Compiled struct {
	features  int
	asked     []askedFeature // ascending
	questions int
	parts     []compiledPart
	values    []float64 // of leaves, tree after tree, by code
	widest    int       // nodes and leaves of the largest tree
}

// compiledPart is one of the ensembles.
type compiledPart struct {
	objective Objective
	trees     []walkTree
}

// Compile arranges e. It fails when e is not valid.
func Compile(e *Ensemble) (*Compiled, error) { return CompileAll(e) }

// CompileAll arranges ensembles, at least one, that read the same features.
func CompileAll(ensembles ...*Ensemble) (*Compiled, error) {
	c := &Compiled{}
	q := newQuestions()
	for k, e := range ensembles {
		if err := e.Validate(); err != nil {
			return nil, fmt.Errorf("compiling: %w", err)
		}
		if k > 0 && !slices.Equal(e.Names(), ensembles[0].Names()) {
			return nil, fmt.Errorf("compiling: ensemble %d reads other features than the first", k)
		}
		c.features = len(e.Features)
		for i := range e.Trees {
			for j := range e.Trees[i].Nodes {
				q.add(&e.Trees[i].Nodes[j])
			}
		}
	}
	c.asked, c.questions = q.number()
	for _, e := range ensembles {
		part := compiledPart{objective: e.Objective}
		for i := range e.Trees {
			part.trees = append(part.trees, c.addTree(&e.Trees[i], q))
		}
		c.parts = append(c.parts, part)
	}
	c.values = append(c.values, make([]float64, codeValues)...) // windows reach beyond the last tree
	return c, nil
}

// Reads lists the features that some tree reads, ascending.
func (c *Compiled) Reads() []int {
	out := make([]int, 0, len(c.asked))
	for i := range c.asked {
		out = append(out, int(c.asked[i].feature))
	}
	return out
}

// RawColumns returns the raw scores by the first ensemble, as Ensemble.Raw does, of a
// column-major table: columns[f][r] is feature f of row r. Columns that Reads does not
// list may be nil.
func (c *Compiled) RawColumns(columns [][]float64, rows int) ([]float64, error) {
	if err := c.checkColumns(columns, rows); err != nil {
		return nil, err
	}
	return c.scores(c.parts[:1], rows, columnMajor(columns))[0], nil
}

// PredictColumns is RawColumns with the predictions, as Ensemble.Predict gives them.
func (c *Compiled) PredictColumns(columns [][]float64, rows int) ([]float64, error) {
	out, err := c.RawColumns(columns, rows)
	c.parts[0].link(out)
	return out, err
}

// PredictAll returns the predictions for rows by each of the ensembles. It fails when a
// row has another width than the model.
func (c *Compiled) PredictAll(rows [][]float64) ([][]float64, error) {
	if err := c.checkRows(rows); err != nil {
		return nil, err
	}
	return c.linked(c.scores(c.parts, len(rows), rowMajor(rows))), nil
}

// PredictAllColumns is PredictColumns by each of the ensembles.
func (c *Compiled) PredictAllColumns(columns [][]float64, rows int) ([][]float64, error) {
	if err := c.checkColumns(columns, rows); err != nil {
		return nil, err
	}
	return c.linked(c.scores(c.parts, rows, columnMajor(columns))), nil
}

func (c *Compiled) checkRows(rows [][]float64) error {
	for i, row := range rows {
		if len(row) != c.features {
			return fmt.Errorf("scoring: row %d has %d values, the model reads %d features", i, len(row), c.features)
		}
	}
	return nil
}

func (c *Compiled) checkColumns(columns [][]float64, rows int) error {
	if len(columns) != c.features {
		return fmt.Errorf("scoring: the table has %d columns, the model %d features", len(columns), c.features)
	}
	for i := range c.asked {
		if f := c.asked[i].feature; len(columns[f]) != rows {
			return fmt.Errorf("scoring: column %d has %d values for %d rows", f, len(columns[f]), rows)
		}
	}
	return nil
}

func (c *Compiled) linked(scores [][]float64) [][]float64 {
	for k := range scores {
		c.parts[k].link(scores[k])
	}
	return scores
}

func (p *compiledPart) link(scores []float64) {
	for i, raw := range scores {
		scores[i] = p.objective.Link(raw)
	}
}

// blockRows is the number of rows that are scored at a time: the bits of a word.
const blockRows = 64

// feature gives the values of a feature for n rows from one on, which it may write
// into the space it is given.
type feature func(f int32, from, n int, space *[blockRows]float64) []float64

func rowMajor(rows [][]float64) feature {
	return func(f int32, from, n int, space *[blockRows]float64) []float64 {
		for i, row := range rows[from : from+n] {
			space[i] = row[f]
		}
		return space[:n]
	}
}

func columnMajor(columns [][]float64) feature {
	return func(f int32, from, n int, _ *[blockRows]float64) []float64 { return columns[f][from : from+n] }
}

// scores returns the raw scores of rows by some parts.
func (c *Compiled) scores(parts []compiledPart, rows int, read feature) [][]float64 {
	out := make([][]float64, len(parts))
	for k := range out {
		out[k] = make([]float64, rows)
	}
	var space [blockRows]float64
	answers, reach := make([]uint64, c.questions), make([]uint64, c.widest)
	var ranks rankMasks
	for from := 0; from < rows; from += blockRows {
		n := min(blockRows, rows-from)
		for i := range c.asked {
			a := &c.asked[i]
			a.answer(read(a.feature, from, n, &space), answers, &ranks)
		}
		for k := range parts {
			var sums [blockRows]float64
			for i := range parts[k].trees {
				c.walk(&parts[k].trees[i], answers, reach, &sums)
			}
			copy(out[k][from:], sums[:n])
		}
	}
	return out
}
