package parallel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// slowMap is the twin that Map is compared with: a loop.
func slowMap(items []int, f func(int) (int, error)) ([]int, error) {
	var out []int
	for _, item := range items {
		r, err := f(item)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func TestMapGivesWhatALoopGivesForAnyNumberOfWorkers(t *testing.T) {
	for trial := range 200 {
		r := stream.New(1, "parallel test", trial)
		items := r.Perm(1 + r.IntN(40))
		// One item in twenty fails, so that trials with none, one and several
		// failures all occur.
		bad := map[int]bool{}
		for _, item := range items {
			bad[item] = r.IntN(20) == 0
		}
		f := func(item int) (int, error) {
			if bad[item] {
				return 0, fmt.Errorf("item %d is bad", item)
			}
			return item * item, nil
		}
		want, wantErr := slowMap(items, f)
		for _, workers := range []int{0, 1, 2, 3, 64} {
			got, err := Map(t.Context(), workers, items, func(_ context.Context, i int, item int) (int, error) {
				if items[i] != item {
					t.Errorf("f was called with number %d and item %d", i, item)
				}
				return f(item)
			})
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.Equal(got, want) {
				t.Fatalf("trial %d, %d workers: %v, %v; a loop gives %v, %v", trial, workers, got, err, want, wantErr)
			}
		}
	}
}

func TestMapOfNothingIsNothing(t *testing.T) {
	got, err := Map(t.Context(), 4, nil, func(context.Context, int, int) (int, error) { panic("called") })
	if len(got) != 0 || err != nil {
		t.Errorf("Map of no items = %v, %v", got, err)
	}
}

// TestMapReportsTheFirstFailureInItemOrderEvenWhenItComesLast makes item 1
// fail before item 0 does.
func TestMapReportsTheFirstFailureInItemOrderEvenWhenItComesLast(t *testing.T) {
	secondFailed := make(chan struct{})
	_, err := Map(t.Context(), 2, []int{0, 1}, func(ctx context.Context, i, _ int) (int, error) {
		if i == 0 {
			<-secondFailed
			if ctx.Err() != nil {
				t.Error("an item before the failure was cancelled")
			}
			return 0, errors.New("first")
		}
		defer close(secondFailed)
		return 0, errors.New("second")
	})
	if err == nil || err.Error() != "first" {
		t.Errorf("err = %v, want first", err)
	}
}

func TestMapCancelsItemsAfterAFailureAndStartsNoMore(t *testing.T) {
	var started atomic.Int32
	laterRuns := make(chan struct{})
	_, err := Map(t.Context(), 2, make([]int, 100), func(ctx context.Context, i, _ int) (int, error) {
		started.Add(1)
		if i == 0 {
			<-laterRuns
			return 0, errors.New("item 0")
		}
		close(laterRuns)
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if err == nil || err.Error() != "item 0" {
		t.Errorf("err = %v, want that of item 0", err)
	}
	if n := started.Load(); n != 2 {
		t.Errorf("%d items were started, want 2", n)
	}
}

func TestMapStopsWhenItsContextIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the user said stop")
	got, err := Map(ctx, 1, []int{0, 1, 2}, func(_ context.Context, i, _ int) (int, error) {
		cancel(stop)
		return i, nil
	})
	if got != nil || !errors.Is(err, stop) {
		t.Errorf("Map = %v, %v; want the cause of the cancellation", got, err)
	}
}

func TestMapCarriesAPanicToItsCaller(t *testing.T) {
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != "oops" || !strings.Contains(p.Error(), "parallel_test.go") {
			t.Errorf("recovered %v, want a *Panic with the value and the stack", p)
		}
	}()
	_, _ = Map(t.Context(), 3, []int{0, 1, 2}, func(_ context.Context, i, _ int) (int, error) {
		if i == 1 {
			panic("oops")
		}
		return i, nil
	})
	t.Error("Map returned")
}

func TestEachTakesItemsOnlyAsWorkersComeFree(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var taken, done, most atomic.Int32
		items := func(yield func(int) bool) {
			for i := range 50 {
				taken.Add(1)
				if !yield(i) {
					return
				}
			}
		}
		var got [50]atomic.Int32
		err := Each(t.Context(), workers, items, func(_ context.Context, i, item int) error {
			most.Store(max(most.Load(), taken.Load()-done.Load()))
			got[item].Add(int32(i) + 1)
			done.Add(1)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i].Load() != int32(i)+1 {
				t.Errorf("%d workers: item %d was not seen once, as number %d", workers, i, i)
			}
		}
		if n := int(most.Load()); n > workers {
			t.Errorf("%d items at a time for %d workers", n, workers)
		}
	}
}

func TestEachCarriesAPanicOfTheSequenceToItsCaller(t *testing.T) {
	defer func() {
		if p, ok := recover().(*Panic); !ok || p.Value != "oops" {
			t.Errorf("recovered %v, want a *Panic with the value", p)
		}
	}()
	items := func(yield func(int) bool) {
		yield(0)
		panic("oops")
	}
	_ = Each(t.Context(), 2, items, func(context.Context, int, int) error { return nil })
	t.Error("Each returned")
}

func TestEachEndsTheSequenceAfterAFailure(t *testing.T) {
	ended := false
	items := func(yield func(int) bool) {
		defer func() { ended = true }()
		for i := 0; yield(i); i++ {
		}
	}
	err := Each(t.Context(), 2, items, func(_ context.Context, i, _ int) error {
		if i >= 3 {
			return fmt.Errorf("item %d", i)
		}
		return nil
	})
	if err == nil || err.Error() != "item 3" || !ended {
		t.Errorf("err = %v, sequence ended: %v", err, ended)
	}
}
