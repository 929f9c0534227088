package command

import (
	"math"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// What a mutant may do on a test, against what the original did: short runs may become ten
// times as long, and long ones no more than about three times, for those that never end cost a
// suite of seconds most of its time. Work is that of the process that did most.
const (
	shortWork = 1_000_000 // some ten milliseconds
	shortWall = 100 * time.Millisecond
	spareWork = 1_000_000
	spareWall = 2 * time.Second
)

func multiple[T int64 | time.Duration](done, short, spare T) T {
	done = min(max(done, 0), T(math.MaxInt64/8))
	return 10*min(done, short) + 3*max(done-short, 0) + spare
}

// mostWork is what a process of a mutant may do on a test; 0 is no limit, where it is not known what the original
// did.
func mostWork(base *execute.TestBaseline) int64 {
	if base.Work < 0 {
		return 0
	}
	return multiple(base.Work, shortWork, spareWork)
}

// mostWall is how long its command may take.
func mostWall(base *execute.TestBaseline) time.Duration {
	return multiple(base.Wall, shortWall, spareWall)
}

// inTime is wall where the time may be up before: then it ends, and cut says that it tells nothing
// of the mutant.
func (e *Engine) inTime(wall time.Duration) (bounded time.Duration, cut bool) {
	if e.options.Until.IsZero() {
		return wall, false
	}
	left := max(time.Until(e.options.Until), 0)
	return min(wall, left), left < wall
}
