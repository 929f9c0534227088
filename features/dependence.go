package features

var outData = Family{
	Name:     "outdata",
	Doc:      "The mutants on expressions that depend through data on the mutated expression: what it writes, they read.",
	Columns:  tallyColumns("out_data", "on expressions that depend through data on the mutated one", "FaRM 6", "FaRM 20"),
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		on := relations.of(s.fn)
		tally(row).add(s.fn, on.sitesOn(on.sinks(s.nodes)))
	},
}

var inData = Family{
	Name:     "indata",
	Doc:      "The mutants on expressions that the mutated expression depends on through data: its operands, and what wrote the memory it reads.",
	Columns:  tallyColumns("in_data", "on expressions that the mutated one depends on through data", "FaRM 7", "FaRM 21"),
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		on := relations.of(s.fn)
		tally(row).add(s.fn, on.sitesOn(on.sources(s.nodes)))
	},
}

var outControl = Family{
	Name:     "outcontrol",
	Doc:      "The mutants on statements that run or not as the mutated expression decides; none unless it is a condition.",
	Columns:  tallyColumns("out_control", "on statements that the mutated expression controls", "FaRM 8", "FaRM 22"),
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		if on := relations.of(s.fn); on.isCondition(s.nodes) {
			copy(row, on.controlledBy(s.block))
		}
	},
}

var inControl = Family{
	Name:     "incontrol",
	Doc:      "The mutants on conditions that decide whether the mutated expression runs.",
	Columns:  tallyColumns("in_control", "on conditions that control the mutated expression", "FaRM 9", "FaRM 23"),
	Requires: []Requirement{relations},
	PerSite:  func(s *site, row []float64) { copy(row, relations.of(s.fn).controlling(s.block)) },
}

var tie = Family{
	Name: "tie",
	Doc:  "The mutants that touch an instruction which the mutant touches too.",
	Columns: []Column{
		{Name: "tie", Unit: "mutants", Source: "FaRM 10", Doc: "mutants on the same expression, this one included"},
		{Name: "site_mutants", Unit: "mutants", Source: "own", Doc: "mutants that replace exactly the same instructions"},
	},
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		on := relations.of(s.fn)
		for _, k := range on.distinct(on.onItem, s.items) {
			row[0] += float64(len(s.fn.sites[k].mutants))
		}
		row[1] = float64(len(s.mutants))
	},
}

var parents = Family{
	Name: "parents",
	Doc:  "The same counts for the expressions that have the mutated one as an operand, and the types of the mutants on them.",
	Columns: append([]Column{
		{Name: "parent_out_data", Unit: "mutants", Source: "FaRM 11", Doc: "mutants that depend through data on a parent"},
		{Name: "parent_in_data", Unit: "mutants", Source: "FaRM 12", Doc: "mutants that a parent depends on through data"},
		{Name: "parent_out_control", Unit: "mutants", Source: "FaRM 13", Doc: "mutants on statements that a parent controls"},
		{Name: "parent_in_control", Unit: "mutants", Source: "FaRM 14", Doc: "mutants on conditions that control a parent"},
		{Name: "parent_tie", Unit: "mutants", Source: "FaRM 15", Doc: "mutants on a parent"},
	}, bagColumns("parent", "on a parent", "FaRM 19")...),
	Requires: []Requirement{relations},
	PerSite: func(s *site, row []float64) {
		on := relations.of(s.fn)
		parents := on.parents(s.nodes)
		if len(parents) == 0 {
			return
		}
		row[0] = on.mutantsOn(on.sinks(parents))
		row[1] = on.mutantsOn(on.sources(parents))
		if on.isCondition(parents) {
			row[2] = on.controlledBy(s.block)[0]
		}
		row[3] = on.controlling(s.block)[0]
		bag := newTally()
		bag.add(s.fn, on.sitesOn(parents))
		copy(row[4:], bag)
	},
}

// mutantsOn counts the mutants on a set of expressions.
func (r *dependences) mutantsOn(nodes []int) float64 {
	n := 0
	for _, k := range r.sitesOn(nodes) {
		n += len(r.f.sites[k].mutants)
	}
	return float64(n)
}
