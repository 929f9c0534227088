// Package ub finds mutants whose behaviour C leaves undefined: a division by a
// constant that became 0, a[1] that became a[-1], a guard against null that lets
// null pass. What a test shows of such a mutant depends on the compiler and on what
// lies in memory, so that killing it says nothing of the tests.
//
// # Grades
//
// A Definite mutant does what C does not define on every run that comes to it,
// whatever the state is that it is reached in. Nobody should be shown it, and
// nothing can be learnt from it. A Potential one does so in some states: where
// the original's own check, or the values that its variables can have, exclude what
// the mutant does. On other states it behaves, and may be killed rightly.
//
// Both grades are about the mutant as it is: where the original is undefined already,
// a mutant of it is not held to account.
//
// A number that overflows is Potential only where what is known of its operands makes it so. A
// counter that a mutant lets run on to the end of its type is not told: it would be told of hundreds.
//
// # Analyses
//
// After Ebrahimipour (2016), who has three, on what the change does rather than on
// the name of its operator:
//
//   - values (his sign value analysis, made to look at intervals of values in place
//     of the sign of constants): divisors, widths of shifts, places in memory.
//   - allocation (his malloc pointer analysis): a pointer to the start of a block moved
//     before it, or behind a block of one element.
//   - guard (his null guard analysis): a mutant of the branch that keeps null from a
//     dereference, which lets it through.
//   - start (ours; he names the category and has no analysis): a deleted statement that
//     gave a variable its only value, and a mutant that reads one before its first value.
//   - further (ours): what the values that a mutant leaves behind do in later blocks, to divisors,
//     widths, sums of signed numbers and subscripts; a comparison that lets a bad subscript through
//     (his figure 3.5, which has no analysis) is one.
//   - null (ours): where a pointer is used that a mutant leaves null, as a deleted statement can.
//
// A called function counts for what it does on every call: the parameters that it uses memory
// through, the block that it allocates, whether it comes back.
//
// Each runs on the operations of package analysis/op. A change is looked at as the
// mutant runs it: the code that takes the place of the original's, and what
// follows it in its block with the mutated values in it, up to 256 instructions. Later blocks are
// solved for each mutant again, but for functions that have very many (package ranges).
package ub

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/mutant"
)

// Grade is how sure it is that a mutant's behaviour is undefined.
type Grade uint8

// The grades.
const (
	// Unproven: nothing was found. The mutant may be undefined all the same.
	Unproven Grade = iota
	// Potential: it is undefined in some states that it can be reached in.
	Potential
	// Definite: it is undefined whenever control comes to it.
	Definite
)

var gradeNames = [...]string{Unproven: "", Potential: "potential", Definite: "definite"}

// String is the grade in lower case, as it stands in tables; "" for Unproven.
func (g Grade) String() string { return gradeNames[g] }

// Category is what is undefined (Ebrahimipour 2016, table 3.1).
type Category uint8

// The categories.
const (
	NoCategory Category = iota
	DivisionByZero
	ShiftTooFar
	OutOfBounds
	NullDereference
	Uninitialised
	Overflow
)

var categoryNames = [...]string{
	NoCategory:      "",
	DivisionByZero:  "division by zero",
	ShiftTooFar:     "shift by too much",
	OutOfBounds:     "access out of bounds",
	NullDereference: "null dereference",
	Uninitialised:   "use of a variable without a value",
	Overflow:        "signed overflow",
}

// Categories are all categories.
func Categories() []Category {
	return []Category{DivisionByZero, ShiftTooFar, OutOfBounds, NullDereference, Uninitialised, Overflow}
}

// String is the category in words.
func (c Category) String() string { return categoryNames[c] }

// Verdict is what is known of one mutant.
type Verdict struct {
	Grade    Grade
	Category Category
	// Analysis is the name of the one that found it: values, allocation, guard, start.
	Analysis string
	// Reason says in words what goes wrong, e.g. "divides by 0".
	Reason string
	// Line is where it goes wrong, from 1; 0 where that is not known.
	Line int
}

// String is the verdict in words: what, where and why; "" where nothing was found.
func (v Verdict) String() string {
	if v.Grade == Unproven {
		return ""
	}
	return v.Category.String() + ": " + v.Told()
}

// Told is the reason with its place.
func (v Verdict) Told() string {
	if v.Line == 0 || strings.Contains(v.Reason, fmt.Sprintf("line %d", v.Line)) {
		return v.Reason
	}
	return fmt.Sprintf("line %d %s", v.Line, v.Reason)
}

// Worse is the one of two verdicts that says more, the first of equal ones.
func (v Verdict) Worse(than Verdict) Verdict {
	if than.Grade > v.Grade {
		return than
	}
	return v
}

// Judge gives verdicts on the mutants of a module's functions. Several may ask at once.
type Judge struct{ known summaries }

// NewJudge makes a judge of the functions that lowered lowers.
func NewJudge(lowered *op.Module) *Judge {
	return &Judge{summaries{lowered: lowered, of: map[*llir.Func]*summary{}}}
}

// Of gives a verdict on each mutant of a function, in their order. The function is
// as operator.Generate prepared it. It changes nothing.
func (j *Judge) Of(f *llir.Func, mutants []mutant.Mutant) []Verdict {
	fn := newFunction(&j.known, f)
	out := make([]Verdict, len(mutants))
	for i := range mutants {
		s := fn.stretch(&mutants[i])
		if s == nil {
			continue
		}
		for _, a := range analyses {
			if out[i] = out[i].Worse(a(s)); out[i].Grade == Definite {
				break
			}
		}
	}
	return out
}

// analyses are asked in turn; of findings of one grade the first stays.
var analyses = []func(*stretch) Verdict{values, guard, start, further, null}
