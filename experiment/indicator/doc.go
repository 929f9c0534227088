// Package indicator says which mutants are good ones, from what the tests of a
// pool do to them: who is killable, who reveals the fault, who is hard to kill
// and who subsumes whom.
//
// A mutant is here its killing set: the tests of the pool that kill it. Sets
// of mutants are given as a list of killing sets and answered as positions in
// that list. A mutant without killing test belongs to no class but "not
// killable": with this pool it cannot be told from an equivalent mutant.
//
// All thresholds are compared in integers, so that 1 test of 20 is exactly 5 %.
//
// Source: T. Titcheu Chekam's dissertation, chapter 5 (definitions and the
// study of how the indicators relate) and chapter 6 (labels of FaRM).
package indicator
