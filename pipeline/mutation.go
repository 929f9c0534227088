package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
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
	// Nothing makes no mutants: the program is only compiled.
	Nothing bool
}

// Removed is a mutant that no stage works with, and why.
type Removed struct {
	// Mutant has the selector 0, which is no mutant's.
	Mutant mutant.Mutant
	// Kind is why; Of is the id of the mutant that a duplicate equals.
	Kind equiv.Kind
	Of   string
	// Evidence is the method that found it or, of an invalid mutant, what
	// LLVM's verifier says.
	Evidence string
}

// Suppressed is a mutant that the source asks not to make, and why.
type Suppressed struct {
	// Mutant has the selector 0, which is no mutant's.
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

// generate makes the mutants of all units, numbered through.
func (p *Program) generate(rules *rule.Set) {
	next := operator.Options{FirstSelector: 1, Rules: rules}
	for _, u := range p.Units {
		if u.Input.Harness {
			continue
		}
		next.Source = u.Source
		r := operator.Generate(u.Module, next)
		u.Mutants = r.Mutants
		next.FirstSelector += int32(len(r.Mutants))
		next.FirstSite += r.Sites
		next.FirstStatement += r.Statements
		p.Generated += len(r.Mutants)
	}
	p.Sites = next.FirstSite
	makeIDsUnique(p.Units)
}

// restrict takes out the mutants that the user did not ask for.
func (p *Program) restrict(ctx context.Context, opts scope.Options) error {
	for _, u := range p.Units {
		opts.Inputs = append(opts.Inputs, u.Input.Path)
	}
	s, err := scope.New(ctx, opts)
	if err != nil {
		return err
	}
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		if err := s.AddSource(u.Source); err != nil {
			return err
		}
	}
	if err := s.Validate(p.Mutants()); err != nil {
		return err
	}
	for _, u := range p.Units {
		kept := u.Mutants[:0]
		for _, m := range u.Mutants {
			d := s.Decide(&m)
			if d.Keep() {
				kept = append(kept, m)
				continue
			}
			m.Selector = 0
			if d.By == scope.BySource {
				p.Suppressed = append(p.Suppressed, Suppressed{m, d.Why})
			} else {
				p.OutOfScope++
			}
		}
		clear(u.Mutants[len(kept):])
		u.Mutants = kept
	}
	p.number()
	return nil
}

// removeEqual takes out the mutants that the passes tie to the original or to
// an earlier mutant, and those that are no valid programs. Functions are
// compared only within a unit.
func (p *Program) removeEqual(ctx context.Context, tools *clang.Toolchain, mutation Mutation, workers int) error {
	opts := tce.Options{Passes: mutation.Passes, Large: mutation.Large, Window: mutation.Window, Workers: workers}
	for _, u := range p.Units {
		verdicts, err := tce.Decide(ctx, tools, u.Module, u.Mutants, opts)
		if err != nil {
			return err
		}
		p.remove(u, verdicts)
	}
	return nil
}

// remove takes out the mutants of a unit that a verdict speaks against. There
// is one verdict a mutant.
func (p *Program) remove(u *Unit, verdicts []equiv.Verdict) {
	if len(u.Mutants) == 0 {
		return
	}
	first := u.Mutants[0].Selector
	ids := make([]string, len(u.Mutants))
	for i := range u.Mutants {
		ids[i] = u.Mutants[i].ID
	}
	kept := u.Mutants[:0]
	for i, m := range u.Mutants {
		v := verdicts[i]
		if v.Kind == equiv.Distinct {
			kept = append(kept, m)
			continue
		}
		m.Selector = 0
		r := Removed{Mutant: m, Kind: v.Kind, Evidence: v.Evidence}
		if v.Kind == equiv.Duplicate {
			r.Of = ids[v.Of-first]
		}
		p.Removed = append(p.Removed, r)
	}
	clear(u.Mutants[len(kept):])
	u.Mutants = slices.Clip(kept)
}

// number gives the mutants that are left selectors without holes. Their order
// stays, so that a site's mutants, and a function's, have consecutive ones.
func (p *Program) number() {
	next := int32(1)
	for _, u := range p.Units {
		for i := range u.Mutants {
			u.Mutants[i].Selector = next
			next++
		}
	}
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
			counts[name], name, r.Mutant.ID, relative("", r.Mutant.File), r.Mutant.Line, r.Evidence))
	}
	return out
}
