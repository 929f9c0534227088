// Package examples holds no Go code of its own: it is the folder of small C
// programs, written for this project, on which winnow is shown and tried.
//
// Each program lies in a folder of its name with its tests (NAME.in is the
// standard input, NAME.out the standard output), with complete versions of
// itself that hold one realistic fault each, and with a winnow.toml that says
// how to build all of them. A fault is known to be real (some test reveals it)
// and hard (less than a quarter of the tests do), so that a ranking of mutants
// can be judged by the faults that its tests would have found.
//
// The tests of this package build and run everything and hold the folder, its
// winnow.toml files and its README files to each other.
package examples
