// Package selfcheck holds winnow to what it claims of its own mutants, on programs
// with tests. No other room uses it; the commands verifytwins and verifypatches do.
//
// A mutant in the meta-mutant must behave as a module with that mutant alone
// (VerifyTwins), and the patch that shows a mutant as C must, compiled, behave as the
// mutant that runs (VerifyPatches). Where they differ because the program's behaviour
// is undefined, that is shown by builds that differ in nothing but what the C
// standard leaves open.
package selfcheck
