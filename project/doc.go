// Package project is what there is to test: a program's sources, and its tests.
//
// A Project is a folder with winnow.toml (Open), which names sources, flags, tests
// and, for learning, known faulty versions. Propose and Init write that file from what is in a
// folder: CMake's own answer, a compilation database, or the C files themselves. A
// Case is one version of a program with its tests, as a run records it; a project
// has one for itself and one for each fault. Inputs resolves what a user names,
// be it files or folders, to the inputs of package program. Nothing is run here but CMake, on a
// copy.
package project
