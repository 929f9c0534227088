// Package dataset turns histories of runs into data to learn from.
//
// A history is a folder of run folders at any depth. A run folder is one
// subject, one version of one program: its mutants, their features, which tests
// kill them and, where a fixed version is known, which tests reveal the fault.
// WriteSubject and Seal make run folders, OpenHistory finds them, and a Label says of
// each mutant what is to be learnt (package experiment puts that beside the features).
//
// What is not known stays so: a mutant whose label depends on a test that was
// not run or is flaky has the label NaN.
//
// Package dataset/codeflaws reads the Codeflaws benchmark.
package dataset
