package experiment

import (
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models"
)

// ColumnsOf describes the features of a table to a model.
func ColumnsOf(schema table.Schema) []models.Column {
	out := make([]models.Column, 0, len(schema))
	for _, c := range schema[1:] { // the first is the id
		out = append(out, models.Column{Name: c.Name, Definition: features.Definition(c)})
	}
	return out
}
