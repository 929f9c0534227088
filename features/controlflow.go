package features

import (
	"strings"

	"github.com/winnow-mutants/winnow/analysis/block"
)

var controlFlow = Family{
	Name: "controlflow",
	Doc:  "Where the mutant's block lies in the control flow of its function.",
	Columns: []Column{
		{Name: "cfg_depth", Unit: "edges", Source: "FaRM 2", Doc: "least number of edges from the function's entry; missing when it is not reached"},
		{Name: "cfg_predecessors", Unit: "blocks", Source: "FaRM 3", Doc: "blocks before the mutant's"},
		{Name: "cfg_successors", Unit: "blocks", Source: "FaRM 4", Doc: "blocks after the mutant's"},
		{Name: "exit_distance", Unit: "edges", Source: "own", Doc: "least number of edges to the function's end; missing when it is not reached"},
		{Name: "loop_depth", Unit: "loops", Source: "own", Doc: "loops around the mutant's block"},
		{Name: "controlling_conditions", Unit: "blocks", Source: "own", Doc: "blocks whose branch decides whether the mutant's runs"},
	},
	Requires: []Requirement{distances, loopNest, controlDependence},
	PerSite: func(s *site, row []float64) {
		g, far := graph.of(s.fn), distances.of(s.fn)
		row[0] = orMissing(far.fromEntry[s.block])
		row[1] = float64(len(g.Preds[s.block]))
		row[2] = float64(len(g.Succs[s.block]))
		row[3] = orMissing(far.toExit[s.block])
		row[4] = float64(loopNest.of(s.fn).Depth[s.block])
		for _, a := range controlDependence.of(s.fn).Controllers[s.block] {
			if a != s.block {
				row[5]++
			}
		}
	},
}

var blockKind = Family{
	Name:     "blockkind",
	Doc:      "What part of a C statement the mutant's block is, from the shape of the control flow.",
	Columns:  blockKindColumns(),
	Requires: []Requirement{blockKinds},
	PerSite:  func(s *site, row []float64) { row[blockKinds.of(s.fn)[s.block]] = 1 },
}

func blockKindColumns() []Column {
	var out []Column
	for _, k := range block.Kinds() {
		out = append(out, Column{Name: "block_" + strings.ReplaceAll(k.String(), " ", "_"), Source: "FaRM 18",
			Doc: "the mutant's block is of the kind: " + k.String()})
	}
	return out
}
