package features

// All returns the feature families in the order of their columns.
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
		hasOperator,
		infection,
		valueRange,
		knownBits,
		loopTrips,
		propagation,
		syntax,
		metrics,
		naturalness,
		corpus,
		neighbours,
		scaled,
		ages,
		dynamic,
		spectrum,
		weak,
		sights,
	}
}
