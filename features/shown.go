package features

// shownBy is what orders of sets read (package predict): not how often the trials show a
// mutant but on which inputs, so that one sees which mutants a test for another one kills.
var shownBy = Family{
	Name: "shown",
	Doc: "On which drawn inputs the trials of the families trials and programtrials show the mutant. Sets of two mutants compare where the inputs are the same: those of the program where it is entered by the same function (program_entry_kind), or those of one function. " +
		"The number of inputs, the sets and the kinds measure nothing: no model learns from them, orders of sets read them. " +
		"Missing where there is no trial.",
	Columns: []Column{
		{Name: "program_shown_set", Unit: UnitSet, Source: "own", Beyond: Calls, Doc: "the drawn inputs of the program that show the mutant"},
		{Name: "program_shown_kind", Unit: UnitKind, Source: "own", Beyond: Calls | Order | Others, Doc: "mutants of the same number show the same first difference on each of these inputs; missing where none shows the mutant"},
		{Name: "program_tried_set", Unit: UnitSet, Source: "own", Beyond: Calls, Doc: "all drawn inputs of the program"},
		{Name: "trial_shown_set", Unit: UnitSet, Source: "own", Beyond: Calls, Doc: "the drawn inputs of its function that show the mutant"},
		{Name: "trial_shown_kind", Unit: UnitKind, Source: "own", Beyond: Calls | Order | Others, Doc: "mutants of the same number show the same first difference on each of these inputs; missing where none shows the mutant"},
		{Name: "trial_tried_set", Unit: UnitSet, Source: "own", Beyond: Calls, Doc: "all drawn inputs of its function"},
		{Name: "program_entry_kind", Unit: UnitKind, Source: "own", Beyond: Calls | Order | Others, Doc: "mutants of the same number are tried from the same function by which the program is entered, so that their sets of the program's inputs compare"},
	},
	Requires: []Requirement{functionTrials, rootTrials},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if !m.site.fn.isRoot() {
			functionTrials.of(m.site.fn)[m.index].fillShown(row[3:6])
		}
	},
	PerProgram: func(m *mutation, row []float64) {
		t := rootTrials.of(m.owner()).trials[m.index]
		t.fillShown(row[:3])
		if m.site.fn.isRoot() {
			t.fillShown(row[3:])
		}
		if t != nil && t.ran {
			row[6] = float64(1 + rootTrials.of(m.owner()).entryOf[m.index].number)
		}
	},
}

// kindBits are those of a hash that a float64 holds.
const kindBits = 52

// fillShown fills the sets and the kind of a trial; they stay missing where there is none.
func (t *tried) fillShown(row []float64) {
	if t == nil || !t.ran {
		return
	}
	row[0], row[2] = float64(t.shown), float64(uint64(1)<<t.inputs-1)
	if t.shown != 0 {
		row[1] = float64(t.first >> (64 - kindBits))
	}
}
