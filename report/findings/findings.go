// Package findings is a recorded run as its readers see it: every mutant with what became
// of it, in the order in which to look at them, and what that says of each function.
//
// Pages, annotations and files for other tools are all written from it, so that they agree
// on what a gap is: the survivors of one line that the same tests reach and infect. One
// test is likely to tell them all from the original, so that one of them stands for all.
package findings

import (
	"math"
	"path"
	"path/filepath"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report"
)

// Status is what became of a mutant.
type Status string

// What can become of a mutant. The first four were run or could have been; the others were
// left out before.
const (
	Survived   Status = "survived"   // tests run it, and none notices
	Unreached  Status = "unreached"  // no test runs it
	Unknown    Status = "unknown"    // it was not run, or its runs said nothing
	Killed     Status = "killed"     // a test notices
	Equivalent Status = "equivalent" // it behaves as the original on every input
	Duplicate  Status = "duplicate"  // it behaves as another mutant
	Undefined  Status = "undefined"  // it does what C leaves undefined
	Suppressed Status = "suppressed" // the source asks not to make it
	Invalid    Status = "invalid"    // it is no program
)

// Statuses lists them in the order in which readers want them.
func Statuses() []Status {
	return []Status{Survived, Unreached, Unknown, Killed, Equivalent, Duplicate, Undefined, Suppressed, Invalid}
}

// WasRun says that the status is one of a mutant that was to be run.
func (s Status) WasRun() bool {
	return s == Survived || s == Unreached || s == Unknown || s == Killed
}

// Finding is one mutant and what became of it.
type Finding struct {
	ID                          string
	File                        string
	Line, Column                int // from 1; 0 where not known
	Function, Operator, Rule    string
	Original, Replacement       string
	Status                      Status
	Why                         string // in words
	UnitTest                    string // statements of C that tell it, where a call does; "" for none
	Of                          string // id of the mutant that a duplicate equals
	Undefined                   string // what C may leave undefined in what it does, if anything
	Rank                        int    // from 1; 0 where it has none
	PFault, PKill               float64
	Edit                        *Edit // nil where no change of the C text stands for it
	Told                        bool  // an input or a call is known that tells it
	Reached, Infected, KilledBy matrix.Bits
	Gap                         int // of a survivor: its gap among Run.Gaps; else -1
	// Known survivors were accepted before: a baseline names them.
	Known bool
}

// Edit is a change of a file: the bytes from Start to End give way to Text.
type Edit struct {
	File       string
	Start, End int
	Text       string
}

// Gap is survivors of one line that the same tests see in the same way.
type Gap struct {
	// Lead is the place of the one that stands for all among Run.Findings: the first that an
	// input or a call tells, if there is one. Alike are the others.
	Lead  int
	Alike []int
}

// Function is what the tests make of one function.
type Function struct {
	File, Name                                    string
	Line                                          int // the first with a mutant
	Mutants, Killed, Survived, Unreached, Unknown int
	Gaps                                          int
}

// Score is the killed share of the mutants, a lower bound; NaN without any.
func (f *Function) Score() float64 {
	if f.Mutants == 0 {
		return math.NaN()
	}
	return float64(f.Killed) / float64(f.Mutants)
}

// File is a source as it was when it was mutated.
type File struct{ Name, Text string }

// Run is a recorded run.
type Run struct {
	Program, Fault string
	// Root is the project's folder as seen from the repository's, for those who show findings
	// there; "" where they are the same.
	Root string
	// Tool is the version of winnow that recorded it, Order says how the mutants are ordered.
	Tool, Order string
	Tests       []string
	// Whole says that every test that can kill a mutant was run on it.
	Whole bool
	Files []File
	// Findings are in the order in which to look at them: those with a rank first.
	Findings []Finding
	// Gaps are in the order of their leads: what tests reach first, and of that what an input or
	// a call tells, which some test kills.
	Gaps []Gap
	// Functions are those with the most gaps first.
	Functions []Function
	// Coverage is what the tests cover by each criterion; nil where that is not asked.
	Coverage []report.Coverage
}

// Name is the program's, with the fault's.
func (r *Run) Name() string {
	if r.Fault == "" {
		return r.Program
	}
	return r.Program + "/" + r.Fault
}

// Path is a file as seen from the repository.
func (r *Run) Path(file string) string {
	return path.Join(filepath.ToSlash(r.Root), filepath.ToSlash(file))
}

// News are the gaps that no baseline knows.
func (r *Run) News() []Gap {
	var out []Gap
	for _, g := range r.Gaps {
		if !r.Findings[g.Lead].Known {
			out = append(out, g)
		}
	}
	return out
}

// Count counts the mutants of a status.
func (r *Run) Count(s Status) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Status == s {
			n++
		}
	}
	return n
}

// Ran counts the mutants that were to be run.
func (r *Run) Ran() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Status.WasRun() {
			n++
		}
	}
	return n
}

// Text is the text of a file, "" where it is not known.
func (r *Run) Text(file string) string {
	for i := range r.Files {
		if r.Files[i].Name == file {
			return r.Files[i].Text
		}
	}
	return ""
}
