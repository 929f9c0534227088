// Package ci is mutation testing as a gate: the mutants of the lines that changed, the best of
// them run, and an answer whether the tests have a gap that they did not have before.
//
// What is run is chosen (choose.go): the tests are run on the original, which says how many of
// them infect each mutant in scope; the mutants are ranked by what these are likely to let live and
// another test to kill; each line's best comes before any line's second, and the first k are
// taken, or what there is time for. Verdicts
// are kept from run to run (verdicts.go) under a key of the function, the tests and the tools:
// a comment that changed runs nothing, a function that changed runs its own mutants. A change
// elsewhere in the program may change what a mutant does, which the key does not see; so a
// survivor that is about to fail a build is first run again, on every test that reaches it,
// and nothing of that comes from the store.
//
// The gate (gate.go) compares survivors with a baseline, by their ids, which do not depend on
// lines: what was accepted before is no news.
package ci
