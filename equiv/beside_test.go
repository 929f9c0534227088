package equiv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/mutant"
)

// Every batch is told its verdicts once, and an error ends the stage.
func TestFunctionsAreLookedAtBesideEachOther(t *testing.T) {
	told := make([][]Verdict, 20)
	var batches []Batch
	for k := range told {
		batches = append(batches, Batch{Done: func(v []Verdict) { told[k] = append(told[k], v...) }})
	}
	decide := Beside(3, func(context.Context, Batch) ([]Verdict, error) { return []Verdict{{Kind: Equivalent}}, nil })
	if _, err := decide(t.Context(), Program{}, slices.Values(batches)); err != nil {
		t.Fatal(err)
	}
	for k := range told {
		if len(told[k]) != 1 {
			t.Errorf("batch %d was told %d verdicts", k, len(told[k]))
		}
	}
	broken := errors.New("broken")
	decide = Beside(2, func(context.Context, Batch) ([]Verdict, error) { return nil, broken })
	if _, err := decide(t.Context(), Program{}, slices.Values(batches)); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheEarlierOfTwoBoundsEndsTheWorkOnAFunction(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		most  time.Duration
		until time.Time
		ends  time.Duration // 0: never
	}{{0, time.Time{}, 0}, {time.Minute, time.Time{}, time.Minute}, {time.Hour, now.Add(time.Minute), time.Minute}, {time.Minute, now.Add(time.Hour), time.Minute}, {0, now.Add(time.Hour), time.Hour}} {
		ctx, stop := Within(t.Context(), c.most, c.until)
		end, bounded := ctx.Deadline()
		if bounded != (c.ends > 0) || bounded && (end.Before(now.Add(c.ends-time.Second)) || end.After(now.Add(c.ends+10*time.Second))) {
			t.Errorf("%v until %v: %v, %v", c.most, c.until, end, bounded)
		}
		stop()
	}
}

// A function at which winnow fails costs its own verdicts, and the caller is told where; nobody is asked
// to go on who is not told.
func TestAFunctionThatPanicsIsUnknownAndToldOf(t *testing.T) {
	batches := make([]Batch, 3)
	told := make([][]Verdict, len(batches))
	for k := range batches {
		batches[k] = Batch{Func: llir.NewFunc(fmt.Sprint("f", k), types.Void), Mutants: make([]mutant.Mutant, 2), Done: func(v []Verdict) { told[k] = v }}
		for i := range batches[k].Mutants {
			batches[k].Mutants[i].Selector = int32(2*k + i + 1)
		}
	}
	decide := Beside(2, func(_ context.Context, b Batch) ([]Verdict, error) {
		if b.Func.Name() == "f1" {
			b.Mutants[len(b.Mutants)].Selector++
		}
		return []Verdict{{Mutant: b.Mutants[0].Selector, Kind: Equivalent}, {Mutant: b.Mutants[1].Selector, Kind: Equivalent}}, nil
	})
	var mishaps []string
	if _, err := decide(t.Context(), Program{Mishap: func(m Mishap) { mishaps = append(mishaps, m.String()) }}, slices.Values(batches)); err != nil {
		t.Fatal(err)
	}
	for k := range told {
		for i, v := range told[k] {
			if want := map[bool]Kind{true: Unknown, false: Equivalent}[k == 1]; v.Kind != want || v.Mutant != batches[k].Mutants[i].Selector {
				t.Errorf("mutant %d of f%d is %v, want %v", v.Mutant, k, v.Kind, want)
			}
		}
	}
	if len(mishaps) != 1 || !strings.Contains(mishaps[0], "function f1") || !strings.Contains(mishaps[0], "index out of range") || !strings.Contains(mishaps[0], "beside_test.go:") {
		t.Errorf("the caller is told %q", mishaps)
	}
	defer func() {
		if recover() == nil {
			t.Error("there is nobody to tell, and no panic")
		}
	}()
	_, _ = decide(t.Context(), Program{}, slices.Values(batches))
}
