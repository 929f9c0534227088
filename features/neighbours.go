package features

import (
	"github.com/winnow-mutants/winnow/mutant"
)

// kindOfMutant is a mutant's type without the text.
type kindOfMutant struct{ matcher, replacer string }

func kindOf(m *mutant.Mutant) kindOfMutant { return kindOfMutant{m.Matcher, m.Replacer} }

var neighbours = Family{
	Name: "neighbours",
	Doc:  "How many mutants there are around the mutant, and how many of them are of its type.",
	Columns: []Column{
		{Name: "statement_types", Unit: "types", Source: "own", Doc: "different types of the mutants on the statement"},
		{Name: "statement_sites", Unit: "sites", Source: "own", Doc: "sites of the statement that have mutants"},
		{Name: "statement_density", Unit: "mutants per instruction", Source: "own", Doc: "mutants on the statement by its instructions"},
		{Name: "function_types", Unit: "types", Source: "own", Doc: "different types of the mutants of the function"},
		{Name: "function_density", Unit: "mutants per instruction", Source: "own", Doc: "mutants of the function by its instructions"},
		{Name: "program_mutants", Unit: "mutants", Source: "own", Beyond: Others, Doc: "mutants of the module"},
		{Name: "statement_same_type", Unit: "mutants", Source: "own", Doc: "mutants on the statement of the mutant's type, itself included"},
		{Name: "function_same_type", Unit: "mutants", Source: "own", Doc: "mutants of the function of the mutant's type, itself included"},
		{Name: "function_same_type_share", Unit: "share", Source: "own", Doc: "share of the function's mutants that are of the mutant's type"},
		{Name: "program_same_type_share", Unit: "share", Source: "own", Beyond: Others, Doc: "share of the module's mutants that are of the mutant's type"},
		{Name: "statement_order", Unit: "share", Source: "own", Doc: "share of the statement's mutants that come before the mutant"},
		{Name: "site_order", Unit: "share", Source: "own", Doc: "share of the site's mutants that come before the mutant"},
	},
	Requires: []Requirement{slots},
	PerSite: func(s *site, row []float64) {
		row[0] = float64(len(s.statement.types))
		row[1] = float64(s.statement.sites)
		size := make([]float64, 6)
		s.fn.describeStatement(s, size)
		row[2] = float64(s.statement.mutants) / size[4]
		row[3] = float64(len(s.fn.types))
		row[4] = share(len(s.fn.mutants), s.fn.size)
		row[5] = float64(len(s.owner().mutants))
	},
	PerMutant: func(m *mutation, row []float64) {
		s, p, k := m.site, m.owner(), kindOf(m.Mutant)
		row[6] = float64(s.statement.types[k])
		row[7] = float64(s.fn.types[k])
		row[8] = share(s.fn.types[k], len(s.fn.mutants))
		row[9] = share(p.types[k], len(p.mutants))
		place := p.placeOf[m.index]
		row[10] = share(int(place.inStatement), s.statement.mutants)
		row[11] = share(int(place.inSite), len(s.mutants))
	},
}

// placeOfMutant is how many mutants come before one.
type placeOfMutant struct{ inStatement, inSite int32 }
