package dataset

import "strings"

// FixedSuffix ends the fault's name of a run of the version without the fault:
// "v1.fixed" beside "v1". Such a run says what the mutants of the fixed version do
// on the tests of the faulty one's run, for questions about the clean program
// assumption (is the fixed version a stand-in for the faulty one?). Nothing is learnt
// from it: a developer has the faulty version.
const FixedSuffix = ".fixed"

// OfFixed says that the run is of a fixed version.
func (m *Manifest) OfFixed() bool { return strings.HasSuffix(m.Fault, FixedSuffix) }
