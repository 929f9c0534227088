// Package importer records histories from faults that are known already: those of
// Codeflaws, and pairs of a faulty and a fixed version that anyone may have.
//
// An import makes a case of each fault and has package campaign record it. What it
// adds is the choice of faults, the order and the number of workers, which change no
// byte of the history, and the going on of an import that was interrupted. A renewal
// computes the features of a history again, with the families of today; the criteria
// add what the studies compare (branches, fixed versions) to a history made before.
package importer
