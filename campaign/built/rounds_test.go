package built

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

func TestTheNextRoundTakesTheTimeThatIsLeftAndNoMore(t *testing.T) {
	for _, c := range []struct {
		name string
		cost cost
		left float64
		want int
	}{
		// 2 s of each preparation are fixed, and a mutant costs 10 ms and as much to run: of
		// the 40 s that may be used 2 are fixed, and the 200 there are run no more.
		{"half is fixed", cost{mutants: 200, prepared: 4, fixed: 2, run: 0.01}, 50, 2000},
		{"more of that", cost{mutants: 1000, prepared: 4, fixed: 2, run: 0.01}, 50, 4000},
		// All that is prepared grows, and nothing is run.
		{"files are left out", cost{mutants: 100, prepared: 10}, 50, 400},
		// There is no time for as many again.
		{"slow", cost{mutants: 100, prepared: 10}, 5, 40},
		{"free", cost{mutants: 100}, 5, 1000},
	} {
		if got := c.cost.mutantsIn(c.left); got != c.want {
			t.Errorf("%s: %d mutants, want %d", c.name, got, c.want)
		}
	}
}

// Lines differ in how many mutants they have: what is divided among them never comes to the
// last of the longest, however much of it there is. A round that has room for all takes all.
func TestARoundWithRoomForAllMutantsTakesAll(t *testing.T) {
	r := &recording{program: &program.Program{Generated: 1000}, size: size{most: 200}, build: &capture.Capture{Subject: capture.Subject{}}}
	for _, c := range []struct {
		room int
		want size
	}{{999, size{most: 999}}, {1000, size{}}, {5000, size{}}} {
		if got := r.after(c.room); got != c.want {
			t.Errorf("room for %d of 1000: %+v, want %+v", c.room, got, c.want)
		}
	}
	r.size.files = 1
	if got := r.after(5000); got != (size{most: 5000}) {
		t.Errorf("how many mutants other files have is not known: %+v", got)
	}
}

// However much time is left, no round makes more than what bounds all, and the one that makes so
// many is the last.
func TestNoRoundMakesMoreMutantsThanAreAskedFor(t *testing.T) {
	r := &recording{bound: 5000, opts: Options{Until: time.Now().Add(time.Hour)}, prepared: time.Second, ran: time.Second,
		program: &program.Program{Generated: 9000, OutOfScope: 8000}, size: size{most: 1000}, build: &capture.Capture{Subject: capture.Subject{}}}
	most, more := r.more(nil)
	if next := r.after(most); !more || next != (size{most: 5000}) {
		t.Errorf("after 1000 mutants: %+v, %t; want 5000", next, more)
	}
	r.size.most, r.program.OutOfScope = 5000, 4000
	if most, more := r.more(nil); more {
		t.Errorf("after 5000 mutants there are %d more", most)
	}
	r.bound = 0
	if most, more := r.more(nil); !more || r.after(most) != (size{}) {
		t.Errorf("without a bound: %d, %t; want all", most, more)
	}
	if got := r.bounded(7000); got != 7000 {
		t.Errorf("without a bound 7000 are %d", got)
	}
}

func TestMutantsAreOptimisedWhereTestsTakeLong(t *testing.T) {
	for took, want := range map[time.Duration]build.Optimizing{time.Second / 10: build.Soon, 5 * time.Second: build.Fast} {
		if got := (&suite{took: took}).how(); got != want {
			t.Errorf("tests of %v: %s, want %s", took, got, want)
		}
	}
}

func TestTheFirstRoundIsLargerWhereTestsTakeLong(t *testing.T) {
	for _, c := range []struct {
		left, tests time.Duration
		want        int
	}{
		{time.Minute, time.Second / 10, 300},
		{10 * time.Second, 0, leastMost},
		{time.Hour, 0, mostFirst},
		{time.Minute, 20 * time.Second, 600},
		{time.Hour, time.Hour, mostSuite},
	} {
		if got := firstRound(c.left, c.tests); got != c.want {
			t.Errorf("%v for tests of %v: %d mutants, want %d", c.left, c.tests, got, c.want)
		}
	}
}

// ofSources is a recording of a program of so many source files.
func ofSources(n int) *recording {
	c := &capture.Capture{}
	for k := range n {
		u := capture.Unit{ID: fmt.Sprintf("source/%d.c", k), Source: fmt.Sprintf("source/%d.c", k), Language: "c"}
		c.Units, c.Subject.Units = append(c.Units, u), append(c.Subject.Units, u.ID)
	}
	return &recording{build: c, opts: Options{Until: time.Now().Add(time.Minute)}}
}

// What a first round costs nobody knows: it has half of the time to make its mutants, and runs
// them to the end. One of few mutants, or of one source, for which fewer would cost as much, has all of it.
func TestHalfOfTheTimeIsLeftForTheRunsOfTheFirstRound(t *testing.T) {
	r, one := ofSources(20), ofSources(1)
	left := func(ctx context.Context) time.Duration {
		if until, some := ctx.Deadline(); some {
			return time.Until(until).Round(time.Second)
		}
		return 0 // no limit
	}
	for _, c := range []struct {
		name               string
		r                  *recording
		most               int
		last               *recording
		preparing, running time.Duration
	}{
		{"first", r, 300, nil, 30 * time.Second, 0},
		{"first, of few", r, fewest, nil, time.Minute, 0},
		{"first, of one source", one, 300, nil, time.Minute, 0},
		{"another", r, 300, r, time.Minute, time.Minute},
	} {
		got, done := c.r.limitsOf(t.Context(), c.r.sizeOf(c.most), c.last)
		if left(got.preparing) != c.preparing || left(got.running) != c.running {
			t.Errorf("%s: %v to prepare, %v to run; want %v and %v", c.name, left(got.preparing), left(got.running), c.preparing, c.running)
		}
		done()
	}
}

func TestARunEndsWhereItsTestsTakeLongerThanThereIsTime(t *testing.T) {
	aside := func(reasons ...string) *execute.Baseline {
		out := &execute.Baseline{}
		for _, reason := range reasons {
			out.Tests = append(out.Tests, execute.TestBaseline{SetAside: reason})
		}
		return out
	}
	for _, c := range []struct {
		base *execute.Baseline
		want bool
	}{{aside("it fails", command.NoTime), true}, {aside("it fails"), false}, {aside("", command.NoTime), false}, {aside(), false}} {
		if got := timeUp(c.base); got != c.want {
			t.Errorf("%+v: %t, want %t", c.base.Tests, got, c.want)
		}
	}
}
