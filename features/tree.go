package features

import (
	"github.com/winnow-mutants/winnow/analysis/expr"
)

var tree = Family{
	Name: "tree",
	Doc:  "The mutated expression and its neighbours in the tree of expressions, conversions looked through.",
	Columns: append([]Column{
		{Name: "tree_parents", Unit: "expressions", Source: "FaRM 5", Doc: "expressions that have the mutated one as an operand"},
		{Name: "tree_ancestors", Unit: "expressions", Source: "own", Doc: "expressions around the mutated one in its statement"},
		{Name: "child_identifier", Source: "FaRM 24", Doc: "an operand is a variable or a parameter"},
		{Name: "child_literal", Source: "FaRM 25", Doc: "an operand is a constant"},
		{Name: "child_operator", Source: "own", Doc: "an operand is an expression with an operator of its own"},
	}, append(kindColumns("parent_is_", "FaRM 16", "the mutated expression is an operand of an expression of the kind: "),
		kindColumns("expression_is_", "own", "the mutant touches an expression of the kind: ")...)...),
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		around := relations.of(s.fn)
		parents := around.parents(s.nodes)
		row[0] = float64(len(parents))
		row[1] = float64(len(around.ancestors(s.nodes)))
		kinds := len(expr.Kinds())
		for _, n := range s.nodes {
			for _, o := range s.fn.forest.Nodes[n].Operands {
				row[childColumn[o.Kind]] = 1
			}
			row[5+kinds+int(s.fn.forest.Nodes[n].Kind)] = 1
		}
		for _, p := range parents {
			row[5+int(s.fn.forest.Nodes[p].Kind)] = 1
		}
	},
}

var childColumn = map[expr.OperandKind]int{expr.Variable: 2, expr.Literal: 3, expr.Expression: 4}

func kindColumns(prefix, source, doc string) []Column {
	var out []Column
	for _, k := range expr.Kinds() {
		out = append(out, Column{Name: prefix + k.String(), Source: source, Doc: doc + k.String()})
	}
	return out
}

// hasOperator is FaRM's "child has operator", which the dissertation's worked
// example makes true of `m--`, whose only operand is a name: what counts is the
// mutated expression itself.
var hasOperator = Family{
	Name:    "operator",
	Doc:     "Whether the mutated expression computes anything.",
	Columns: []Column{{Name: "has_operator", Source: "FaRM 26", Doc: "the mutated expression has an operator"}},
	PerSite: func(s *site, row []float64) {
		for _, n := range s.nodes {
			if k := s.fn.forest.Nodes[n].Kind; k != expr.Other && k != expr.Identifier && !k.IsStatement() {
				row[0] = 1
			}
		}
	},
}
