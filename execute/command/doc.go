// Package command runs mutants against tests that are commands: a shell script,
// a test program that is linked with a mutated library, what "make check" or
// CTest starts. Package execute runs programs that read their input and print;
// this one runs whatever starts them.
//
// # The mutated program takes the place of the built one
//
// The project was built in a folder, the base. Building it again with mutated
// objects changes some of its files: those are a layer. A run sees the layer over
// the base, at the path where the project was built, so that scripts, libtool's
// wrappers and paths that CMake wrote down find what they look for. Each process
// of a run that holds mutated code reads from its environment which mutant is
// on (runtime/select.c); scripts and tools between it and the command need not
// know.
//
// # What a run is
//
// A run is (test, mutant) → how the command ended and, where that is asked for,
// what it printed. The test kills the mutant when this differs from the
// original's. Of a test that passes whatever the program does, what it prints is compared
// (blind.go). A test that fails without any mutant, that says it was skipped, or
// that does not behave the same when it runs again says nothing, and is set aside.
//
// # Which runs are made
//
// One run of the probing build a test says which sites the test reaches and which
// mutants it infects (mutant/schemata, Probe). Other pairs survive without a run. A command takes milliseconds
// to minutes, so the tests of a mutant are run until one kills it, those that
// did least work first; what comes behind has no verdict (execute.CauseStopped).
// Options.Matrix runs them all.
//
// A command whose own process is a program with mutated code is started once a worker, and each run is
// a fork of it (fork server, forkserver_linux.go), where the original does the same work so.
//
// # Confinement
//
// A worker is this very executable, started once more in user, mount, process,
// network and IPC namespaces (Main). It sees the file system read-only, except
// for the project and the folders for temporary files, which are its own, in
// memory and of bounded size, and empty again before the next run. There is no network but
// the loopback of the namespace. The worker is the first process of its
// namespace: when a command ends, whatever it left behind is killed. A command
// has none of the namespace's privileges, and cannot gain any. It may read what the
// user may read. Where a machine allows no namespaces of users, root's worker has the others
// alone; where it allows none, Start fails with ErrNoNamespaces.
//
// # Limits
//
// Loops are cut by the counter of work in the program, a multiple of what the
// original used in any one process on the same test (limits.go); the clock is a fence for
// what the counter does not see. Memory and the size of files are limited by the
// kernel.
package command
