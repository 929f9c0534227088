// Package built records the mutants of a project that is built by its own build and
// tested by its own tests (package capture), where package campaign records programs
// that winnow builds and starts itself.
//
// The tests run first, on what the build made: those that fail, are skipped or do not
// repeat themselves are named within seconds, before anything is mutated. Then the
// units of the subject are compiled to IR with the flags of the build and mutated,
// their objects take the places of the build's own (capture.Remake), once with the mutants
// and once to probe, and package execute/command runs the tests on both.
//
// A project has more mutants than anybody reads, so that about Mutation.Most are made,
// spread over the lines, or as many as there is time for (rounds.go); they are decided in the order
// that Options.Choose says, or in one that goes over the program again and again, one mutant
// a line at a time, so that a run which is cut short has seen all of it.
package built
