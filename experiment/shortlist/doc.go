// Package shortlist judges orders by what a tester reads: the first k mutants, on a
// screen, of all that there are.
//
// A list is judged by what a test for each of its mutants would do. The test is drawn from
// those that kill the mutant, and nothing is simulated: the chance that one of the tests
// reveals the fault, and the share of the minimal mutants that they kill (subsuming mutation
// score: Ammann, Delamaro and Offutt, "Establishing theoretical minimal sets of mutants",
// 2014) are exact. This is the list as it is printed. A tester who passes over what the
// tests before have killed already reads further down; that walk is played.
//
// Lists are made without tests, and beside a suite: a quarter or a half of the tests that do
// not reveal the fault, of which the mutants that they kill are not listed. All are judged
// on the tests that are not in the half, so that they differ in nothing else.
//
// Beside the strategies stand k random tests without any mutant, and three orders that are
// made of the truth: the killable oracle and the oracle of package simulate, and the coupling
// oracle, which knows every kill and nothing of the fault. How far an order comes from random
// order to the coupling oracle is the unit in which orders are compared.
package shortlist
