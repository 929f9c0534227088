package predict

// Random is the uniform baseline (dissertation, chapter 6, DummyRandom).
var Random = Strategy{
	Name:       "random",
	Aliases:    []string{"dummyrandom"},
	Randomized: true,
	Doc:        "DummyRandom: every order of the mutants is equally likely.",
	Prepare:    shuffled,
}
