package program

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/cascade"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/origin"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/ub"
)

// mutating makes a program's mutants function by function: a function's mutants
// are made when an opt process has room for them, and compared while those of the
// next are made. What is not kept loses its recipe at once.
type mutating struct {
	program *Program
	rules   *rule.Set
	watch   *scope.Watch
	// ids are those taken, where there are several units.
	ids map[string]bool
	// origins tell the code of macros apart.
	origins map[*Unit]origin.Map
	// functions are those with mutants, in order.
	functions []*mutatedFunction
	// spread chooses some of the mutants; nil is all.
	spread *spread
	// keepUndefined is Mutation.KeepUndefined.
	keepUndefined bool
	// only is Mutation.Only.
	only map[string]bool
	// deep says that stages were asked for that say why they leave mutants open.
	deep bool
	// making is the time spent on making mutants.
	making time.Duration
}

// mutatedFunction is what becomes of a function's mutants.
type mutatedFunction struct {
	unit    *Unit
	kept    []mutant.Mutant
	removed []Removed
	// undefined are the verdicts on those kept, nil where none was asked for.
	undefined []ub.Verdict
	// open has the verdicts on those that stay, by id, where further stages were asked; else
	// nil.
	open map[string]equiv.Verdict
}

// mutate makes the mutants of the compiled units. Mutants are made while others
// are compared: the phases share the time that passes.
func (p *Program) mutate(ctx context.Context, tools *clang.Toolchain, opts Mutation, workers int) error {
	start := time.Now()
	m, err := newMutating(ctx, p, opts)
	if err != nil {
		return err
	}
	if opts.Unjudged {
		m.keepUndefined = true
		return m.compare(ctx, m.made(), nil)
	}
	if err := m.findOrigins(ctx, tools, workers); err != nil {
		return err
	}
	stages := cascade.All(cascade.Options{Tools: tools,
		TCE: tce.Options{Passes: opts.Passes, Large: opts.Large, Window: opts.Window, Workers: workers}})
	stages, m.deep = append(stages, opts.Further...), len(opts.Further) > 0
	err = m.compare(ctx, m.made(), stages)
	if err != nil {
		return err
	}
	if err := p.findTextless(ctx, workers); err != nil {
		return err
	}
	p.Phases = append(p.Phases, Phase{"generate", m.making.Seconds()})
	start = start.Add(m.making)
	p.phase("equivalence", &start)
	return nil
}

// findOrigins looks in every unit for code that macros make. Where the compiler refuses
// what its own preprocessor made, nothing is known of that code, and its mutants say so.
func (m *mutating) findOrigins(ctx context.Context, tools *clang.Toolchain, workers int) error {
	found, err := parallel.Map(ctx, workers, m.program.Units, func(ctx context.Context, _ int, u *Unit) (origin.Map, error) {
		if u.Source == nil || u.Input.Harness {
			return nil, nil
		}
		found, err := origin.Of(ctx, tools.In(u.Input.Directory), u.Module, u.Source, u.Input.Flags)
		if refused := (*clang.Error)(nil); errors.As(err, &refused) && ctx.Err() == nil && exit.Of(err) != exit.System {
			return nil, nil
		}
		return found, err
	})
	m.origins = map[*Unit]origin.Map{}
	for k, of := range found {
		m.origins[m.program.Units[k]] = of
	}
	return err
}

