package predict

// SDL prefers statement deletions (dissertation, chapter 6, baseline SDL: the
// types whose replacement is DELSTMT, 2 % of the mutants in the median).
var SDL = Strategy{
	Name:       "sdl",
	Randomized: true,
	Doc:        "SDL: statement deletions come first, in random order, then the other mutants in random order.",
	Prepare:    preferring(IsDeletion),
}

// IsDeletion says whether the mutant deletes a statement: whether SDL selects it.
func IsDeletion(s *Score) bool { return fragment(s.Replacer) == "DELSTMT" }
