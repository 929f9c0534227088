// Package study holds the studies of the dissertation as values: FaRM's seven
// research questions (chapter 6), the mutant quality indicators (chapter 5) and
// the test criteria (chapter 4).
//
// A Study reads a Material, the subjects of a history and the learners to
// compare, and returns a Result: tables and figures as data, each column marked
// with where its numbers are from. Figures that were published stand in columns
// of their own beside those measured here. What the history does not let one
// compute is said in Result.Missing; there is no other number in its place.
// Laying results out is package report's business.
//
// To add a study, write its file and list it in All. Studies share what is
// expensive: a Material cross-validates each learner once, whoever asks, and
// simulates all strategies on the same folds.
//
// Learners are handed in (Contender): this package trains nothing itself.
package study
