package features

// All returns the feature families in the order of their columns. A new family
// or column changes the schema's hash, and with it the models that fit.
func All() []Family {
	return []Family{
		complexity,
		controlFlow,
		tree,
		outData,
		inData,
		outControl,
		inControl,
		tie,
		parents,
		mutantType,
		blockKind,
		dataType,
		change,
		surroundings,
		relative,
	}
}
