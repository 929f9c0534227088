// Package rank is the way from mutants to their order: their features are scored by
// a model, a strategy orders the scores, and the report says for those shown which
// features speak for them and which against.
//
// The mutants are those of a program that was just compiled (Program) or come from
// tables that were written before (Tables).
package rank
