package equiv

import (
	"context"
	"fmt"
	"iter"
	"time"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// Stage is one way to find mutants that equal the original or each other. It is a
// constant value; to add one, write its package and list it in cascade.All.
type Stage struct {
	// Name is one word, with which the Evidence of the stage's verdicts starts.
	Name string
	// Doc says in one sentence what the stage compares, and where it is from.
	Doc string
	// Cost is the CPU time that the stage takes for a mutant, to an order of
	// magnitude. The cascade asks stages in the order of it.
	Cost time.Duration
	// Decide gives a verdict on every mutant of every batch, by way of the batch's
	// Done, and returns the time that its workers were busy. It asks for a batch
	// when it has room for one, and forgets it when its verdicts are told, so that
	// memory is bounded by what is looked at just then; it may look at many at a
	// time. It changes neither modules nor mutants. A mutant that it cannot decide
	// is Unknown, and no error.
	Decide func(ctx context.Context, p Program, batches iter.Seq[Batch]) (busy time.Duration, err error)
}

// Program is what a stage may know of the whole program: the modules that are
// linked together, those without mutants among them. A function that none of them
// defines is a library's.
type Program struct {
	Modules []*ir.Module
	// Mishap is told of a bug of winnow's that cost a function the verdicts of a stage. Where it is nil, the
	// panic goes to the caller of Decide.
	Mishap func(Mishap)
}

// Mishap is a bug that left the mutants of a function unknown to a stage.
type Mishap struct {
	Function string
	// Cause is what went wrong, and where in winnow.
	Cause string
}

// String is a warning.
func (m Mishap) String() string {
	return fmt.Sprintf("the mutants of function %s are compared no further, which is a bug in winnow: please report it: %s", m.Function, m.Cause)
}

// Batch is the mutants of one function that no earlier stage has decided.
type Batch struct {
	// Module is the function's, one of the program's, as operator.Generate has
	// prepared it and made the mutants from it, before schemata.Build. The batches
	// of a module come one after the other.
	Module *ir.Module
	Func   *llir.Func
	// Mutants are in selector order. Selectors tell the mutants of a function apart.
	Mutants []mutant.Mutant
	// Done is told the verdicts, in the order of the mutants: once, at any time,
	// and from any goroutine. It may block until a later stage has room.
	Done func([]Verdict)
}

// Report is what a stage cost and found.
type Report struct {
	Stage string
	// Mutants are those that the stage was asked about.
	Mutants int
	// Equivalent, Duplicate, Invalid and Different are its verdicts; Unseen counts those of the
	// others that it could not look at (Verdict.Evidence).
	Equivalent, Duplicate, Invalid, Different, Unseen int
	// Busy is how long its workers were at work, together.
	Busy time.Duration
}

// Add counts verdicts.
func (r *Report) Add(verdicts []Verdict) {
	r.Mutants += len(verdicts)
	for i := range verdicts {
		switch v := &verdicts[i]; {
		case v.Kind == Equivalent:
			r.Equivalent++
		case v.Kind == Duplicate:
			r.Duplicate++
		case v.Kind == Invalid:
			r.Invalid++
		case v.Kind == Different:
			r.Different++
		case v.Evidence == "":
			r.Unseen++
		}
	}
}
