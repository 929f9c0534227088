package features

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// Option gives Stream more to read, or says how it works.
type Option func(*inputs)

type inputs struct {
	source  *csource.File
	ages    Ages
	workers int
	mishap  func(Mishap) // nil: a panic goes to the caller
}

// WithSource gives the syntax tree of the module's C source; the columns that
// are read from it are missing without.
func WithSource(f *csource.File) Option {
	return func(in *inputs) { in.source = f }
}

// WithAges gives the history of lines, as version control has it; the columns
// that are read from it are missing without.
func WithAges(a Ages) Option { return func(in *inputs) { in.ages = a } }

// WithWorkers says how many functions are gone through at the same time; 0, the default,
// means one a CPU. It changes no value.
func WithWorkers(n int) Option { return func(in *inputs) { in.workers = n } }

// Stream computes the static features of a module's mutants and hands them over in
// batches, one row a mutant in the order given. There is at least one batch, empty when
// there are no mutants; yield gets one at a time, and its error ends the work.
//
// The module must be as mutant/operator left it: no schemata built in it. Dependences
// count the given mutants only, so a sample of a module's mutants has other features than
// all of them.
func Stream(m *ir.Module, mutants []mutant.Mutant, yield func(*table.Table) error, options ...Option) error {
	return stream(staticFamilies(), m, mutants, yield, options...)
}

func stream(families []Family, m *ir.Module, mutants []mutant.Mutant, yield func(*table.Table) error, options ...Option) error {
	var in inputs
	for _, o := range options {
		o(&in)
	}
	p, err := survey(m, mutants, in)
	if err != nil {
		return fmt.Errorf("extract features: %w", err)
	}
	p.prepare(families)
	e := &extraction{p: p, families: families, rows: newBatches(p, schemaOf(families))}
	if err := e.run(yield); err != nil {
		return err
	}
	e.mishaps.report(e)
	return nil
}

// extraction computes the rows of a program's mutants.
type extraction struct {
	p        *program
	families []Family
	rows     *batches
	fillers  sync.Pool // of *filler, as many as there are workers
	mishaps  mishaps
}

// run does the tasks of sweeps and then goes through the functions, on several workers,
// and hands over what is ready meanwhile.
func (e *extraction) run(yield func(*table.Table) error) error {
	var work []func()
	for _, task := range e.p.tasks {
		work = append(work, func() { task(); e.rows.swept() })
	}
	// In the order of their first mutants: a batch never waits for a function that
	// is not begun while others wait for the batch (see batches).
	for _, f := range e.p.inOrder() {
		work = append(work, func() { e.function(f) })
	}
	var crash any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { crash = recover() }()
		_ = parallel.Each(context.Background(), e.p.inputs.workers, slices.Values(work), func(_ context.Context, _ int, do func()) error {
			finished := false
			defer func() {
				if !finished { // a panic, which Each carries here: nobody waits for these rows
					e.rows.stop()
				}
			}()
			do()
			finished = true
			return nil
		})
	}()
	err := e.handOver(yield)
	e.rows.stop()
	<-done
	if crash != nil {
		panic(crash)
	}
	return err
}

// function computes the rows of a function's mutants, and then forgets what it found.
func (e *extraction) function(f *function) {
	w, ok := e.fillers.Get().(*filler)
	if !ok {
		w = newFiller(e)
	}
	clear(w.failed)
	for _, i := range f.mutants {
		if !w.add(e.p.mutation(i)) {
			break
		}
	}
	w.flush()
	w.site = nil
	e.fillers.Put(w)
	f.forget()
}

// handOver waits for the batches, completes them and gives them to yield, in order.
func (e *extraction) handOver(yield func(*table.Table) error) error {
	if !e.rows.waitForSweeps() {
		return nil
	}
	for _, join := range e.p.joins {
		join()
	}
	e.p.tasks, e.p.joins = nil, nil
	for number := 0; number == 0 || number*batchRows < len(e.p.mutants); number++ {
		b := e.rows.complete(number)
		if b == nil {
			return nil
		}
		e.fillFromProgram(b)
		t, err := b.table(e.p.mutants, e.rows.schema)
		if err == nil {
			err = yield(t)
		}
		if err != nil {
			return err
		}
		e.rows.handedOver(number)
	}
	return nil
}

// fillFromProgram fills what takes all mutants together.
func (e *extraction) fillFromProgram(b *batch) {
	from := 0
	for k := range e.families {
		f := &e.families[k]
		columns := b.columns[from : from+len(f.Columns)]
		from += len(f.Columns)
		if f.PerProgram == nil {
			continue
		}
		part := make([]float64, len(columns))
		for i := b.from; i < b.to; i++ {
			for c := range columns {
				part[c] = columns[c][i-b.from]
			}
			m := e.p.mutation(i)
			e.ask(k, m.site.fn, part, func() { f.PerProgram(m, part) })
			for c := range columns {
				columns[c][i-b.from] = part[c]
			}
		}
	}
}
