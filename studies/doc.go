// Package studies holds the studies of the dissertation as values: FaRM's seven
// research questions (chapter 6), the mutant quality indicators (chapter 5) and
// the test criteria (chapter 4).
//
// A Study reads a Material, the subjects of a history and the learners to
// compare, and returns a report.Answer: tables and figures as data, each column marked
// with where its numbers are from. Figures that were published stand in columns
// of their own beside those measured here. What the history does not let one
// compute is said in Answer.Missing; there is no other number in its place.
// Laying answers out is package report's business.
//
// To add a study, write its file and list it in All. Studies share what is
// expensive: a Material cross-validates each learner once, whoever asks, and
// simulates all strategies on the same folds.
//
// Open makes the Material of a history. Learners are handed in (Contender): this package
// trains nothing itself. FaRM as it was published is here too, for whoever wants it
// judged beside another learner, and so is what its features were published to be worth.
// Only commands import this package: no other room rests on what a paper says.
package studies
