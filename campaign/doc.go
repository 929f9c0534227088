// Package campaign runs the mutants of cases against their tests and records who
// kills whom, so that no interruption loses what was done.
//
// Record takes one case: it observes the version without a fault, chooses the tests
// that can be used, mutates, builds, probes, runs the mutants, and writes the run
// folder that everything else reads (package dataset); the manifest comes last, so
// that a run that was interrupted is not mistaken for a finished one. Finished
// parts are kept meanwhile, and a run that goes on takes them from there. Run does that for
// projects, one after the other; shards of one run, made on several machines, are
// joined by Merge. Probe only runs the original on a project's tests, for a ranking.
package campaign
