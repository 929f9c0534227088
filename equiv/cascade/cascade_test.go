package cascade_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/cascade"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
)

// functions makes batches of so many mutants each, and collects the verdicts.
type functions struct {
	mu  sync.Mutex
	got map[int][]equiv.Verdict
}

func (f *functions) batches(sizes ...int) iter.Seq[equiv.Batch] {
	f.got = map[int][]equiv.Verdict{}
	return func(yield func(equiv.Batch) bool) {
		for k, n := range sizes {
			b := equiv.Batch{Mutants: make([]mutant.Mutant, n)}
			for i := range b.Mutants {
				b.Mutants[i].Selector = int32(i + 1)
			}
			b.Done = func(verdicts []equiv.Verdict) {
				f.mu.Lock()
				defer f.mu.Unlock()
				if f.got[k] != nil {
					panic("verdicts are told twice")
				}
				f.got[k] = verdicts
			}
			if !yield(b) {
				return
			}
		}
	}
}

// saying is a stage that says of each mutant what a table has for its selector.
func saying(name string, says map[int32]equiv.Verdict) equiv.Stage {
	return equiv.Stage{Name: name, Doc: "Says what it is told to.", Decide: func(_ context.Context, _ equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
		for b := range batches {
			b.Done(verdictsOf(b, name, says))
		}
		return time.Second, nil
	}}
}

func verdictsOf(b equiv.Batch, name string, says map[int32]equiv.Verdict) []equiv.Verdict {
	out := make([]equiv.Verdict, len(b.Mutants))
	for i, m := range b.Mutants {
		out[i] = says[m.Selector]
		if out[i].Reason == "" {
			out[i].Evidence = name
		}
		out[i].Mutant = m.Selector
	}
	return out
}

func TestWithoutStagesAllMutantsStay(t *testing.T) {
	var f functions
	reports, err := cascade.Decide(t.Context(), nil, equiv.Program{}, f.batches(2, 0, 3))
	if err != nil || len(reports) != 0 || len(f.got) != 3 {
		t.Fatalf("%v, %v, verdicts on %d functions", reports, err, len(f.got))
	}
	for k, verdicts := range f.got {
		for _, v := range verdicts {
			if v.Kind != equiv.Unknown {
				t.Errorf("function %d: %+v", k, v)
			}
		}
	}
}