// findTextless has the mutants say so for which no change of the C text is found: with those
// that their operator knows of, they are all that have no patch.
func (p *Program) findTextless(ctx context.Context, workers int) error {
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		patcher := patch.New(u.Source)
		if _, err := parallel.Map(ctx, workers, u.Mutants, func(_ context.Context, i int, _ mutant.Mutant) (struct{}, error) {
			_, err := patcher.Change(&u.Mutants[i])
			u.Mutants[i].IROnly = err != nil
			return struct{}{}, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// newMutating reads what was asked for. The program's units are compiled.
func newMutating(ctx context.Context, p *Program, opts Mutation) (*mutating, error) {
	m := &mutating{program: p, rules: opts.Rules, keepUndefined: opts.KeepUndefined, only: opts.Only}
	asked := opts.Scope
	for _, u := range p.Units {
		asked.Inputs = append(asked.Inputs, u.Input.Path)
	}
	s, err := scope.New(ctx, asked)
	if err != nil {
		return nil, err
	}
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		if err := s.AddSource(u.Source); err != nil {
			return nil, err
		}
	}
	for _, u := range p.Units {
		if !u.Input.Harness {
			operator.DeclareTrap(u.Module)
		}
	}
	m.watch = s.Watch()
	if opts.Most > 0 || opts.PerLine > 0 {
		m.spread = newSpread(p, &opts, s)
	}
	if len(p.Units) > 1 {
		m.ids = map[string]bool{}
	}
	return m, nil
}

// made yields the functions of all units with the mutants that are asked for.
// Their selectors count within the function.
func (m *mutating) made() iter.Seq[equiv.Batch] {
	return func(yield func(equiv.Batch) bool) {
		next := operator.Options{FirstSelector: 1, Rules: m.rules}
		for k, u := range m.program.Units {
			if u.Input.Harness {
				continue
			}
			next.Source, next.Origins, next.Wanted = u.Source, m.origins[u], m.wanted(k)
			judge := ub.NewJudge(&op.Module{})
			generator := operator.NewGenerator(u.Module, next)
			start := time.Now()
			for f, mutants := range generator.All() {
				if !u.Copies() {
					m.program.Generated += len(mutants)
				}
				m.makeIDsUnique(k, mutants)
				mutants = m.asked(u, mutants)
				m.making += time.Since(start)
				if len(mutants) > 0 {
					function := &mutatedFunction{unit: u}
					if m.deep {
						function.open = map[string]equiv.Verdict{}
					}
					m.functions = append(m.functions, function)
					if !yield(equiv.Batch{Module: u.Module, Func: f, Mutants: mutants, Done: func(verdicts []equiv.Verdict) {
						function.judge(mutants, verdicts)
						if !m.keepUndefined {
							function.define(judge, f)
						}
					}}) {
						return
					}
				}
				start = time.Now()
			}
			r := generator.Result()
			next.FirstSite += r.Sites
			next.FirstStatement += r.Statements
		}
		m.program.Sites = next.FirstSite
	}
}

// wanted says of the mutants of a unit which are to be made, where the user asked for some of them
// alone, and counts the others.
func (m *mutating) wanted(unit int) func(id, file string, line int) bool {
	in := &m.program.Units[unit].Input
	if m.only == nil && m.spread == nil && in.Only == nil {
		return nil
	}
	return func(id, file string, line int) bool {
		if !in.mutates(file, line) {
			return false
		}
		switch {
		case m.only == nil && m.spread == nil:
			return true
		case m.only == nil && in.Only != nil:
			return m.spread.chosen[id] // where it is no copy, which comes before
		}
		id = m.uniqueID(unit, id)
		if m.only != nil && m.only[id] || m.only == nil && m.spread.wants(id, file, line) {
			return true
		}
		if in.Only == nil {
			m.program.Generated++
		}
		if in.Only == nil && m.only == nil {
			m.program.OutOfScope++
		}
		if m.ids != nil {
			m.ids[id] = true
		}
		return false
	}
}

// uniqueID tells mutants apart that have one id in two units: files of one base name in different
// folders. The later ones get their unit's number.
func (m *mutating) uniqueID(unit int, id string) string {
	if m.ids[id] {
		return fmt.Sprintf("%s-%d", id, unit)
	}
	return id
}

// makeIDsUnique gives mutants that are made their ids in the program.
func (m *mutating) makeIDsUnique(unit int, mutants []mutant.Mutant) {
	if m.ids == nil {
		return
	}
	for i := range mutants {
		mutants[i].ID = m.uniqueID(unit, mutants[i].ID)
		m.ids[mutants[i].ID] = true
	}
}

// asked takes out the mutants that the user did not ask for, and numbers the
// others.
func (m *mutating) asked(u *Unit, mutants []mutant.Mutant) []mutant.Mutant {
	kept := mutants[:0]
	if m.only != nil {
		for _, one := range mutants {
			if m.only[one.ID] {
				one.Selector = int32(len(kept) + 1)
				kept = append(kept, one)
			}
		}
		return kept
	}
	if m.spread != nil && !u.Copies() {
		before := len(mutants)
		mutants = m.spread.choose(mutants)
		m.program.OutOfScope += before - len(mutants)
		kept = mutants[:0]
	}
	for _, one := range mutants {
		d := m.watch.Decide(&one)
		if d.Keep() {
			one.Selector = int32(len(kept) + 1)
			kept = append(kept, one)
			continue
		}
		if u.Copies() {
			continue // counted where it is no copy
		}
		if d.By != scope.BySource {
			m.program.OutOfScope++
			continue
		}
		one.Selector, one.Edit = 0, nil
		m.program.Suppressed = append(m.program.Suppressed, Suppressed{one, d.Why})
	}
	return kept
}

// judge takes out the mutants that a verdict speaks against. There is one verdict
// a mutant.
func (f *mutatedFunction) judge(mutants []mutant.Mutant, verdicts []equiv.Verdict) {
	kept := 0
	for _, v := range verdicts {
		if v.Kind.Stays() {
			kept++
		}
	}
	f.kept, f.removed = make([]mutant.Mutant, 0, kept), make([]Removed, 0, len(mutants)-kept)
	for i, one := range mutants {
		v := verdicts[i]
		if v.Kind.Stays() {
			f.kept = append(f.kept, one)
			if f.open != nil {
				f.open[one.ID] = v
			}
			continue
		}
		one.Selector, one.Edit = 0, nil
		r := Removed{Mutant: one, Kind: v.Kind, Evidence: v.Evidence, Reason: v.Reason, Unit: f.unit}
		if v.Kind == equiv.Invalid {
			r.Evidence = v.Reason
		}
		if v.Kind == equiv.Duplicate {
			r.Of = mutants[v.Of-1].ID
		}
		f.removed = append(f.removed, r)
	}
}

// define takes out the mutants that are undefined whenever control comes to them, and
// notes what is known of the others.
func (f *mutatedFunction) define(judge *ub.Judge, in *llir.Func) {
	kept := f.kept[:0]
	for i, v := range judge.Of(in, f.kept) {
		one := f.kept[i]
		if v.Grade != ub.Definite {
			kept, f.undefined = append(kept, one), append(f.undefined, v)
			continue
		}
		one.Selector, one.Edit = 0, nil
		f.removed = append(f.removed, Removed{Mutant: one, Kind: equiv.Undefined, Evidence: "ub/" + v.Analysis + ": " + v.Told(), Unit: f.unit})
	}
	f.kept = kept
}

// compare takes out the mutants that the stages tie to the original or to an
// earlier mutant of their function, and those that are no valid programs. The
// functions are those made.
func (m *mutating) compare(ctx context.Context, functions iter.Seq[equiv.Batch], stages []equiv.Stage) (err error) {
	linked := equiv.Program{Modules: make([]*ir.Module, len(m.program.Units)), Mishap: func(one equiv.Mishap) { m.program.warn(one.String()) }}
	for i, u := range m.program.Units {
		linked.Modules[i] = u.Module
	}
	if m.program.Stages, err = cascade.Decide(ctx, stages, linked, functions); err != nil {
		return err
	}
	if err := m.watch.Err(); err != nil {
		return err
	}
	m.collect()
	return nil
}

// leaveOutCopies takes out the copies of mutants that were left out. What equals the original, or a mutant on a line that the copy
// leaves out, since its tests do not run it, is killed by no test there.
func (m *mutating) leaveOutCopies() {
	made := map[string]bool{}
	for _, f := range m.functions {
		for i := range f.kept {
			if !f.unit.Copies() {
				made[f.kept[i].ID] = true
			}
		}
	}
	number := map[*Unit]string{}
	for k, u := range m.program.Units {
		number[u] = fmt.Sprintf("-%d", k)
	}
	for _, f := range m.functions {
		if !f.unit.Copies() {
			continue
		}
		kept := 0
		for i := range f.kept {
			if !made[strings.TrimSuffix(f.kept[i].ID, number[f.unit])] {
				continue
			}
			f.kept[kept] = f.kept[i]
			if f.undefined != nil {
				f.undefined[kept] = f.undefined[i]
			}
			kept++
		}
		f.kept = f.kept[:kept]
	}
}

// collect gives the units their mutants, with selectors without holes. Their
// order stays, so that a site's mutants, and a function's, have consecutive ones.
func (m *mutating) collect() {
	m.leaveOutCopies()
	kept, removed := map[*Unit]int{}, 0
	for _, f := range m.functions {
		kept[f.unit] += len(f.kept)
		removed += len(f.removed)
	}
	for u, n := range kept {
		u.Mutants = make([]mutant.Mutant, 0, n)
	}
	p := m.program
	p.Removed, p.Undefined, p.Open = make([]Removed, 0, removed), map[string]ub.Verdict{}, map[string]equiv.Verdict{}
	selector := int32(1)
	for _, f := range m.functions {
		for i := range f.kept {
			f.kept[i].Selector = selector
			if f.open != nil {
				p.Open[f.kept[i].ID] = f.open[f.kept[i].ID]
			}
			selector++
			if f.undefined != nil && f.undefined[i].Grade == ub.Potential {
				p.Undefined[f.kept[i].ID] = f.undefined[i]
			}
		}
		f.unit.Mutants = append(f.unit.Mutants, f.kept...)
		p.Removed = append(p.Removed, f.removed...)
		f.kept, f.removed, f.undefined, f.open = nil, nil, nil, nil
	}
}

// MutateAgain makes the mutants of a compiled program that have one of the ids.
// They were compared when they were recorded, and are not compared again; nor is their C
// text, which is recorded, looked for in macros.
func (p *Program) MutateAgain(ctx context.Context, opts Mutation, ids []string) error {
	m, err := newMutating(ctx, p, opts)
	if err != nil {
		return err
	}
	recorded := make(map[string]bool, len(ids))
	for _, id := range ids {
		recorded[id] = true
	}
	for f := range m.made() {
		var kept []mutant.Mutant
		for i := range f.Mutants {
			if recorded[f.Mutants[i].ID] {
				kept = append(kept, f.Mutants[i])
			}
		}
		m.functions[len(m.functions)-1].kept = kept
	}
	if err := m.watch.Err(); err != nil {
		return err
	}
	m.collect()
	return nil
}
