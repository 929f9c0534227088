// Package campaign runs the mutants of cases against their tests and records who
// kills whom, so that no interruption loses what was done.
//
// Record takes one case through a chain of stages, each of which hands its whole result
// to the next: the tests that can be used, with what the fixed version does on them
// (suite); the program with its mutants (mutated) and their features; a look at the original
// (looked): the builds (executables), the tests in use with what the original does
// (baseline), and the mutants that they infect (probed); the sides of branches that they
// take; the runs of the mutants (killed). Who chooses the mutants to run (Choice) may ask for
// the look first. Then everything is written as the run folder that all else reads (package
// dataset). The manifest comes last, so that a run that was interrupted is not mistaken
// for a finished one. Finished parts are kept meanwhile, and a run that goes on takes
// them from there.
//
// The stages work on a bench: a builder, a case, and how its versions are run. Others use
// the stages that they need: Observe only runs the original on a project's tests, for a
// ranking; AddBranches adds the sides of branches to a finished run; FollowToExits goes
// with a renewal of features. Run records projects, one after the other; shards of one
// run, made on several machines, are joined by Merge. What runs showed is put into the
// words of tables by package verdict.
package campaign