func TestAStageIsAskedOnlyAboutWhatNoneBeforeItDecided(t *testing.T) {
	var f functions
	first := saying("first", map[int32]equiv.Verdict{
		1: {Kind: equiv.Equivalent},
		3: {Kind: equiv.Duplicate, Of: 2},
		5: {Reason: "inline assembly"},
		6: {Kind: equiv.Duplicate, Of: 4},
		7: {Kind: equiv.Invalid},
	})
	second := saying("second", map[int32]equiv.Verdict{
		1: {Kind: equiv.Invalid}, 3: {Kind: equiv.Invalid}, // which it is never asked
		2: {Kind: equiv.Equivalent},
		4: {Reason: "no time"},
		5: {Kind: equiv.Duplicate, Of: 4},
	})
	reports, err := cascade.Decide(t.Context(), []equiv.Stage{first, second}, equiv.Program{}, f.batches(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := []equiv.Verdict{
		{Mutant: 1, Kind: equiv.Equivalent, Evidence: "first"},
		{Mutant: 2, Kind: equiv.Equivalent, Evidence: "second"},
		{Mutant: 3, Kind: equiv.Equivalent, Evidence: "first, second"}, // it follows 2
		{Mutant: 4, Evidence: "first", Reason: "no time"},              // first looked at it, and second says why it did not
		{Mutant: 5, Kind: equiv.Duplicate, Of: 4, Evidence: "second"},
		{Mutant: 6, Kind: equiv.Duplicate, Of: 4, Evidence: "first"},
		{Mutant: 7, Kind: equiv.Invalid, Evidence: "first"},
		{Mutant: 8, Evidence: "second"},
	}
	if !slices.Equal(f.got[0], want) {
		t.Errorf("verdicts\n%+v, want\n%+v", f.got[0], want)
	}
	wanted := []equiv.Report{
		{Stage: "first", Mutants: 9, Equivalent: 2, Duplicate: 2, Invalid: 1, Unseen: 1, Busy: time.Second},
		{Stage: "second", Mutants: 4, Equivalent: 1, Duplicate: 1, Unseen: 1, Busy: time.Second},
	}
	if !reflect.DeepEqual(reports, wanted) {
		t.Errorf("reports\n%+v, want\n%+v", reports, wanted)
	}
}

// TestStagesMayTellVerdictsInAnyOrderAndFromAnyGoroutine has stages that keep
// functions until there are no more, and tell their verdicts backwards.
func TestStagesMayTellVerdictsInAnyOrderAndFromAnyGoroutine(t *testing.T) {
	hoarding := equiv.Stage{Name: "hoard", Decide: func(_ context.Context, _ equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
		var all []equiv.Batch
		for b := range batches {
			all = append(all, b)
		}
		slices.Reverse(all)
		var wg sync.WaitGroup
		for _, b := range all {
			wg.Go(func() { b.Done(verdictsOf(b, "hoard", nil)) })
		}
		wg.Wait()
		return 0, nil
	}}
	var f functions
	sizes := slices.Repeat([]int{3}, 50)
	reports, err := cascade.Decide(t.Context(), []equiv.Stage{hoarding, hoarding, hoarding}, equiv.Program{}, f.batches(sizes...))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.got) != 50 || reports[2].Mutants != 150 {
		t.Errorf("%d functions have verdicts, the last stage saw %d mutants", len(f.got), reports[2].Mutants)
	}
}

func TestAStageThatFailsEndsTheOthers(t *testing.T) {
	broken := errors.New("the solver is gone")
	failing := equiv.Stage{Name: "failing", Decide: func(_ context.Context, _ equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
		for range batches {
			break
		}
		return 0, broken
	}}
	silent := saying("silent", nil)
	for _, stages := range [][]equiv.Stage{{failing}, {failing, silent}, {silent, failing}, {silent, failing, silent}} {
		var f functions
		_, err := cascade.Decide(t.Context(), stages, equiv.Program{}, f.batches(slices.Repeat([]int{2}, 100)...))
		if !errors.Is(err, broken) {
			t.Errorf("%d stages: %v", len(stages), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the user is gone")
	cancel(gone)
	var f functions
	if _, err := cascade.Decide(ctx, []equiv.Stage{silent, silent}, equiv.Program{}, f.batches(1)); !errors.Is(err, gone) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAStageThatBreaksTheContractIsNamed(t *testing.T) {
	for name, decide := range map[string]func(b equiv.Batch){
		"too few verdicts":             func(b equiv.Batch) { b.Done(nil) },
		"another mutant's verdict":     func(b equiv.Batch) { b.Done([]equiv.Verdict{{Mutant: 2}, {Mutant: 1}}) },
		"a duplicate of a later one":   func(b equiv.Batch) { b.Done([]equiv.Verdict{{Mutant: 1, Kind: equiv.Duplicate, Of: 2}, {Mutant: 2}}) },
		"an equivalent of another":     func(b equiv.Batch) { b.Done([]equiv.Verdict{{Mutant: 1}, {Mutant: 2, Kind: equiv.Equivalent, Of: 1}}) },
		"no verdicts on a batch":       func(equiv.Batch) {},
		"a stop before the last batch": nil,
	} {
		stage := equiv.Stage{Name: "careless", Decide: func(_ context.Context, _ equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
			for b := range batches {
				if decide == nil {
					b.Done(verdictsOf(b, "careless", nil))
					break
				}
				decide(b)
			}
			return 0, nil
		}}
		var f functions
		_, err := cascade.Decide(t.Context(), []equiv.Stage{stage, saying("second", nil)}, equiv.Program{}, f.batches(2, 2))
		if !errors.Is(err, cascade.ErrContract) || err.Error()[:len("careless")] != "careless" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStagesAreListedCheapestFirstWithNameAndDoc(t *testing.T) {
	stages := cascade.All(cascade.Options{Tools: &clang.Toolchain{}})
	names := map[string]bool{}
	for i, s := range stages {
		if s.Name == "" || s.Doc == "" || s.Cost <= 0 || s.Decide == nil || names[s.Name] {
			t.Errorf("stage %d lacks something, or has a name twice: %+v", i, s)
		}
		if i > 0 && s.Cost < stages[i-1].Cost {
			t.Errorf("%s is cheaper than %s, which is asked first", s.Name, stages[i-1].Name)
		}
		names[s.Name] = true
	}
	if len(stages) == 0 {
		t.Error("there are no stages")
	}
}

func ExampleDecide() {
	even := equiv.Stage{
		Name: "even",
		Doc:  "Ties every second mutant to the one before it.",
		Cost: time.Microsecond,
		Decide: func(_ context.Context, _ equiv.Program, batches iter.Seq[equiv.Batch]) (time.Duration, error) {
			for b := range batches {
				out := make([]equiv.Verdict, len(b.Mutants))
				for i, m := range b.Mutants {
					out[i] = equiv.Verdict{Mutant: m.Selector, Evidence: "even"}
					if i%2 == 1 {
						out[i].Kind, out[i].Of = equiv.Duplicate, b.Mutants[i-1].Selector
					}
				}
				b.Done(out)
			}
			return 0, nil
		},
	}
	var f functions
	if _, err := cascade.Decide(context.Background(), []equiv.Stage{even}, equiv.Program{}, f.batches(3)); err != nil {
		panic(err)
	}
	for _, v := range f.got[0] {
		fmt.Println(v.Mutant, v.Kind, v.Of)
	}
	// Output:
	// 1 unknown 0
	// 2 duplicate 1
	// 3 unknown 0
}
