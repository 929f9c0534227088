// Package foreign reads models that other tools trained, for ranking and evaluation:
// LightGBM's text and XGBoost's JSON and binary files. Package leaves
// (github.com/dmitryikh/leaves) scores by them.
//
// A model of winnow's own is a folder with a card; a foreign one is a file that somebody
// made of exported features, in Python or R. It predicts one probability, that a mutant
// reveals a fault or that it is killable: which of the two its user says.
//
// Before leaves is handed a file, this package has read all of it. leaves trusts its
// input: it allocates what a damaged length asks for, follows children in circles, and
// is silently wrong about some models. What is wrong or cannot be scored rightly is
// refused here, and three differences between the libraries are made up for:
//
//   - LightGBM writes version v4 since 4.0 and may name its objective cross_entropy, which
//     leaves does not know, though what it reads is the same.
//   - leaves goes left where a value equals a threshold, as LightGBM does. XGBoost goes
//     right, and both numbers are of 32 bits. Thresholds are lowered to the next smaller
//     such number, and values rounded to one.
//   - XGBoost keeps its first score as a probability since 1.0, as log-odds before, which
//     is what leaves expects.
//
// So a model is written anew from what was read of it, in the form that leaves reads.
//
// Which columns a model reads is said by its file, or by a file beside it (FILE.features,
// a name a line), which goes before: a table without names makes a model without names.
package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dmitryikh/leaves"

	"github.com/winnow-mutants/winnow/models/tree"
)

// ErrUnsupported is wrapped by the errors for models that are sound but that this package
// would score wrongly, or that predict no probability.
var ErrUnsupported = errors.New("this kind of model is not supported")

// FeaturesSuffix ends the name of the file that names a model's columns.
const FeaturesSuffix = ".features"

// maxBytes bounds a model's file.
const maxBytes = 1 << 30

// Model is a model of another tool. It is safe for use by several goroutines.
type Model struct {
	// Tool is LightGBM or XGBoost.
	Tool string
	// Columns names the features of a row, in order.
	Columns []string
	// Ensemble is the same model as ours, which can explain its scores; nil for
	// XGBoost's.
	Ensemble *tree.Ensemble

	leaves *leaves.Ensemble
	width  int
	round  bool // values to 32 bits
}

// Open reads a model's file and the file beside it that names its columns, if there is
// one.
func Open(path string) (*Model, error) {
	m, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the model in %s: %w", path, err)
	}
	return m, nil
}

func open(path string) (*Model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, fmt.Errorf("%d bytes: no model is so large", info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := read(text)
	if err != nil {
		return nil, err
	}
	beside, err := os.ReadFile(path + FeaturesSuffix)
	switch {
	case err == nil:
		return m, m.rename(strings.Fields(string(beside)), path+FeaturesSuffix)
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	case m.Columns == nil:
		return nil, fmt.Errorf("the file does not name the features that the model reads: write their names to %s, one a line, in their order", path+FeaturesSuffix)
	}
	return m, nil
}

// read tells the format of a file by its beginning.
func read(text []byte) (*Model, error) {
	start := text[:min(1000, len(text))]
	switch {
	case bytes.HasPrefix(start, []byte("tree\n")), bytes.HasPrefix(start, []byte("tree\r\n")):
		return readLightGBM(text)
	case bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte("{")) && bytes.Contains(start, []byte(`"learner"`)):
		return readXGBoost(text, parseJSON)
	case bytes.HasPrefix(start, []byte("{L\x00\x00\x00\x00\x00\x00\x00")):
		return nil, fmt.Errorf("%w: it looks like XGBoost's UBJSON; save it as JSON, under a name that ends in .json", ErrUnsupported)
	}
	return readXGBoost(text, parseBinary)
}

func (m *Model) rename(names []string, path string) error {
	if len(names) != m.width {
		return fmt.Errorf("%s names %d features, the model reads %d", path, len(names), m.width)
	}
	m.Columns = names
	if m.Ensemble != nil {
		for i := range m.Ensemble.Features {
			m.Ensemble.Features[i].Name = names[i]
		}
		return m.Ensemble.Validate()
	}
	return nil
}

// Predict returns the probability of each row, which holds the values of Columns, NaN
// where one is missing.
func (m *Model) Predict(rows [][]float64) ([]float64, error) {
	values := make([]float64, 0, len(rows)*m.width)
	for i, row := range rows {
		if len(row) != m.width {
			return nil, fmt.Errorf("scoring: row %d has %d values, the model reads %d features", i, len(row), m.width)
		}
		for _, x := range row {
			if m.round {
				x = float64(float32(x))
			}
			values = append(values, x)
		}
	}
	out := make([]float64, len(rows))
	if len(rows) == 0 {
		return out, nil
	}
	if err := m.leaves.PredictDense(values, len(rows), m.width, out, 0, 1); err != nil {
		return nil, fmt.Errorf("scoring: %w", err)
	}
	return out, nil
}
