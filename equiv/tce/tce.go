// Package tce finds equivalent and duplicate mutants by asking the optimiser:
// trivial compiler equivalence (Papadakis et al., ICSE 2015; Mart's in-memory
// check; the Optimizer of Riener 2011, section 3.2), in bulk: his MetaOptimizer, with classes of
// equal text. Where his meta-mutant holds all faults in copies of their basic blocks, whose texts
// are compared after the passes, here each has a copy of the function: blocks with one text need
// not compute the same, and passes move code between them, while functions with one text do.
//
// A mutant whose function is optimised to the text of the original's is
// equivalent; one whose text is that of an earlier mutant of the function is a
// duplicate. One opt process costs as much as optimising thirty functions, so
// mutants do not get one each: every mutant becomes a clone of its function in
// a module of clones, a few hundred at a time, and one process optimises them
// all. A function is printed once; a mutant replaces a few of its lines, so the
// work grows with the number of mutants times the size of their function.
// Functions come one by one, and batches are made when an opt process has room for
// them, so that memory is bounded by the batches and functions that are looked at
// just then. Texts are compared by the hash of a canonical form
// (canonical.go). Mutants whose text
// is equal before any optimisation are not optimised twice.
//
// What the stage cannot see through has no verdict: computed goto, inline assembly,
// calls that return twice, second names for an object and the like (opaque.go).
//
// # What a verdict means
//
// Clones see the rest of the program as declarations only. Nothing is inlined
// or inferred across functions, clones cannot be merged with each other, and a
// recursive call is a call of the original by name: were its body known, a
// mutant that calls itself for ever could be told equal to what it calls. So
// equal texts compute the same whatever the other functions do, though perhaps
// not in the same time: a loop without effect may be gone. Clones keep no
// metadata and no function attribute that the original's body has earned
// (readnone, willreturn and the like), since a mutant may break it.
//
// Texts are only as good as the passes, and passes may assume that code never
// does what C leaves undefined. The default pass list is therefore strict: the
// code says first what happens then, in the original and the mutants alike.
// Flags that promise the absence of overflow (nsw, nuw, exact, inbounds) go, on
// untouched instructions too, because a mutant may overflow where the original
// never does; and so do attributes that promise something about a value, loop
// metadata and fast-math flags. Shifts by a variable are reduced as the machine
// does; a shift by a number that is no amount may give anything, and so may a
// conversion to an integer that has no room. Nothing is known of library functions
// by their names. Divisions that may trap show their operands to an unknown function,
// in order. Locals and malloc'ed memory start with contents that no pass knows,
// instead of any contents that suit. A null pointer is an address like others.
// What remains assumed: an access stays within the object that its pointer was
// made from; what another thread or a signal's handler changes is volatile or
// atomic; the C library does what its headers promise; and nobody looks at which NaN
// an operation gives, or at how deep the stack is. The list nowrap
// keeps the flags of untouched instructions; the others trust all that the
// compiler promises, as the tools they stand for do.
package tce

import (
	"context"
	"iter"
	"runtime"
	"sync/atomic"
	"time"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
)

// Options choose how mutants are compared.
type Options struct {
	// Passes optimises the mutants; the zero PassList is the first of All.
	Passes PassList
	// Workers is how many opt processes run at the same time; 0 means one a
	// CPU. Verdicts do not depend on it.
	Workers int
	// Large is how many instructions make a function large: its mutants are
	// compared within windows of Window instructions (window.go), and verdicts
	// say so. 0 means 300 and 100.
	Large, Window int
	// BatchBytes bounds the text of one opt run, give or take a unit (unitBytes);
	// 0 means 2 MiB. Verdicts do not depend on it.
	BatchBytes int
}

func (o Options) withDefaults() Options {
	if len(o.Passes.Stages) == 0 {
		o.Passes = All()[0]
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Large <= 0 {
		o.Large = 300
	}
	if o.Window <= 0 {
		o.Window = 100
	}
	if o.BatchBytes <= 0 {
		o.BatchBytes = 2 << 20
	}
	return o
}

// Stage returns the stage that compares mutants as the options say. A mutant that
// LLVM's verifier refuses is Invalid, for the reason that the verifier gives.
func Stage(tools *clang.Toolchain, opts Options) equiv.Stage {
	return equiv.Stage{
		Name: "tce",
		Doc:  "Trivial compiler equivalence (Papadakis et al., ICSE 2015): mutants whose optimised code is the same text as the original's, or as another mutant's.",
		Cost: 5 * time.Millisecond,
		Decide: func(ctx context.Context, p equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
			return each(ctx, tools, p, batches, opts)
		},
	}
}

// Decide gives the stage's verdicts on the mutants of a program of one module, in
// the order of the mutants.
func Decide(ctx context.Context, tools *clang.Toolchain, m *ir.Module, mutants []mutant.Mutant, opts Options) ([]equiv.Verdict, error) {
	out := make([]equiv.Verdict, len(mutants))
	p := equiv.Program{Modules: []*ir.Module{m}}
	if _, err := each(ctx, tools, p, functionsOf(m, mutants, out), opts); err != nil {
		return nil, err
	}
	return out, nil
}

// functionsOf parts mutants by function, in the order of the first ones. The
// verdicts go to out, in the order of the mutants.
func functionsOf(m *ir.Module, mutants []mutant.Mutant, out []equiv.Verdict) iter.Seq[equiv.Batch] {
	var order []*llir.Func
	members := map[*llir.Func][]int{}
	for i := range mutants {
		f := mutants[i].Site.Func
		if members[f] == nil {
			order = append(order, f)
		}
		members[f] = append(members[f], i)
	}
	return func(yield func(equiv.Batch) bool) {
		for _, f := range order {
			own := equiv.Batch{Module: m, Func: f}
			for _, i := range members[f] {
				own.Mutants = append(own.Mutants, mutants[i])
			}
			own.Done = func(verdicts []equiv.Verdict) {
				for k, i := range members[f] {
					out[i] = verdicts[k]
				}
			}
			if !yield(own) {
				return
			}
		}
	}
}

// each compares the mutants of a sequence of functions, and says how long its
// workers were busy.
func each(ctx context.Context, tools *clang.Toolchain, p equiv.Program, functions iter.Seq[equiv.Batch], opts Options) (time.Duration, error) {
	opts = opts.withDefaults()
	q := &queue{opts: opts, world: worldOf(p)}
	var busy atomic.Int64
	err := parallel.Each(ctx, opts.Workers, q.batches(functions), func(ctx context.Context, _ int, b *batch) error {
		start := time.Now()
		defer func() { busy.Add(int64(time.Since(start))) }()
		if b.err != nil {
			return b.err
		}
		o := optimiser{tools: tools, passes: opts.Passes, batch: b}
		if err := o.optimise(ctx, b.clones); err != nil {
			return err
		}
		q.settle(b)
		return nil
	})
	return time.Duration(busy.Load()), err
}
