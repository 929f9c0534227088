package smt_test

import (
	"context"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/cascade"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
)

// classes asks stages in turn, and counts the equivalent and the redundant faults: those that
// another one stands for.
func classes(t *testing.T, b equiv.Batch, stages ...equiv.Stage) (equivalent, redundant int, verdicts []equiv.Verdict) {
	t.Helper()
	b.Done = func(v []equiv.Verdict) { verdicts = v }
	if _, err := cascade.Decide(context.Background(), stages, equiv.Program{}, slices.Values([]equiv.Batch{b})); err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		switch v.Kind {
		case equiv.Equivalent:
			equivalent++
		case equiv.Duplicate:
			redundant++
		}
	}
	return equivalent, redundant, verdicts
}

// Riener's MetaOptimizer is package tce with his passes: all mutants of a function in one run of
// the optimiser, classes of equal text. It found none of the equivalent faults of these programs and
// three redundant ones of findmin (table 5.2); today's LLVM folds the comparison with itself, and
// finds five. What it cannot see, as that the least of two is the same with < and <=, terms in
// normal form do, and the classes of both stages are joined.
func TestTheMetaOptimizerAndNormalFormsJoinTheirClasses(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	all := tce.All()
	his := tce.Stage(tools, tce.Options{Passes: all[slices.IndexFunc(all, func(p tce.PassList) bool { return p.Name == "riener" })]})
	for _, p := range []struct {
		name, source           string
		published, equivalents int // redundant faults; equivalent ones
	}{{"min", leastOfTwo, 0, 1}, {"findmin3", leastOf(3), 3, 10}} {
		b := rienersFaults(t, p.source)
		equivalent, redundant, verdicts := classes(t, b, his)
		if redundant < p.published || equivalent >= p.equivalents {
			t.Errorf("%s: the optimiser finds %d equivalent and %d redundant faults", p.name, equivalent, redundant)
		}
		joint, more, _ := classes(t, b, his, smt.Stage(smt.Options{}))
		if joint != p.equivalents || more < redundant {
			t.Errorf("%s: both find %d equivalent and %d redundant faults, the optimiser alone %d", p.name, joint, more, redundant)
		}
		for i, m := range b.Mutants {
			if p.name == "min" && m.Original+" → "+m.Replacement == "a < b → a <= b" && verdicts[i].Kind != equiv.Unknown {
				t.Errorf("the optimiser knows that < and <= choose the same: %v", verdicts[i])
			}
		}
	}
}

// Riener's figures 2.1 and 2.3, with a variable for the constant that the C compiler folds: the
// fault 2 + 2 is equivalent, and folding shows it; each of the others has a test.
func TestRienersFirstExample(t *testing.T) {
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	source := "int f(int a, int b, int c) {\n  int two = 2;\n  if (a > b + c)\n    a = two * two;\n  return a;\n}\n"
	m := analysistest.Module(t, source)
	b := equiv.Batch{Module: m, Func: m.Functions()[0], Mutants: operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants}
	_, _, optimised := classes(t, b, tce.Stage(tools, tce.Options{}))
	_, _, both := classes(t, b, tce.Stage(tools, tce.Options{}), smt.Stage(smt.Options{}))
	for change, want := range map[string]equiv.Kind{
		"b + c → b - c": equiv.Different, "b + c → b * c": equiv.Different, "b + c → b / c": equiv.Different,
		"two * two → two + two": equiv.Equivalent, "two * two → two - two": equiv.Different, "two * two → two / two": equiv.Different,
	} {
		k := slices.IndexFunc(b.Mutants, func(m mutant.Mutant) bool { return m.Original+" → "+m.Replacement == change })
		if k < 0 || both[k].Kind != want && both[k].Kind != equiv.Duplicate || want == equiv.Equivalent && optimised[k].Kind != want {
			t.Errorf("%s (%d): %v by the optimiser, %v by both", change, k, optimised, both)
		}
	}
}
