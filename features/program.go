package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// ErrForeign is wrapped by the error of Stream for a mutant that is not of the module.
var ErrForeign = errors.New("the mutant is not of this module")

// program is a module with mutants.
type program struct {
	findings
	module  *ir.Module
	mutants []mutant.Mutant
	inputs  inputs
	lowered op.Module // its functions as operations
	// functions with mutants, in module order.
	functions []*function
	// siteOf and placeOf are by mutant.
	siteOf  []*site
	placeOf []placeOfMutant
	types   map[kindOfMutant]int // how many mutants there are of each
	roots   map[*llir.Func]bool  // that it is entered by
	main    *llir.Func           // that the tests of the project call; nil where the module has none

	// required is what families require, prepared that what is of the program was found.
	required map[Requirement]bool
	prepared bool
	// tasks are those of sweeps, joins what comes after them, swept what they found.
	tasks []func()
	joins []func()
	swept findings
	// stopped is closed when nobody wants the rows any more.
	stopped chan struct{}
}

func (p *program) owner() *program { return p }

// mutation is one mutant, at work.
type mutation struct {
	findings
	*mutant.Mutant
	index int // among the program's
	site  *site
}

func (m *mutation) owner() *program { return m.site.owner() }

// mutation is that of a mutant's number, of which nothing is known yet.
func (p *program) mutation(i int) *mutation {
	return &mutation{Mutant: &p.mutants[i], index: i, site: p.siteOf[i]}
}

// survey finds the sites of a module's mutants.
func survey(m *ir.Module, mutants []mutant.Mutant, in inputs) (*program, error) {
	p := &program{module: m, mutants: mutants, inputs: in, main: mainOf(m.LLVM), roots: rootsOf(m.LLVM), siteOf: make([]*site, len(mutants)),
		placeOf: make([]placeOfMutant, len(mutants)), types: map[kindOfMutant]int{}, required: map[Requirement]bool{}, stopped: make(chan struct{})}
	of := map[*llir.Func][]int{}
	for i := range mutants {
		at := &mutants[i].Site
		if at.Func == nil || at.Block == nil {
			return nil, fmt.Errorf("mutant %s: %w", mutants[i].ID, ErrForeign)
		}
		of[at.Func] = append(of[at.Func], i)
		p.types[kindOf(&mutants[i])]++
	}
	var functions []*llir.Func
	for _, f := range m.LLVM.Funcs {
		if of[f] != nil {
			functions = append(functions, f)
		}
	}
	if len(functions) != len(of) {
		return nil, ErrForeign
	}
	var err error
	p.functions, err = parallel.Map(context.Background(), in.workers, functions, func(_ context.Context, rank int, f *llir.Func) (*function, error) {
		return p.newFunction(f, rank, of[f])
	})
	return p, err
}

// inOrder are the functions in the order of their first mutants.
func (p *program) inOrder() []*function {
	out := slices.Clone(p.functions)
	slices.SortFunc(out, func(a, b *function) int { return cmp.Compare(a.mutants[0], b.mutants[0]) })
	return out
}

// eachFunction calls find with every function that has mutants, with several workers,
// and returns what it found in their order.
func eachFunction[T any](p *program, find func(*function) T) []T {
	out, _ := parallel.Map(context.Background(), p.inputs.workers, p.functions, func(_ context.Context, _ int, f *function) (T, error) {
		return find(f), nil
	})
	return out
}
