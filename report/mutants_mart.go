package report

// MartMutant describes a mutant in the fields of Mart's mutantsInfos.json, an
// object keyed by the mutant's number.
type MartMutant struct {
	// Type is the name of the rule.
	Type     string
	FuncName string
	// IRPosInFunc are the places, from 0 over the whole function, of the
	// instructions that the mutant touches.
	IRPosInFunc []int
	// SrcLoc is file:line:column, or "" where nothing is known.
	SrcLoc string
}

// MartEqual describes a removed mutant in the fields of Mart's
// equidup-mutantsInfos.json.
type MartEqual struct {
	MartMutant
	// EquivalentDuplicateOf is the number of the mutant that it equals, "0" for
	// the original. Mart writes the key without a t.
	EquivalentDuplicateOf string `json:"EquivalenDuplicateOf"`
}
