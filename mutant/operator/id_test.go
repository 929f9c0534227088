package operator

import "testing"

// Code of a header has the same ids in each file that includes it, for it is changed in one place; a
// file's own code has not.
func TestCodeOfAHeaderHasTheSameIdsInEachFileThatIncludesIt(t *testing.T) {
	of := func(module, file string) string {
		maker := &idMaker{module: module, taken: map[id]struct{}{}}
		return maker.in("f").next(file, "return a + b;", Proposal{Matcher: "ADD", Replacer: "SUB"})
	}
	if of("one.c", "include/x.h") != of("two.c", "include/x.h") {
		t.Error("a header's mutant has other ids in other files")
	}
	if of("one.c", "one.c") == of("two.c", "two.c") || of("one.c", "one.c") == of("one.c", "include/x.h") {
		t.Error("mutants of different files have one id")
	}
}
