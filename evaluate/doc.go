// Package evaluate holds the studies: does a ranking of mutants find faults
// earlier than chance, and can a model tell good mutants from bad ones on
// programs it has not seen?
//
// The unit of every study is a Subject: one faulty program with its mutants,
// which tests kill each of them and which tests reveal the fault.
//
//   - Simulate plays a developer who follows a ranking, kills mutant after
//     mutant with a random test of the pool and finds the fault or does not.
//   - CrossValidate trains on some subjects and scores the others, never with
//     two subjects of one group (problem or program) on both sides.
//   - Compare and Assess turn the outcomes of the two into a Comparison and a
//     Quality, which print as text, CSV and JSON.
//
// Metrics, statistics and mutant indicators are in the packages metric,
// significance and indicator below. Randomness comes from named streams: a
// result depends on the seed, not on the number of workers nor on the order
// of the subjects.
//
// Source of the procedures: T. Titcheu Chekam's dissertation, sections 2.5
// (statistics, APFD) and 6.5 (prediction, selection and prioritization); where
// it leaves a choice open, the comments say what was chosen.
package evaluate
