// Package project is what there is to test: a program's sources, and its tests.
//
// A Project is a folder with winnow.toml (Open), which names sources, flags, tests and,
// for learning, known faulty versions. A Case is one version of a program with its
// tests, as a run records it; a project has one for itself and one for each fault
// (Cases). Inputs resolves what a user names, be it files or folders, to the inputs of
// package program. How a build compiles is read by package compdb, and a folder without
// a project file gets one from package discover. Nothing is run here.
package project
