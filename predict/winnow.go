package predict

// Winnow orders by what each mutant is worth beside those before it.
var Winnow = WinnowRule.Strategy("winnow",
	"Each next mutant is the one most likely to be killable, to live beside the tests before, and to lead to a test that reveals a fault, after what it loses by each mutant before it that is of the same statement, function or kind of change, or that drawn inputs do not tell from it.")

// WinnowRule was chosen on half of the problems of a history (go run ./cmd/tunerule,
// docs/results/first-twenty.md).
var WinnowRule = MarginalRule{Statement: .9, Function: .6, Trial: .9, Kind: .3, PerStatement: 2}

// Default is the order where none is asked for. On problems that neither the models nor the
// choice of the rule had seen, it is better than random order, and than all others tried, with a
// suite and without (docs/results/first-twenty.md).
var Default = Winnow
