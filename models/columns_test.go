package models_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models"
)

func TestATableMayHaveMoreColumnsThanAModelReads(t *testing.T) {
	depth, uses, kind := models.Column{Name: "depth", Definition: "edges"}, models.Column{Name: "uses"}, models.Column{Name: "type"}
	b := &models.Bundle{Card: models.Card{Name: "m", Features: []string{"depth", "uses", "type"},
		Schema: models.HashColumns([]models.Column{depth, uses, kind})}}
	for _, table := range [][]models.Column{{depth, uses, kind}, {kind, {Name: "new"}, depth, uses}} {
		if err := b.CheckSchema(table); err != nil {
			t.Errorf("%v: %v", table, err)
		}
	}
	wider := models.Column{Name: "depth", Definition: "blocks"}
	for _, c := range []struct {
		table []models.Column
		want  string
	}{
		{[]models.Column{wider, uses, kind}, "the same names but definitions"},
		{[]models.Column{depth, kind}, `the table has no column uses (`},
		{[]models.Column{depth}, `no column uses, type (`},
		{nil, `no column depth, uses, type (`},
	} {
		err := b.CheckSchema(c.table)
		var schema *models.SchemaError
		if !errors.Is(err, models.ErrSchema) || !errors.As(err, &schema) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want %q in %v", c.table, c.want, err)
		}
	}
	b.Card.Features = append(b.Card.Features, "a", "b")
	if err := b.CheckSchema(nil); !strings.Contains(err.Error(), "and 2 more") {
		t.Error(err)
	}
}

func TestTheHashOfColumnsTellsNamesOrderAndDefinitions(t *testing.T) {
	a, b := models.Column{Name: "a", Definition: "x"}, models.Column{Name: "b", Definition: "x"}
	seen := map[string]bool{}
	for _, list := range [][]models.Column{{a, b}, {b, a}, {a}, {a, {Name: "b", Definition: "y"}}, nil} {
		seen[models.HashColumns(list)] = true
	}
	if len(seen) != 5 || models.HashColumns([]models.Column{a}) != models.HashColumns([]models.Column{a}) {
		t.Errorf("hashes %v", seen)
	}
}
