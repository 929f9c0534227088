package equiv

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
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
