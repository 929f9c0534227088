// Package rank is the way from mutants to their order: a model scores their features,
// a strategy orders the scores, and the report says of those shown which features speak
// for them and which against.
//
// There is one way (Order), whatever the mutants come from. A Source is the mutants, what
// is shown of each, and their features in groups of rows: of a program that was just
// compiled, whose features are computed when they are first read (OfProgram), or of
// tables that were written before, of which a group is in memory at a time (OpenTables).
// Where tests may be run, a source also observes the original program on them, for models
// that read dynamic features and for a budget. No mutant is ever run.
//
// A source may have no features: tables of mutants alone. A strategy that reads neither
// probabilities nor features then ranks without the model, and a note says so; any other
// ends with an error. What goes wrong is a typed error (NeedsTests, TableError,
// models.SchemaError, predict.ErrNoScores): what a user can do about it is for the
// command line to say.
package rank
