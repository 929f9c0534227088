package features

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/internal/parallel"
)

// A family that panics is a bug of winnow. It must not cost the user the rows of other
// functions, or the other families: what it would have filled is missing from there to the
// end of the function, and the caller is told.

// Mishap is a bug that made features missing.
type Mishap struct {
	// Families lack their values in Functions, in the order of both.
	Families, Functions []string
	// Cause is what went wrong, and where in winnow.
	Cause string
}

// String is a warning.
func (m Mishap) String() string {
	functions := "function " + m.Functions[0]
	if n := len(m.Functions); n > 1 {
		const most = 3
		functions = fmt.Sprintf("%d functions (%s", n, strings.Join(m.Functions[:min(n, most)], ", "))
		if n > most {
			functions += ", …"
		}
		functions += ")"
	}
	return fmt.Sprintf("features of %s are missing (%s), which is a bug in winnow: please report it: %s", functions, strings.Join(m.Families, ", "), m.Cause)
}

// WithMishaps has Stream go on where a family panics, and tells report when all is done. Without it
// the panic goes to the caller.
func WithMishaps(report func(Mishap)) Option { return func(in *inputs) { in.mishap = report } }

// failure is a panic that was caught; an analysis that panicked has it in place of its
// fact, and who reads the fact panics with it.
type failure struct{ cause string }

// failureOf reads what was recovered, right after the panic.
func failureOf(recovered any) *failure {
	switch v := recovered.(type) {
	case *failure:
		return v
	case *parallel.Panic:
		if inner, ok := v.Value.(*failure); ok {
			return inner
		}
	}
	return &failure{parallel.Cause(recovered)}
}

// mishaps collect which family failed in which function.
type mishaps struct {
	mu   sync.Mutex
	seen map[lost]string // the cause
}

// lost are the values of a family in a function, by their numbers.
type lost struct{ function, family int }

func (m *mishaps) add(l lost, cause string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[lost]string{}
	}
	if _, known := m.seen[l]; !known {
		m.seen[l] = cause
	}
}

// report tells of each cause once.
func (m *mishaps) report(e *extraction) {
	var all []lost
	for l := range m.seen {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b lost) int { return cmp.Or(a.function-b.function, a.family-b.family) })
	var out []*Mishap
	of := map[string]*Mishap{}
	for _, l := range all {
		cause := m.seen[l]
		to := of[cause]
		if to == nil {
			to = &Mishap{Cause: cause}
			of[cause], out = to, append(out, to)
		}
		to.Families = appendNew(to.Families, e.families[l.family].Name)
		to.Functions = appendNew(to.Functions, e.p.functions[l.function].code.Func.Name())
	}
	for _, mishap := range out {
		e.p.inputs.mishap(*mishap)
	}
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// ask has a family fill its part of a row; false where it failed, now or for an earlier
// mutant of the function, and the part is missing.
func (e *extraction) ask(family int, f *function, part []float64, fill func()) (ok bool) {
	failed := e.p.try(fill)
	if failed != nil {
		e.mishaps.add(lost{f.rank, family}, failed.cause)
		missing(part)
	}
	return failed == nil
}

// try catches a panic, if somebody wants to be told.
func (p *program) try(do func()) (failed *failure) {
	if p.inputs.mishap != nil {
		defer func() {
			if v := recover(); v != nil {
				failed = failureOf(v)
			}
		}()
	}
	do()
	return nil
}
