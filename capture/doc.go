// Package capture builds a C project the way the project builds itself, writes down
// what that did, and proposes what to mutate and which tests to run.
//
// A project's own build is the only place that knows which of its files are compiled,
// with which flags, against which generated headers, and what they are linked into.
// Reading makefiles finds some of that and guesses the rest; here nothing is guessed
// that the build can be asked.
//
// # How
//
//  1. The project is copied into a work folder (copy.go), with times, since make goes
//     by them. The project itself is not touched: its fingerprint is compared at the
//     end.
//  2. The copy is looked at for how it is built (detect.go). Systems lists the ways,
//     the preferred one first; Capture.System says which was taken and why. Where one
//     cannot be built, has no tests, or most of its tests fail, the next is tried.
//  3. Its steps run, without network and with limits on time and memory where the
//     system allows that (confine_linux.go), with stand-ins for compilers, linkers,
//     archivers and make's shell first on PATH (package note). Out of tree where that
//     is the custom, which are CMake and Meson; everything else builds in the copy.
//  4. The log becomes units, products and what these are made of (packages command and
//     graph): flags by an allow-list, files known by what they hold.
//  5. The project's tests are listed: by CTest and Meson, which have lists; for
//     automake by its own harness with a test driver in it that only writes down what
//     it is to run; for plain makefiles by running the target and seeing which lines of
//     recipes it ran, and would run again. A suite of Autotest is parted (autotest.go).
//  6. Each test runs once, while TestTime lasts, and the products that it opens are
//     noted: programs that it starts, libraries that it loads, whatever scripts lie
//     between.
//  7. Products get roles (roles.go) and the subject is chosen by the tests that reach
//     it (propose.go). Options.Target and Options.Exclude overrule that.
//  8. Scripts by which libtool starts programs are told what they would find out each
//     time (libtool.go): the tests run thousands of times from here on.
//
// # Tests of makefiles
//
// A test of a plain makefile is a line of a recipe that runs more than tools. Lines of
// one target are one test where one of them writes a file that another names
// (./prog <a >b, cmp b c); each such test is then run on its own, without what others
// left behind. Where one fails that way and passed as part of the target, all lines of
// the target are taken as one test, and if that fails, too, the target of make itself.
// A target that only links a program named as a test stands for running that program.
//
// # Roles
//
// A product is a fuzzer, benchmark, example, contribution or test by its name, its
// folder or those of its sources; a generator if a recipe of the build runs it and no
// test does; a test program if it is built for the tests alone. Everything else is a
// program or library that could be the subject. Sources of the subject that the build
// generated, that are tests, or that are others' work (gnulib, a folder with a
// configure of its own) are left out, each with the reason.
//
// # What it cannot do
//
// Compilers that are called by an absolute path are seen only where make's variables
// name them. A compile_commands.json without a build says nothing about linking: each
// main is linked with all other objects. Values that a makefile computes with $(shell)
// while its tests run are those of the original program in the tests' command lines.
// Tests that need the network fail, and are named. On systems other than Linux there
// is neither confinement nor a watch on what tests open; products are then found by
// name in commands and scripts.
//
// # The serialised form
//
// Capture.Write keeps a capture as JSON beside winnow.toml. Paths below the work folder
// are relative to it, and {work} stands for it in commands, so that capturing a project
// twice gives the same bytes. Read refuses other versions.
package capture
