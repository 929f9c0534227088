package features

import (
	"slices"

	"github.com/llir/llvm/ir/types"
)

var mutantType = Family{
	Name:    "type",
	Doc:     "The mutant's own type: what it matches and what it puts in.",
	Columns: ownTypeColumns(),
	PerMutant: func(m *mutation, row []float64) {
		for _, column := range halvesOf(m.Mutant) {
			row[column] = 1
		}
	},
}

func ownTypeColumns() []Column {
	var out []Column
	for _, m := range matchers {
		out = append(out, Column{Name: "matcher_" + m, Source: "FaRM 17", Doc: "the mutant matches the fragment: " + m})
	}
	for _, r := range replacers {
		out = append(out, Column{Name: "replacer_" + r, Source: "FaRM 17", Doc: "the mutant puts in the fragment: " + r})
	}
	return out
}

// dataTypes are the types that values are told apart by.
var dataTypes = []string{"i1", "i8", "i16", "i32", "i64", "float", "double", "pointer", "struct", "other"}

var dataType = Family{
	Name:    "datatype",
	Doc:     "The types of the mutated expression's operands and of its value, before conversions.",
	Columns: dataTypeColumns(),
	PerSite: func(s *site, row []float64) {
		for _, n := range s.nodes {
			for _, o := range s.fn.forest.Nodes[n].Operands {
				row[dataTypeOf(o.Type)]++
			}
		}
		if len(s.nodes) == 0 {
			return
		}
		if t := s.fn.forest.Nodes[s.nodes[len(s.nodes)-1]].Type; t != nil && !t.Equal(types.Void) {
			row[len(dataTypes)+dataTypeOf(t)] = 1
		}
	},
}

func dataTypeColumns() []Column {
	var out []Column
	for _, t := range dataTypes {
		out = append(out, Column{Name: "operands_" + t, Unit: "operands", Source: "FaRM 27", Doc: "operands of type " + t})
	}
	for _, t := range dataTypes {
		out = append(out, Column{Name: "value_" + t, Source: "FaRM 28", Doc: "the mutated expression's value is of type " + t})
	}
	return out
}

func dataTypeOf(t types.Type) int {
	name := "other"
	switch t := t.(type) {
	case *types.IntType:
		name = t.String()
	case *types.FloatType:
		name = t.String()
	case *types.PointerType:
		name = "pointer"
	case *types.StructType, *types.ArrayType:
		name = "struct"
	}
	if k := slices.Index(dataTypes, name); k >= 0 {
		return k
	}
	return len(dataTypes) - 1
}
