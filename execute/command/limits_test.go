package command

import (
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

func TestAShortRunMayBecomeTenTimesAsLongAndALongOneThree(t *testing.T) {
	for done, want := range map[time.Duration]time.Duration{
		0: 2 * time.Second, 50 * time.Millisecond: 2500 * time.Millisecond, 100 * time.Millisecond: 3 * time.Second, 10 * time.Second: 3*time.Second + 3*9900*time.Millisecond,
	} {
		if got := mostWall(&execute.TestBaseline{Outcome: execute.Outcome{Wall: done}}); got != want {
			t.Errorf("of what took %v: %v, want %v", done, got, want)
		}
	}
	for done, want := range map[int64]int64{-1: 0, 0: 1_000_000, 100_000: 2_000_000, 1_000_000: 11_000_000, 1_000_000_000: 3_008_000_000} {
		if got := mostWork(&execute.TestBaseline{Outcome: execute.Outcome{Work: done}}); got != want {
			t.Errorf("of work of %d: %d, want %d", done, got, want)
		}
	}
	if got := mostWork(&execute.TestBaseline{Outcome: execute.Outcome{Work: 1 << 62}}); got <= 0 {
		t.Errorf("more work than can be counted leaves %d", got)
	}
}
