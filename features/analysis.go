package features

import (
	"fmt"
	"slices"
)

// Requirement is an analysis, whatever it is of and finds.
type Requirement interface {
	// needs are the analyses that this one reads.
	needs() []Requirement
	// prepare finds what is of the whole program, before any function is gone through.
	prepare(p *program)
	String() string
}

// subject is what an analysis can be of.
type subject interface {
	*program | *function | *site | *mutation
	owner() *program
	known() *findings
}

// analysis is a fact R of a T that families share. It is found once for each T: of the
// program before all else, of the others when a family asks for it first. The driver
// keeps it as long as it is at work on the T, and drops it with it. So what is found may
// hold scratch space of its own: a function, its sites and its mutants belong to one
// worker. What is found of the program is read by all workers, and must not change.
type analysis[T subject, R any] struct {
	name     string
	requires []Requirement
	find     func(T) R
}

// of is what the analysis finds of t.
func (a *analysis[T, R]) of(t T) R {
	found := t.known()
	for i := range *found {
		if (*found)[i].by == Requirement(a) {
			return factOf[R]((*found)[i])
		}
	}
	if p := t.owner(); !p.required[a] || p.prepared && any(t) == any(p) {
		panic(fmt.Sprintf("features: the analysis %s is read where no family requires it", a))
	}
	var fact R
	if failed := t.owner().try(func() { fact = a.find(t) }); failed != nil {
		*found = append(*found, finding{a, failed}) // it is not tried again for each mutant
		panic(failed)
	}
	*found = append(*found, finding{a, fact})
	return fact
}

// factOf is what was found, unless it could not be.
func factOf[R any](f finding) R {
	if failed, ok := f.fact.(*failure); ok {
		panic(failed)
	}
	return f.fact.(R)
}

func (a *analysis[T, R]) needs() []Requirement { return a.requires }

func (a *analysis[T, R]) prepare(p *program) {
	if whole, ok := any(p).(T); ok {
		p.try(func() { a.of(whole) })
	}
}

func (a *analysis[T, R]) String() string { return a.name }

// findings are what analyses found of one subject: a few, so that a list is the fastest
// map.
type findings []finding

type finding struct {
	by   Requirement
	fact any
}

func (f *findings) known() *findings { return f }

// sweep is an analysis of all mutants of a program together that takes long. It is cut
// into tasks, which the driver runs beside the functions; what they find is known
// when all are done, and read by the PerProgram of families alone.
type sweep[R any] struct {
	name     string
	requires []Requirement
	// plan cuts the work into tasks, which may run at the same time; join sums up what
	// they found.
	plan func(p *program) (tasks []func(), join func() R)
}

// of is what the sweep found of a program.
func (s *sweep[R]) of(p *program) R {
	for i := range p.swept {
		if p.swept[i].by == Requirement(s) {
			return factOf[R](p.swept[i])
		}
	}
	panic(fmt.Sprintf("features: the sweep %s is read where no family requires it, or before it is done", s))
}

func (s *sweep[R]) needs() []Requirement { return s.requires }

func (s *sweep[R]) prepare(p *program) {
	var tasks []func()
	var join func() R
	failures := []*failure{p.try(func() { tasks, join = s.plan(p) })}
	for _, task := range tasks {
		k := len(failures)
		failures = append(failures, nil)
		p.tasks = append(p.tasks, func() { failures[k] = p.try(task) })
	}
	p.joins = append(p.joins, func() {
		var fact R
		k := slices.IndexFunc(failures, func(f *failure) bool { return f != nil })
		if k < 0 {
			failures = append(failures, p.try(func() { fact = join() }))
			k = len(failures) - 1
		}
		if failures[k] != nil {
			p.swept = append(p.swept, finding{s, failures[k]})
			return
		}
		p.swept = append(p.swept, finding{s, fact})
	})
}

func (s *sweep[R]) String() string { return s.name }

// prepare notes what families require, and finds what is of the whole program.
func (p *program) prepare(families []Family) {
	var order []Requirement // each after those that it needs
	var add func(list []Requirement)
	add = func(list []Requirement) {
		for _, r := range list {
			if !p.required[r] {
				p.required[r] = true
				add(r.needs())
				order = append(order, r)
			}
		}
	}
	for i := range families {
		add(families[i].Requires)
	}
	for _, r := range order {
		r.prepare(p)
	}
	p.prepared = true
}
