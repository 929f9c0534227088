package foreign

import (
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/models"
)

// Paths are the files of the models to score by. Either may be "".
type Paths struct{ Fault, Kill string }

// Load opens the models and makes a bundle of them. Its card says little more than what
// they read: the hash of what the columns mean is left to the caller, who knows what they
// mean today; that the models learned from the same is their user's claim.
func Load(paths Paths) (*models.Bundle, error) {
	b := &models.Bundle{Foreign: &models.Foreign{}}
	var opened []*Model
	for _, part := range []struct {
		path     string
		score    *func([][]float64) ([]float64, error)
		ensemble **models.Ensemble
	}{{paths.Fault, &b.Foreign.Fault, &b.Fault}, {paths.Kill, &b.Foreign.Kill, &b.Kill}} {
		if part.path == "" {
			continue
		}
		m, err := Open(part.path)
		if err != nil {
			return nil, err
		}
		opened = append(opened, m)
		*part.ensemble = m.Ensemble
		*part.score = func(rows [][]float64) ([]float64, error) { return m.among(rows, b.Card.Features) }
		if b.Card.Name != "" {
			b.Card.Name, b.Card.Version = b.Card.Name+"+", b.Card.Version+"+"
		}
		b.Card.Name, b.Card.Version = b.Card.Name+filepath.Base(part.path), b.Card.Version+m.Tool
		for _, name := range m.Columns {
			if !slices.Contains(b.Card.Features, name) {
				b.Card.Features = append(b.Card.Features, name)
			}
		}
	}
	for _, m := range opened {
		if !slices.Equal(m.Columns, b.Card.Features) {
			b.Fault, b.Kill = nil, nil // whoever explains rows by them would mistake the columns
		}
	}
	return b, nil
}

// among is Predict for rows of the named columns, of which the model reads some.
func (m *Model) among(rows [][]float64, names []string) ([]float64, error) {
	if slices.Equal(names, m.Columns) {
		return m.Predict(rows)
	}
	places := make([]int, len(m.Columns))
	for i, name := range m.Columns {
		places[i] = slices.Index(names, name)
	}
	own := make([][]float64, len(rows))
	for i, row := range rows {
		own[i] = make([]float64, len(places))
		for k, at := range places {
			own[i][k] = row[at]
		}
	}
	return m.Predict(own)
}
