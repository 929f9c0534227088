package program

import (
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// Mutation says which mutants a program has. The zero value is all that the
// default operators make, without those that the default passes show to be
// equal to the original or to another one.
type Mutation struct {
	// Rules make the mutants; nil means the default operators.
	Rules *rule.Set
	// Passes compare the mutants (tce.All); the zero list is the first.
	Passes tce.PassList
	// Large and Window say what is compared in windows, as in tce.Options; 0
	// means as it does.
	Large, Window int
	// Scope says where mutants are wanted; the zero value is everywhere. Its
	// Inputs are the program's.
	Scope scope.Options
	// Most, when not 0, bounds the mutants before they are compared, about: they are
	// spread over the lines, so many a line as there is room for, and where there are
	// more lines than that, over some of the lines.
	Most int
	// KeepUndefined keeps mutants whose behaviour C leaves undefined whenever control
	// comes to them (package ub).
	KeepUndefined bool
	// Unjudged keeps all mutants as they are made, for a build that nobody is shown the
	// mutants of: none is compared, and of none it is asked whether its C text can be changed,
	// or whether a macro has made it.
	Unjudged bool
	// Further stages are asked about what the others leave open; Program.Open then says
	// what they know of the mutants that stay.
	Further []equiv.Stage
	// PerLine, when not 0, is how many mutants a line has at most, spread in the same way.
	PerLine int
	// Unreached, when not nil, says of which lines it is known that no test runs them. They
	// have a mutant each at most, and a fifth of Most together: a list of such lines
	// says as much as their mutants do.
	Unreached func(file string, line int) bool
	// Keep are ids of mutants that there are whatever Most and PerLine say.
	Keep map[string]bool
	// Only, when not nil, has the ids of the mutants to make, whatever else is said.
	Only map[string]bool
	// Nothing makes no mutants: the program is only compiled.
	Nothing bool
}

// Removed is a mutant that no stage works with, and why.
type Removed struct {
	// Mutant has the selector 0, which is no mutant's, and no edit.
	Mutant mutant.Mutant
	// Kind is why; Of is the id of the mutant that a duplicate equals.
	Kind equiv.Kind
	Of   string
	// Evidence is the method that found it, with what it found of an undefined mutant;
	// of an invalid one what LLVM's verifier says.
	Evidence string
	// Reason says in words what the evidence rests on; it may be "".
	Reason string
	// Unit is where it was made.
	Unit *Unit
}

// Suppressed is a mutant that the source asks not to make, and why.
type Suppressed struct {
	// Mutant has the selector 0, which is no mutant's, and no edit.
	Mutant mutant.Mutant
	Reason string
}

// Count returns how many mutants were removed for a reason.
func (p *Program) Count(kind equiv.Kind) int {
	n := 0
	for i := range p.Removed {
		if p.Removed[i].Kind == kind {
			n++
		}
	}
	return n
}

// invalidNotes name the operators that made invalid mutants.
func (p *Program) invalidNotes() []string {
	counts, first := map[string]int{}, map[string]*Removed{}
	for i := range p.Removed {
		r := &p.Removed[i]
		if r.Kind != equiv.Invalid {
			continue
		}
		if counts[r.Mutant.Operator]++; counts[r.Mutant.Operator] == 1 {
			first[r.Mutant.Operator] = r
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		r := first[name]
		out = append(out, fmt.Sprintf("%d mutants of operator %s are no valid programs and are left out, which is a bug in winnow: please report it; the first is %s at %s:%d: %s",
			counts[name], name, r.Mutant.ID, paths.Relative("", r.Mutant.File), r.Mutant.Line, r.Evidence))
	}
	return out
}
