package built

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatLastsIsSaidAgainWithinTwoSecondsAndNotOnceItHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		r := &recording{opts: Options{Say: oneAtATime(func(line string) { said = append(said, line) })}}
		done := r.during("comparing")
		time.Sleep(5 * time.Second)
		done()
		done()
		time.Sleep(time.Minute)
		if got, want := strings.Join(said, ", "), "comparing, still comparing (2 s), still comparing (4 s)"; got != want {
			t.Errorf("it said %s, want %s", got, want)
		}
	})
}
