// Package predict turns what is known of the mutants of one program before any
// of them is executed into an order of work.
//
// It has three parts. A Scorer runs two trained models over the mutants'
// feature rows and gives each mutant two probabilities: to reveal a fault and
// to be killable. A Strategy is a rule that turns scores into an order, best
// mutant first; the rules of FaRM and the baselines they are compared with are
// listed in All, one file each. A Top cuts an order to the first so many
// mutants or the first so many percent.
//
// Nothing here can see a kill or start a program: a ranking that needed one
// would be of no use to somebody who has not run the mutants yet.
//
// Source of the rules: T. Titcheu Chekam, M. Papadakis, T. F. Bissyandé,
// Y. Le Traon and K. Sen, "Selecting fault revealing mutants", Empirical
// Software Engineering 25 (2020), and the dissertation's chapter 6.
package predict
